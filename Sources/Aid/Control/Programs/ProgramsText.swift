import Base

/// The table of programs in words, for people; nobody should parse it.
package struct ProgramsText: Sendable {
  private let report: ProgramsReport
  private let style: Style

  package init(_ report: ProgramsReport, style: Style = .plain) {
    self.report = report
    self.style = style
  }

  /// Several lines with their breaks: what each program is for, what it changes, and why.
  package var text: String {
    [purposes, values, reasons, heard].joined(separator: "\n")
  }

  private var purposes: String {
    var table = TextTable([.leading, .leading, .leading])
    for program in report.programs {
      table.append([
        program.word == report.heard?.inForce ? "*" : "", style.bold(program.word), program.purpose,
      ])
    }
    table.append(["", style.bold("automatic"), "The aid listens and moves slowly between them."])
    return table.text
  }

  private var values: String {
    var table = TextTable([.leading] + report.programs.map { _ in .trailing })
    table.append([style.bold("What is changed")] + report.programs.map { style.bold(Self.short($0.word)) })
    for quantity in report.quantities {
      let cells = report.programs.map { Self.cell($0.values[quantity.key], quantity.unit) }
      table.append([quantity.name] + cells)
    }
    return table.text
  }

  private var reasons: String {
    var table = TextTable([.leading, .leading])
    table.append([style.bold("Why")])
    for quantity in report.quantities { table.append([quantity.name, quantity.reason]) }
    return table.text
  }

  private var heard: String {
    guard let heard = report.heard else { return "No daemon runs; nothing is heard now.\n" }
    return "Heard now: \(ProgramText(heard, style: style).line).\n"
  }

  /// A heading no wider than its column needs.
  private static func short(_ word: String) -> String {
    word.split(separator: "-").first.map(String.init) ?? word
  }

  private static func cell(_ value: Double?, _ unit: ProgramsReport.Quantity.Unit) -> String {
    guard let value else { return "as set" }
    switch unit {
    case .decibels: return value == 0 ? "0 dB" : "\(NumberText.exact(value).replacingMinus) dB"
    case .hertz: return value == 0 ? "off" : "\(NumberText.exact(value)) Hz"
    case .seconds:
      return value < 1 ? "\(NumberText.exact(value * 1000)) ms" : "\(NumberText.exact(value)) s"
    case .share: return "\(NumberText.fixed(value * 100, 0)) %"
    case .isOn: return value == 1 ? "on" : "off"
    }
  }
}

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
  fileprivate var replacingMinus: String { hasPrefix("-") ? "−" + dropFirst() : self }
}
