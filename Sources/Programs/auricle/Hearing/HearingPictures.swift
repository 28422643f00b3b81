import Acoustics
import Base
import Glibc
import Paper
import Prescriptions
import Procedures
import Service

extension MatchHistoryPage {
  init(_ courses: [MatchCourse]) {
    let first = courses.flatMap { $0.matches.map(\.time) }.min() ?? 0
    self.init(courses.map { Course($0, after: first) })
  }
}

extension MatchHistoryPage.Course {
  /// - Parameter first: The first match of all, s since 1970-01-01 UTC.
  fileprivate init(_ course: MatchCourse, after first: Double) {
    func line(_ name: String = "", _ value: (MatchCourse.Match) -> Double?) -> Line {
      Line(
        name,
        course.matches.compactMap { match in value(match).map { ((match.time - first) / 86_400, $0) } })
    }
    let agreement = course.agreement
    let scale: Scale =
      switch course.kind {
      case .loudness, .masking: .hearingLevel
      case .pitch, .likeness: .frequency
      case .bandwidth: .likeness
      case .inhibition: .loudness
      }
    let spread = agreement.mean.flatMap { mean in
      agreement.retestDeviation.map { deviation in
        // Of pitch in octaves, on an axis in Hz.
        scale == .frequency
          ? (mean * exp2(-deviation), mean, mean * exp2(deviation))
          : (mean - deviation, mean, mean + deviation)
      }
    }
    self.init(
      ear: course.ear, title: course.title, scale: scale,
      lines: course.kind == .bandwidth
        ? BandwidthMatch.Sound.allCases.map { sound in line(sound.words) { $0.likeness?[sound].mean } }
        : [line { $0.value }],
      spread: spread,
      deviation: agreement.retestDeviation.map { "\(NumberText.fixed($0, 1)) \(agreement.unit)" },
      rows: course.matches.map {
        (String(Timestamp($0.time).text.prefix(16)), $0.words)
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
      subtitle: "\(Timestamp(began).text), \(likeness.ear.rawValue) ear\(pitch)",
      notes: doubts)
  }
}

extension HearingTestReport {
  /// The result on a page.
  func page(at began: Double) -> HearingTestPage {
    HearingTestPage(
      Binaural(left: audiograms.left, right: audiograms.right), floors: floors,
      subtitle:
        "\(Timestamp(began).text), \(noise.map { "\($0), " } ?? "")\(calibration.device), "
        + "calibration \(calibration.status.rawValue)",
      notes: (reliability.map { [$0] } ?? doubts) + cautions)
  }
}
