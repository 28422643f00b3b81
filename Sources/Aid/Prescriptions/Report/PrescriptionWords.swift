import Acoustics
import Base
import Fitting

/// Parts of a prescription as short phrases, for pages and pictures.
extension Prescription {
  /// `NAL-RP-compressive, version 1, compression 2:1`, or the tool that explicit targets come from.
  package var fittingWords: String {
    let version = plan.rule.map { ", version \($0.version)" } ?? ", explicit targets"
    let ratio = plan.rule?.compressionRatio.map { ", compression \($0.shortText):1" }
    return plan.ruleOrSource + version + (ratio ?? "")
  }

  /// Nil when the whole gain is given.
  package var adaptationWords: String? {
    plan.adaptation < 1 ? "\((plan.adaptation * 100).shortText) % of the gain" : nil
  }

  /// `volume −10 to +5 dB`, `tone −3 to +3 dB`; empty when the patient may change nothing.
  package var adjustmentWords: [String] {
    [("volume", adjustment.volume), ("tone", adjustment.tone)].compactMap { name, range in
      range == 0...0 ? nil : "\(name) \(range.lowerBound.signedText) to \(range.upperBound.signedText) dB"
    }
  }

  /// One phrase for each point.
  package var fineTuningWords: [String] {
    Ear.allCases.reversed().flatMap { ear in
      plan.fineTuning[ear].points.map { "\(ear.rawValue) \($0.words)" }
    }
  }

  /// One phrase for each ear, or one for both alike; empty when nothing is lowered.
  package var loweringWords: [String] { Self.words(plan.lowering.map { $0.map { "\($0)" } }) }

  /// Likewise; empty when nothing is added.
  package var tinnitusSoundWords: [String] { Self.words(plan.tinnitusSound.map { $0.map { "\($0)" } }) }

  private static func words(_ ears: Binaural<String?>) -> [String] {
    if let right = ears.right, ears.left == right { return ["both ears " + right] }
    return Ear.allCases.reversed().compactMap { ear in ears[ear].map { "\(ear.rawValue) " + $0 } }
  }
}

extension FineTuning.Point {
  /// `2000 Hz: +3, 0, −2 dB at 50, 65, 80 dB SPL`.
  var words: String {
    let changes = SpeechLevel.allCases.map { self.changes[$0].signedText }
    return "\(frequency.shortText) Hz: \(changes.joined(separator: ", ")) dB at 50, 65, 80 dB SPL"
  }
}

extension Instant {
  /// `2026-03-01`.
  package var dayText: String { String(text.prefix(10)) }
}

extension Double {
  /// With a sign, and a real minus.
  fileprivate var signedText: String {
    self < 0 ? "−\((-self).shortText)" : self > 0 ? "+\(shortText)" : "0"
  }
}
