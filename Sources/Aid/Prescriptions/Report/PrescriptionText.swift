import Acoustics
import Base
import Fitting

/// A prescription in words, for people; nobody should parse it.
package struct PrescriptionText: Sendable {
  private let report: PrescriptionReport
  private let style: Style
  private let plot: String

  private var prescription: Prescription { report.prescription }

  /// - Parameter plot: The audiogram as a picture of letters, lines with their breaks; empty for none.
  package init(_ report: PrescriptionReport, style: Style = .plain, plot: String = "") {
    (self.report, self.style, self.plot) = (report, style, plot)
  }

  /// Several lines with their breaks.
  package var text: String {
    heading + decisions + "\n" + (plot.isEmpty ? "" : plot + "\n") + earTable + audibilityTable
      + tuningLines + findingLines
  }

  private var heading: String {
    let who = prescription.wearerMayAccept ? "the patient may make it final" : "the clinic makes it final"
    let trial =
      prescription.trialEnds.map { ", " + style.warning("on trial until \($0.localText)") + "; \(who)" }
      ?? ""
    let title = "Prescription \(prescription.serial) for \(prescription.environment.word)"
    let heading = style.bold(title) + trial + "\n"
    guard let verdict = report.verdict else { return heading }
    let mark = verdict.isVerified ? style.good("Verified") : style.bad("NOT VERIFIED")
    return heading + "\(mark): \(verdict.words)\n"
  }

  private var decisions: String {
    var table = TextTable([.leading, .leading])
    func row(_ name: String, _ value: String?) {
      if let value { table.append([style.bold(name), value]) }
    }
    row("Patient", prescription.patient.words)
    row("Prescriber", "\(prescription.prescriber.name), \(prescription.prescriber.clinic)")
    let expiry = prescription.expires.map { ", expires \($0.localText)" } ?? ""
    row("Issued", prescription.issued.localText + expiry)
    row("Replaces", prescription.supersedes.map { "prescription \($0)" })
    row("Fitting", prescription.fittingWords)
    row("Adaptation", prescription.adaptationWords.map { $0 + ", for a new user" })
    row("Limit", "\(prescription.plan.outputCeiling.decibels.shortText) dB SPL at most")
    let adjustment = prescription.adjustmentWords.joined(separator: ", ")
    row("Patient may", adjustment.isEmpty ? "adjust nothing" : "adjust " + adjustment)
    row("Key", report.verdict?.key)
    return table.text
  }

  // MARK: - Ears

  private var earTable: String {
    Ear.allCases.reversed().map { ear in
      let colour = ear == .right ? "O" : "X"
      return style.bold("\(ear.rawValue.capitalizedWord) ear (\(colour))") + "\n" + thresholds(ear)
        + targets(ear)
    }.joined(separator: "\n")
  }

  private func thresholds(_ ear: Ear) -> String {
    let points = prescription.audiograms[ear].points
    var rows: [(String, [Audiogram.Point])] = []
    for (name, conduction, isMasked) in [
      ("threshold, dB HL", Conduction.air, false), ("masked", .air, true), ("bone", .bone, false),
      ("bone, masked", .bone, true),
    ] {
      let found = points.filter { $0.conduction == conduction && $0.isMasked == isMasked }
      if !found.isEmpty { rows.append((name, found)) }
    }
    guard !rows.isEmpty else { return "  no thresholds\n" }
    let frequencies = Set(points.map(\.frequency)).sorted()
    var table = TextTable([.leading] + frequencies.map { _ in .trailing })
    table.append(["  Hz"] + frequencies.map(\.shortText))
    for (name, found) in rows {
      table.append(
        ["  " + name]
          + frequencies.map { frequency in
            found.first { $0.frequency == frequency }
              .map { ($0.hasResponse ? "" : ">") + $0.threshold.decibels.shortText } ?? ""
          })
    }
    return table.text
  }

  private func targets(_ ear: Ear) -> String {
    let targets = report.targets[ear]
    // A table can add twenty frequencies, and no terminal has room for thirty columns.
    let count = PrescriptionReport.targetFrequencies.count
    return stride(from: 0, to: targets.count, by: count).map {
      Self.table(of: targets.dropFirst($0).prefix(count))
    }.joined()
  }

  private static func table(of targets: ArraySlice<TargetTable.Point>) -> String {
    var table = TextTable([.leading] + targets.map { _ in .trailing })
    table.append(["  Hz"] + targets.map(\.frequency.shortText))
    for (level, name) in zip(SpeechLevel.allCases, ["50", "65", "80"]) {
      table.append(["  gain at \(name) dB SPL, dB"] + targets.map { NumberText.fixed($0.gains[level]) })
    }
    table.append(["  at most, dB SPL"] + targets.map { NumberText.fixed($0.maximumOutput?.decibels, 0) })
    return table.text
  }

  private var audibilityTable: String {
    var table = TextTable([.leading, .trailing, .trailing, .trailing])
    let levels = SpeechLevel.allCases.map { "\($0.rawValue) dB SPL" }
    table.append([style.bold("Audible speech in quiet (SII, 0 to 1)")] + levels)
    for ear in Ear.allCases.reversed() {
      guard let audibility = report.audibility[ear] else { continue }
      let rows = [("without an aid", audibility.unaided), ("as prescribed", audibility.aided)]
      for (name, indices) in rows {
        table.append(
          ["  \(ear.rawValue) ear, \(name)"] + SpeechLevel.allCases.map { NumberText.fixed(indices[$0], 2) }
        )
      }
    }
    return report.audibility == Binaural(both: nil)
      ? "" : "\n" + table.text + "  Output limits do not count here.\n"
  }

  private var tuningLines: String {
    let plan = prescription.plan
    let tuning = Ear.allCases.reversed().flatMap { ear in
      plan.fineTuning[ear].words.map { "Fine tuning, \(ear.rawValue) ear, \($0)" }
    }
    let lowering = Ear.allCases.reversed().compactMap { ear in
      plan.lowering[ear].map { "Frequency lowering, \(ear.rawValue) ear: \($0)" }
    }
    let sounds = Ear.allCases.reversed().compactMap { ear in
      plan.tinnitusSound[ear].map { "Tinnitus sound, \(ear.rawValue) ear: \($0)" }
    }
    let lines = tuning + lowering + sounds
    return lines.isEmpty ? "" : "\n" + lines.joined(separator: "\n") + "\n"
  }

  private var findingLines: String {
    report.findings.isEmpty ? "" : "\n" + report.findings.map { $0.line(style) + "\n" }.joined()
  }
}

