import ArgumentParser
import Base
import Service

/// `auricle programs`: what each listening program changes.
struct Programs: Verb {
  static let configuration = CommandConfiguration(
    commandName: "programs", abstract: "Show the listening programs: what each changes, and why.",
    discussion: """
      A program never asks for more gain than the prescription and never raises an output limit. \
      A star marks the one in force. Needs no daemon.
      """)

  @OptionGroup var options: ClientOptions

  func answer() throws -> ExitStatus {
    // The daemon's own table where one runs, for it may be of another version.
    let own = try options.socket.ifRunning { (client) throws(Failure) in
      try client.ask(ProgramMethods.List())
    }
    let report = own ?? .table()
    return try show(report, ProgramsText(report: report, style: options.form.style).text)
  }
}

/// The table of programs in words, for people; nobody should parse it.
struct ProgramsText: Sendable {
  /// Characters of a line of text beside a name, so that the whole is narrower than 80.
  private static let textWidth = 54

  let report: ProgramsReport
  var style = Style.plain

  /// Several lines with their breaks: what each program is for, what it changes, and why.
  var text: String { [purposes, values, reasons, heard].joined(separator: "\n") }

  private var purposes: String {
    var table = TextTable([.leading, .leading, .leading])
    for program in report.programs {
      let mark = program.word == report.heard?.inForce ? "*" : ""
      for (index, line) in English.lines(program.purpose, of: Self.textWidth).enumerated() {
        table.append(index == 0 ? [mark, style.bold(program.word), line] : ["", "", line])
      }
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
    for quantity in report.quantities {
      for (index, line) in English.lines(quantity.reason, of: Self.textWidth).enumerated() {
        table.append([index == 0 ? quantity.name : "", line])
      }
    }
    return table.text
  }

  private var heard: String {
    guard let heard = report.heard else { return "No daemon runs, so no program is in force.\n" }
    return "In force: \(ProgramText.line(heard)).\n"
  }

  /// A heading no wider than its column needs.
  private static func short(_ word: String) -> String {
    word.split(separator: "-").first.map(String.init) ?? word
  }

  private static func cell(_ value: Double?, _ unit: ProgramsReport.Quantity.Unit) -> String {
    guard let value else { return "as set" }
    switch unit {
    case .decibels: return "\(value.readText) dB"
    case .hertz: return value == 0 ? "off" : "\(NumberText.exact(value)) Hz"
    case .seconds: return "\(NumberText.exact(value < 1 ? value * 1000 : value)) \(value < 1 ? "ms" : "s")"
    case .share: return "\(NumberText.fixed(value * 100, 0)) %"
    case .isOn: return value == 1 ? "on" : "off"
    }
  }
}
