import Base

/// Programs, volume and tone in words.
package enum ProgramText {
  /// `music, volume −2 dB, tone as prescribed`, without a full stop.
  package static func line(_ report: ProgramReport) -> String {
    let program = report.chosen == "automatic" ? "automatic, now \(report.name)" : report.name
    return "\(program), volume \(words(report.volume.valueDB)), tone \(words(report.tone.valueDB))"
  }

  /// `+2 dB`, `−3 dB`, `as prescribed`.
  package static func words(_ value: Double) -> String {
    value == 0 ? "as prescribed" : "\(NumberText.signed(value)) dB"
  }

  /// `−10 to +4 dB`.
  package static func range(_ adjustment: ProgramReport.Adjustment) -> String {
    "\(NumberText.signed(adjustment.leastDB)) to \(NumberText.signed(adjustment.mostDB)) dB"
  }
}