extension AudiogramReview.Finding {
  /// The sentence with its weight before it: `Caution: The ears differ …`.
  package func line(_ style: Style) -> String {
    "\(severity == .caution ? style.warning("Caution") : "Note"): \(sentence)"
  }
}

extension String {
  fileprivate var capitalizedWord: String { prefix(1).uppercased() + dropFirst() }
}

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
      range == 0...0
        ? nil
        : "\(name) \(NumberText.signed(range.lowerBound)) to \(NumberText.signed(range.upperBound)) dB"
    }
  }

  /// One phrase for each point.
  package var fineTuningWords: [String] {
    Ear.allCases.reversed().flatMap { ear in
      plan.fineTuning[ear].words.map { "\(ear.rawValue) \($0)" }
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

extension FineTuning {
  /// `2000 Hz: +3, 0, −2 dB at 50, 65, 80 dB SPL` of each point, and of the outermost ones all frequencies at which they hold.
  var words: [String] {
    points.enumerated().map { index, point in
      let (isFirst, isLast) = (index == 0, index == points.count - 1)
      let reach =
        switch (isFirst, isLast) {
        case (true, true): " and all others"
        case (true, false): " and below"
        case (false, true): " and above"
        case (false, false): ""
        }
      let changes = SpeechLevel.allCases.map { NumberText.signed(point.changes[$0]) }
      return
        "\(point.frequency.shortText) Hz\(reach): \(changes.joined(separator: ", ")) dB at 50, 65, 80 dB SPL"
    }
  }
}
