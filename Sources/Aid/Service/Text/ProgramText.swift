import Base

/// What is heard in one line.
package struct ProgramText: Sendable {
  private let report: ProgramReport
  private let style: Style

  package init(_ report: ProgramReport, style: Style = .plain) {
    self.report = report
    self.style = style
  }

  /// `music, volume −2 dB, tone as prescribed`, without a full stop.
  package var line: String {
    let program = report.chosen == "automatic" ? "automatic, now \(report.name)" : report.name
    return "\(program), volume \(Self.words(report.volume.value)), tone \(Self.words(report.tone.value))"
  }

  /// `+2 dB`, `−3 dB`, `as prescribed`.
  package static func words(_ value: Double) -> String {
    value == 0 ? "as prescribed" : signed(value)
  }

  /// `+2 dB`, `−3 dB`, `0 dB`.
  package static func signed(_ value: Double) -> String {
    "\(value > 0 ? "+" : "")\(NumberText.exact(value).replacingMinus) dB"
  }

  /// `−10 to +4 dB`.
  package static func range(_ adjustment: ProgramReport.Adjustment) -> String {
    let most = signed(adjustment.most)
    return "\(signed(adjustment.least).dropLast(3)) to \(most)"
  }
}

extension String {
  /// With a minus sign in place of the hyphen that a number is written with.
  package var replacingMinus: String { hasPrefix("-") ? "−" + dropFirst() : self }
}
