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
    let loop = try measuredLoop()
    let found = try daemon(by: loop?.client)
    let measured = loop?.outcome
    var report = DoctorReport(
      Machine(
        configurationFile: file.file, socket: socket.path, daemon: found.answer, at: found.place),
      loop: measured)
    if fix { report.repair() }
    let text = DoctorText(report: report, style: form.style).text
    var exit = report.isHealthy ? ExitStatus.done : .no
    if case .failure(let refusal)? = measured { exit = refusal.exitStatus }
    return try show(report, text, exit: exit)
  }

  /// Report of the daemon that is found as by every command, or why there is none, and the socket on which it answers.
  ///
  /// - Parameter client: That it was asked by already, in the role that was asked for; nil: it was not.
  /// - Throws: ``Failure`` where a role was asked for and is refused: without it less would be told.
  private func daemon(
    by client: ControlClient?
  ) throws(Failure) -> (answer: Result<StatusReport, Failure>, place: String) {
    do throws(Failure) {
      let found: SocketOption.Outcome = if let client { .found(client) } else { try socket.look() }
      switch found {
      case .absent(let failure): return (.failure(failure), socket.path)
      case .found(let client):
        return (Result { () throws(Failure) in try Machine.report(of: client) }, client.path)
      }
    } catch {
      guard socket.role == nil else { throw error }
      return (.failure(error), socket.path)
    }
  }

  /// A measurement by `--loop`.
  private struct MeasuredLoop {
    /// Nil: not measured, for a configuration that cannot be read.
    var outcome: Result<StatusReport.Feedback, Failure>?
    /// Client that asked for it; nil: no daemon runs, or it is better asked anew.
    var client: ControlClient?
  }

  /// Measures the loop; nil where that was not asked for.
  ///
  /// - Throws: ``Failure`` of a person who ended it: they want no examination either; and of a role that is refused, for which the
  ///   examination would ask again.
  private func measuredLoop() throws -> MeasuredLoop? {
    guard loop else { return nil }
    let session = FeedbackSession(
      kind: .delay, ear: ear, socket: socket, configuration: file, isQuiet: isForPrograms)
    var client: ControlClient?
    if socket.role != nil, case .found(let found) = try socket.look() { client = found }
    do {
      if client == nil { client = try socket.ifRunning { $0 } }
      let feedback = try session.measured(by: client).feedback
      return MeasuredLoop(outcome: .success(feedback), client: client)
    } catch let failure as Failure {
      if Interruption.hasCome { throw failure }
      // A role is not asked for twice, but where its daemon has ended and another one may run.
      let isKept = socket.role != nil && client?.hasEnded == false
      return MeasuredLoop(outcome: .failure(failure), client: isKept ? client : nil)
    } catch let failures as ConfigurationFailures {
      // Told whole under the configuration.
      return MeasuredLoop(outcome: failures.failures.first.map { .failure($0) }, client: client)
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
    // Names of files, which others may have chosen.
    let words = LogLine.printable(fix.words)
    return switch fix.outcome {
    case .repaired: style.good("repaired") + ": \(words)"
    case .failed: style.bad("not repaired") + ": \(words)"
    case .left: style.faint("left: \(words)")
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
