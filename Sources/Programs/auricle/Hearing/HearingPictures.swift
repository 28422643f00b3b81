import Acoustics
import Base
import Paper
import Prescriptions
import Procedures
import Service

extension MatchHistoryPage {
  /// - Parameter loudness: Matches of each ear and frequency.
  init(_ loudness: [(ear: Ear, frequency: Double, series: MatchSeries)]) {
    let first = loudness.flatMap { $0.series.sessions.map(\.time) }.min() ?? 0
    self.init(
      loudness.map { course in
        Course(
          ear: course.ear,
          title: "\(course.ear == .right ? "Right" : "Left") ear, \(course.frequency.shortText) Hz",
          points: course.series.sessions.map { (($0.time - first) / 86_400, $0.value) },
          mean: course.series.sessions.count > 1 ? course.series.mean : nil,
          deviation: course.series.retestDeviation,
          rows: course.series.sessions.map {
            (String(Instant(seconds: Int($0.time)).localText.prefix(16)), "\($0.value.shortText) dB HL")
          })
      })
  }
}

extension LikenessPage {
  /// - Parameter began: s since 1970-01-01 UTC.
  init(_ likeness: LikenessSummary, began: Double, doubts: [String]) {
    let pitch = likeness.pitch.map { ", pitch \($0.rounded().shortText) Hz" } ?? ""
    self.init(
      likeness.ear,
      likeness.profile.tones.map {
        Tone(frequency: $0.frequency, mean: $0.ratings.mean, ratings: $0.ratings.ratings)
      },
      subtitle: "\(Instant(seconds: Int(began)).localText), \(likeness.ear.rawValue) ear\(pitch)",
      notes: doubts)
  }
}

extension HearingTestReport {
  /// The result on a page.
  func page(at began: Double) -> HearingTestPage {
    HearingTestPage(
      Binaural(left: audiograms.left, right: audiograms.right),
      subtitle:
        "\(Instant(seconds: Int(began)).localText), \(calibration.device), calibration \(calibration.status.rawValue)",
      notes: (doubts.isEmpty
        ? ["Reliable: the first tone was found again, and silences were left alone."] : doubts)
        + [caution].compactMap(\.self))
  }
}
