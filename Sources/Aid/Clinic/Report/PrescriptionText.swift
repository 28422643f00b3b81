import Acoustics
import Base
import Control

/// A prescription in words, for people; nobody should parse it.
package struct PrescriptionText: Sendable {
  private let report: PrescriptionReport
  private let style: Style

  package init(_ report: PrescriptionReport, style: Style = .plain) {
    self.report = report
    self.style = style
  }

  /// Several lines with their breaks.
  package var text: String {
    heading + decisions + "\n" + earTable + tuningLines + findingLines
  }

  private var heading: String {
    let trial =
      report.trialEnds.map { ", " + style.warning("on trial until \(PrescriptionWords.time($0))") } ?? ""
    let title = style.bold("Prescription \(report.serial) for \(report.environment)") + trial + "\n"
    guard let verdict = report.verdict else { return title }
    let mark = verdict.isVerified ? style.good("Verified") : style.bad("NOT VERIFIED")
    return title + "\(mark): \(verdict.words)\n"
  }

  private var decisions: String {
    var table = TextTable([.leading, .leading])
    func row(_ name: String, _ value: String?) {
      if let value { table.append([style.bold(name), value]) }
    }
    let reference = report.reference.map { ", reference \($0)" } ?? ""
    row("Patient", "\(report.givenName) \(report.familyName), born \(report.birthDate)\(reference)")
    row("Prescriber", "\(report.prescriber), \(report.clinic)")
    row(
      "Issued",
      PrescriptionWords.time(report.issued)
        + (report.expires.map { ", expires \(PrescriptionWords.time($0))" } ?? ""))
    row("Replaces", report.supersedes.map { "prescription \($0)" })
    let version = report.ruleVersion.map { ", version \($0)" } ?? ", explicit targets"
    let ratio = report.compressionRatio.map { ", compression \($0.shortText):1" } ?? ""
    row("Fitting", report.rule + version + ratio)
    if report.adaptation < 1 {
      row("Adaptation", "\((report.adaptation * 100).shortText) % of the gain, for a new user")
    }
    row("Limit", "\(report.outputCeiling.shortText) dB SPL at most")
    row("Patient may", adjustment)
    row("Key", report.verdict?.key)
    return table.text
  }

  private var adjustment: String {
    let parts = [("volume", report.volume), ("tone", report.tone)].compactMap { name, range in
      range == [0, 0] ? nil : "turn \(name) from \(range[0].shortText) to \(range[1].shortText) dB"
    }
    return parts.isEmpty ? "turn nothing" : parts.joined(separator: ", ")
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
    let points = report.thresholds[ear]
    var rows: [(String, [PrescriptionReport.Threshold])] = []
    for (name, conduction, isMasked) in [
      ("threshold, dB HL", "air", false), ("masked", "air", true), ("bone", "bone", false),
      ("bone, masked", "bone", true),
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
            found.first { $0.frequency == frequency }.map { ($0.isHeard ? "" : ">") + $0.level.shortText }
              ?? ""
          })
    }
    return table.text
  }

  private func targets(_ ear: Ear) -> String {
    let targets = report.targets[ear]
    guard !targets.isEmpty else { return "" }
    var table = TextTable([.leading] + targets.map { _ in .trailing })
    table.append(["  Hz"] + targets.map(\.frequency.shortText))
    table.append(["  gain at 50 dB SPL, dB"] + targets.map { NumberText.fixed($0.soft) })
    table.append(["  gain at 65 dB SPL, dB"] + targets.map { NumberText.fixed($0.ordinary) })
    table.append(["  gain at 80 dB SPL, dB"] + targets.map { NumberText.fixed($0.loud) })
    table.append(["  at most, dB SPL"] + targets.map { NumberText.fixed($0.maximumOutput, 0) })
    return table.text
  }

  private var tuningLines: String {
    var lines = ""
    for ear in Ear.allCases {
      for point in report.fineTuning[ear] {
        lines +=
          "Fine tuning, \(ear.rawValue) ear, \(point.frequency.shortText) Hz: \(point.soft.shortText), "
          + "\(point.ordinary.shortText), \(point.loud.shortText) dB at 50, 65, 80 dB SPL\n"
      }
    }
    for ear in Ear.allCases {
      if let lowering = report.lowering[ear] {
        lines += "Frequency lowering, \(ear.rawValue) ear: \(lowering.words)\n"
      }
    }
    for ear in Ear.allCases {
      if let sound = report.tinnitusSound[ear] {
        lines += "Tinnitus sound, \(ear.rawValue) ear: \(sound.words)\n"
      }
    }
    return lines.isEmpty ? "" : "\n" + lines
  }

  private var findingLines: String {
    guard !report.findings.isEmpty else { return "" }
    return "\n"
      + report.findings.map { finding in
        let mark = finding.severity == "caution" ? style.warning("Caution") : "Note"
        return "\(mark): \(finding.sentence)\n"
      }.joined()
  }
}

extension String {
  fileprivate var capitalizedWord: String { prefix(1).uppercased() + dropFirst() }
}
