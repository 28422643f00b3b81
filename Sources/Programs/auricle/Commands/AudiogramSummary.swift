import Acoustics
import Base

/// Summary of one ear's audiogram, which shows swapped ears and missing frequencies.
struct AudiogramSummary {
  let ear: Ear
  let audiogram: Audiogram

  /// True when the NAL rules can derive gain from it: they need thresholds on both sides of their average.
  var isFittable: Bool { audiogram.covers(500...2000) }

  /// True when the ear was tested at too few frequencies.
  var isIncomplete: Bool { !audiogram.points.isEmpty && !isFittable }

  /// One line, `left: 250, 500, 1000 Hz, …, average of 500, 1000 and 2000 Hz 52 dB HL`.
  var text: String { "\(ear.rawValue): \(words)" }

  /// All thresholds of air conduction on one line, `left: 250 Hz 20, 500 Hz 30 dB HL`.
  var thresholds: String {
    let points = audiogram.airPoints.map {
      "\($0.frequency.shortText) Hz \($0.threshold.decibels.shortText)\($0.hasResponse ? "" : " (no response)")"
    }
    return "\(ear.rawValue): \(points.joined(separator: ", ")) dB HL"
  }

  /// Air and bone conduction by frequency, with the keys of `auricle rx show --json`; no average where 500
  /// to 2000 Hz are not covered.
  var json: JSONValue {
    func list(_ points: [Audiogram.Point]) -> JSONValue {
      .array(
        points.map { point in
          [
            "frequency_hz": .number(point.frequency), "masked": .boolean(point.isMasked),
            "response": .boolean(point.hasResponse), "threshold_db_hl": .number(point.threshold.decibels),
          ]
        })
    }
    return [
      "bone": list(audiogram.points.filter { $0.conduction == .bone }),
      "average_db_hl": audiogram.pureToneAverage.map { .number($0.decibels) },
      "fittable": .boolean(isFittable), "thresholds": list(audiogram.airPoints),
    ]
  }

  /// Tones without a response, masked thresholds and bone conduction, each with its frequencies.
  private var extras: String {
    let kinds: [(String, [Audiogram.Point])] = [
      ("no response at", audiogram.airPoints.filter { !$0.hasResponse }),
      ("masked at", audiogram.points.filter { $0.conduction == .air && $0.isMasked }),
      ("bone conduction at", audiogram.points.filter { $0.conduction == .bone && !$0.isMasked }),
      ("masked bone conduction at", audiogram.points.filter { $0.conduction == .bone && $0.isMasked }),
    ]
    return kinds.filter { !$0.1.isEmpty }.map { name, points in
      "; \(name) \(points.map(\.frequency.shortText).joined(separator: ", ")) Hz"
    }.joined()
  }

  /// Words on frequencies of the average that were not tested.
  private var estimated: String {
    let tested = Set(audiogram.airPoints.map(\.frequency))
    let missing = [500.0, 1000, 2000].filter { !tested.contains($0) }
    guard !missing.isEmpty else { return "" }
    let verbs = missing.count == 1 ? ("was", "is") : ("were", "are")
    let names = English.list(missing.map(\.shortText), "and")
    return " (\(names) Hz \(verbs.0) not tested and \(verbs.1) taken from the neighbours)"
  }

  private var words: String {
    guard !audiogram.points.isEmpty else { return "not tested, not fitted" }
    let points = audiogram.airPoints
    guard let lowest = points.first?.frequency, let highest = points.last?.frequency else {
      return "no air-conduction thresholds, which fitting needs"
    }
    var text = points.map(\.frequency.shortText).joined(separator: ", ") + " Hz"
    if let average = audiogram.pureToneAverage {
      text += "; average of 500, 1000 and 2000 Hz \(average.decibels.shortText) dB HL" + estimated
    }
    text += extras
    guard isIncomplete else { return text }
    let missing = [
      lowest > 500 ? "one at or below 500 Hz" : nil, highest < 2000 ? "one at or above 2000 Hz" : nil,
    ].compactMap(\.self)
    return text + "; missing for fitting by a NAL rule: \(missing.joined(separator: ", "))"
  }
}
