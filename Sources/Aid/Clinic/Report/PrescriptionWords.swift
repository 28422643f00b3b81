import Acoustics
import Base
import Prescriptions

/// Parts of a prescription as short phrases, for pages and pictures.
package struct PrescriptionWords: Sendable {
  private let report: PrescriptionReport

  package init(_ report: PrescriptionReport) { self.report = report }

  /// `NAL-RP-compressive, version 1, compression 2:1`, or the tool that explicit targets come from.
  package var fitting: String {
    let version = report.ruleVersion.map { ", version \($0)" } ?? ", explicit targets"
    return report.rule + version + (report.compressionRatio.map { ", compression \($0.shortText):1" } ?? "")
  }

  package var issued: String { day(report.issued) }
  package var expires: String? { report.expires.map(day) }

  /// Day and time, UTC.
  package var trialUntil: String? {
    report.trialEnds.map(Self.time)
  }

  /// Nil when the whole gain is given.
  package var adaptation: String? {
    report.adaptation < 1 ? "\((report.adaptation * 100).shortText) % of the gain" : nil
  }

  package var volume: String? { range(report.volume) }
  package var tone: String? { range(report.tone) }

  package var fineTuning: [String] {
    Ear.allCases.reversed().flatMap { ear in
      report.fineTuning[ear].map { point in
        "\(ear.rawValue) \(point.frequency.shortText) Hz: \(signed(point.soft)), \(signed(point.ordinary)), "
          + "\(signed(point.loud)) dB at 50, 65, 80 dB SPL"
      }
    }
  }

  /// One line for each ear, or one for both alike; none when nothing is moved.
  package var lowering: [String] { ears(report.lowering.map { $0?.words }) }

  /// Likewise; none when nothing is added.
  package var tinnitusSound: [String] { ears(report.tinnitusSound.map { $0?.words }) }

  private func ears(_ words: Binaural<String?>) -> [String] {
    if let right = words.right, words.left == right { return ["both ears " + right] }
    return Ear.allCases.reversed().compactMap { ear in words[ear].map { "\(ear.rawValue) " + $0 } }
  }

  /// A time written by ISO 8601, as people read it.
  static func time(_ text: String) -> String { Instant(text: text)?.localText ?? text }

  /// The day of a moment written by ISO 8601.
  private func day(_ moment: String) -> String { String(moment.prefix(10)) }

  private func range(_ range: [Double]) -> String? {
    range == [0, 0] ? nil : "\(signed(range[0])) to \(signed(range[1])) dB"
  }

  /// With a sign, and a real minus.
  private func signed(_ value: Double) -> String {
    value < 0 ? "−\((-value).shortText)" : value > 0 ? "+\(value.shortText)" : "0"
  }
}
