import ArgumentParser
import Base
import Service

/// `auricle doctor`: one line per fact that sound depends on, with advice; with `--fix`, what came of repairing it.
struct Doctor: Verb {
  static let configuration = CommandConfiguration(
    abstract: "Examine the machine and advise what to do.",
    discussion: """
      Needs no daemon. Exits with 1 when something is bad. --fix repairs what is safe: files left behind, permissions of your own health \
      data, a converting device where the card itself can do it. It never touches what is heard: no level, no gain, no mute, no book.
      """)

  @Flag(help: "Repair what is safe to repair, and say what was repaired, what was not and why.") var fix =
    false

  @OptionGroup var socket: SocketOption
  @OptionGroup var file: ConfigurationOption
  @OptionGroup var form: AnswerOptions

  func answer() throws -> ExitStatus {
    var report = DoctorReport(Machine(configurationFile: file.file, socket: socket.path))
    if fix { report.repair() }
    let text = DoctorText(report: report, style: form.style).text
    return try show(report, text, exit: report.isHealthy ? .done : .no)
  }
}

/// An examination in words, for people: one line per fact, and under it what to do.
struct DoctorText: Sendable {
  let report: DoctorReport
  var style = Style.plain

  /// Several lines with their breaks.
  var text: String {
    var table = TextTable([.leading, .leading, .leading])
    for finding in report.findings {
      table.append([mark(finding.verdict), finding.subject, LogLine.printable(finding.found)])
      if let remedy = finding.remedy { table.append(["", "", LogLine.printable(remedy)]) }
      if let fix = finding.fix { table.append(["", "", outcome(fix)]) }
    }
    return table.text + summary
  }

  private func outcome(_ fix: DoctorReport.Fix) -> String {
    switch fix.outcome {
    case .repaired: style.good("repaired") + ": \(fix.words)"
    case .failed: style.bad("not repaired") + ": \(fix.words)"
    case .left: style.faint("left: \(fix.words)")
    }
  }

  /// Count of each outcome; empty where nothing was to be repaired.
  private var summary: String {
    let counts = [DoctorReport.Fix.Outcome.repaired, .failed, .left].map(report.count)
    guard counts.contains(where: { $0 > 0 }) else { return "" }
    return "\n\(counts[0]) repaired, \(counts[1]) not repaired, \(counts[2]) left to you.\n"
  }

  private func mark(_ verdict: DoctorReport.Finding.Verdict) -> String {
    switch verdict {
    case .good: style.good("good")
    case .warning: style.warning("warning")
    case .bad: style.bad("bad")
    }
  }
}
