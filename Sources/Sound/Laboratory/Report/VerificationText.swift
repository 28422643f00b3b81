import Acoustics
import Base

/// A verification on a terminal.
package struct VerificationText {
  private let table: VerificationTable
  private let style: Style

  package init(_ table: VerificationTable, style: Style) {
    self.table = table
    self.style = style
  }

  /// Several lines with their breaks.
  package var text: String {
    let head = ([style.bold("Electroacoustic verification: \(table.title)")] + table.conditions)
      .joined(separator: "\n")
    let verdict = table.isMet ? style.good(table.verdict) : style.bad(table.verdict)
    return ([head, figures] + table.ears.map(curves) + [limits, verdict]).joined(separator: "\n\n") + "\n"
  }

  private var figures: String {
    var rows = TextTable([.leading, .trailing, .trailing])
    rows.append([style.bold("Figures"), "right", "left"])
    for figure in table.figures { rows.append([figure.name, figure.ears.right, figure.ears.left]) }
    return rows.text.trimmed
  }

  private var limits: String {
    var rows = TextTable([.leading, .leading, .leading, .trailing, .trailing, .leading, .leading])
    rows.append([style.bold("Limits"), "source", "figure", "right", "left", "limit", "known"])
    for limit in table.limits {
      let verdict =
        switch limit.verdict {
        case .met: style.good("met")
        case .broken: style.bad("BROKEN")
        case .notApplicable: style.faint("–")
        }
      rows.append([
        verdict, limit.source, limit.first.name, limit.value(.right), limit.value(.left), limit.bound,
        limit.first.knowledge.rawValue,
      ])
    }
    var text = rows.text.trimmed
    for limit in table.limits {
      for finding in limit.findings where finding.verdict != .met && !finding.note.isEmpty {
        let ear = finding.ear.map { "\($0.rawValue) ear, " } ?? ""
        let line = "\(limit.source), \(limit.first.name): \(ear)\(finding.note)"
        text += "\n" + (finding.verdict == .broken ? style.bad(line) : style.faint(line))
      }
    }
    return text
  }

  // MARK: - Curves

  private func curves(_ ear: EarMeasurements) -> String {
    [inputOutput(ear), frequencies(ear), speech(ear)].joined(separator: "\n\n")
  }

  private func inputOutput(_ ear: EarMeasurements) -> String {
    let inputs = ear.inputOutput.first?.curve.map(\.x) ?? []
    var table = TextTable([.leading] + inputs.map { _ in .trailing })
    table.append(
      [style.bold("\(name(ear)): output for input, dB SPL")] + inputs.map { NumberText.fixed($0, 0) })
    for curve in ear.inputOutput {
      table.append(
        [curve.frequency.map { "\(Int($0)) Hz" } ?? "speech-shaped noise"]
          + curve.curve.map { NumberText.fixed($0.y) })
    }
    return table.text.trimmed
  }

  private func frequencies(_ ear: EarMeasurements) -> String {
    let delays = ear.delays
    var table = TextTable([.leading] + delays.map { _ in .trailing })
    table.append(
      [style.bold("\(name(ear)): by frequency, Hz")] + delays.map { NumberText.fixed($0.x, 0) })
    func row(_ name: String, _ places: Int = 1, _ value: (Double) -> Double?) {
      table.append([name] + delays.map { NumberText.fixed(value($0.x), places) })
    }
    row("gain for tones of 60 dB SPL, dB") { nearest(ear.response, $0).map { $0 - 60 } }
    row("output for tones of 90 dB SPL, dB SPL") { nearest(ear.loudResponse, $0) }
    for gain in ear.speechGains {
      row("gain for speech of \(Int(gain.level)) dB SPL, dB") { nearest(gain.measured, $0) }
      row("  target") { nearest(gain.target, $0) }
    }
    row("delay of the chain, ms", 2) { frequency in
      delays.first { $0.x == frequency }.map { $0.y * 1000 }
    }
    return table.text.trimmed
  }

  private func speech(_ ear: EarMeasurements) -> String {
    let shown = [250.0, 500, 1000, 2000, 4000, 6300]
    var table = TextTable([.leading] + shown.map { _ in .trailing })
    table.append(
      [style.bold("\(name(ear)): speech-like sound, 30/65/99 %, dB SPL")]
        + shown.map { NumberText.fixed($0, 0) })
    for speech in ear.speech {
      let bands = shown.compactMap { frequency in
        speech.bands.first { abs($0.frequency / frequency - 1) < 0.05 }
      }
      func text(_ value: SpeechDynamics.Percentiles) -> String {
        [value.valleys, value.middle, value.peaks].map { NumberText.fixed($0, 0) }.joined(separator: "/")
      }
      table.append(["\(Int(speech.level)) dB SPL in"] + bands.map { text($0.input) })
      table.append(["  out"] + bands.map { text($0.output) })
      table.append(["  compression ratio"] + bands.map { NumberText.fixed($0.compressionRatio, 2) })
    }
    return table.text.trimmed
  }

  private func name(_ ear: EarMeasurements) -> String { ear.ear == .right ? "Right ear" : "Left ear" }

  /// The value at the point nearest to a frequency, if one lies within a sixth of an octave.
  private func nearest(_ curve: [CurvePoint], _ frequency: Double) -> Double? {
    let point = curve.min { abs($0.x / frequency - 1) < abs($1.x / frequency - 1) }
    return point.flatMap { abs($0.x / frequency - 1) < 0.12 ? $0.y : nil }
  }
}

extension String {
  /// Without the line break at the end.
  fileprivate var trimmed: String { hasSuffix("\n") ? String(dropLast()) : self }
}
