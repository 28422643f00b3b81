import Acoustics

/// What an audiogram says of one ear, so that swapped ears and missing frequencies are noticed.
struct AudiogramSummary {
  private let ear: Ear
  private let audiogram: Audiogram

  init(_ ear: Ear, _ audiogram: Audiogram) {
    self.ear = ear
    self.audiogram = audiogram
  }

  /// Whether the NAL rules can make gain from it: they need thresholds on both sides of their average.
  var isFittable: Bool { audiogram.covers(500...2000) }

  /// Whether the ear was tested, but not enough.
  var isIncomplete: Bool { !audiogram.points.isEmpty && !isFittable }

  /// One line, `left: 250, 500, 1000 Hz, …, average of 500, 1000 and 2000 Hz 52 dB HL`.
  var text: String { "\(ear.rawValue): \(words)" }

  private var words: String {
    guard !audiogram.points.isEmpty else { return "not tested, not fitted" }
    let points = audiogram.airPoints
    guard let lowest = points.first?.frequency, let highest = points.last?.frequency else {
      return "no air-conduction thresholds, which fitting needs"
    }
    var text = points.map(\.frequency.shortText).joined(separator: ", ") + " Hz"
    if let average = audiogram.pureToneAverage {
      text += "; average of 500, 1000 and 2000 Hz \(average.decibels.shortText) dB HL"
    }
    guard isIncomplete else { return text }
    let missing = [
      lowest > 500 ? "one at or below 500 Hz" : nil, highest < 2000 ? "one at or above 2000 Hz" : nil,
    ].compactMap(\.self)
    return text + "; missing for fitting by a NAL rule: \(missing.joined(separator: ", "))"
  }
}
