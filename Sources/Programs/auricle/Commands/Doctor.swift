import Acoustics
import ArgumentParser
import Base
import Control
import Service

/// `auricle doctor`: one line per fact that sound depends on, with advice; with `--fix`, what came of repairing it.
struct Doctor: Verb {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Examine the machine and advise what to do.",
    discussion: """
      Needs no daemon. Exits with 1 when something is bad. --fix repairs what is safe: files left behind, permissions of your own health \
      data, a converting device where the card itself can do it. It never touches what is heard: no level, no gain, no mute, no book.

      --loop measures the delay from output to input, in some half a minute: join both by a cable, or wear the earpieces as usual. Each \
      earphone plays rising tones, softly first, never above 75 dB SPL nor within 10 dB of its limit; a running daemon is silent \
      meanwhile and resumes afterwards, however it ends. Several repetitions must agree. The result is told beside the devices' own \
      figure, kept with their names, rate and period, shown by auricle status and used by the feedback canceller. Where nothing comes \
      back, or the readings disagree, nothing is kept, and the exit status is that of the refusal, 75 as a rule.

      EXAMPLE: auricle doctor --loop
      """)

  @Flag(help: "Repair what is safe to repair, and say what was repaired, what was not and why.") var fix =
    false

  @Flag(
    help: "Measure the loop's delay through a cable or the air, and tell it beside the devices' own figure."
  )
  var loop = false

  @Option(help: .init("With --loop: measure one ear alone, left or right.", valueName: "ear")) var ear: Ear?

  @OptionGroup var socket: SocketOption
  @OptionGroup var file: ConfigurationOption
  @OptionGroup var form: AnswerOptions

  func validate() throws {
    if ear != nil, !loop { throw ValidationError("--ear goes with --loop.") }
  }

  func answer() throws -> ExitStatus {
    let measured = try measuredLoop()
    var report = DoctorReport(Machine(configurationFile: file.file, socket: socket.path), loop: measured)
    if fix { report.repair() }
    let text = DoctorText(report: report, style: form.style).text
    var exit = report.isHealthy ? ExitStatus.done : .no
    if case .failure(let refusal)? = measured { exit = refusal.exitStatus }
    return try show(report, text, exit: exit)
  }

  /// Outcome of `--loop`; nil: not asked for.
  ///
  /// - Throws: ``Failure`` of a person who ended it: they want no examination either.
  private func measuredLoop() throws -> Result<StatusReport.Feedback, Failure>? {
    guard loop else { return nil }
    let session = FeedbackSession(
      kind: .delay, ear: ear, socket: socket, configuration: file, isQuiet: isForPrograms)
    do {
      return .success(try session.measured(by: try socket.ifRunning { $0 }).feedback)
    } catch let failure as Failure {
      if Interruption.hasCome { throw failure }
      return .failure(failure)
    } catch let failures as ConfigurationFailures {
      // Told whole under the configuration.
      return failures.failures.first.map { .failure($0) }
    }
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
