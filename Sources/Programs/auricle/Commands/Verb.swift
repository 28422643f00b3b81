import ArgumentParser
import Base
import Control
import Glibc
import Service

/// Answer of a command that has nothing to tell but what it did, as `--json` prints it.
struct DoneReport: Encodable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  private let schema = 101
  /// One or more whole sentences.
  let message: String
  /// One sentence each.
  var notes: [String] = []
  /// File that was written or read, - for standard output; nil for none.
  var file: String?
  /// Text of a card that was meant for standard output; nil for none.
  var card: String?
  /// State of the aid; nil when no daemon runs, and for commands that ask none.
  var state: StatusReport.State?
}

extension DoneReport {
  /// The state that a call led to, with its cautions.
  init(_ message: String, _ answer: StateAnswer) {
    self.init(message: message, notes: answer.cautions ?? [], state: answer.state)
  }
}

/// A report that has no version of its own, with that of the command line.
struct Versioned<Report: Encodable>: Encodable {
  private enum Key: String, CodingKey { case schema }

  let report: Report

  func encode(to encoder: any Encoder) throws {
    try report.encode(to: encoder)
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(100, forKey: .schema)
  }
}

/// Words of `check` and `reload` for gain that is as prescribed, or held below that.
enum GainText {
  /// A clause without a full stop.
  ///
  /// - Parameter cap: Greatest gain while an end is not calibrated, dB; nil: none is held back.
  static func clause(isFitted: Bool, cap: Double?) -> String {
    guard isFitted else { return "not fitted, nothing is amplified" }
    guard let cap else { return "fitted, gain as prescribed" }
    return "fitted, gain held to \(cap.shortText) dB until both ends are calibrated"
  }
}

/// A command that answers on standard output, or says what went wrong on standard error and how it exits.
protocol Verb: ParsableCommand {
  /// Does the work.
  ///
  /// - Returns: Exit status when nothing went wrong.
  /// - Throws: ``Failure``, or ``ConfigurationFailures`` with all that went wrong.
  func answer() throws -> ExitStatus
}

extension Verb {
  /// True when a program reads the output.
  var isForPrograms: Bool { Main.isForPrograms }

  func run() throws {
    // A reader that has heard enough, such as head(1), is no fault.
    signal(SIGPIPE, SIG_DFL)
    var status = ExitStatus.done
    var failures: [[Failure]] = []
    do { status = try answer() } catch {
      // Any other error is that of the encoder.
      let other = Failure("report", inWords: "It holds a number that JSON does not have", exit: .software)
      failures = [(error as? ConfigurationFailures)?.failures ?? [error as? Failure ?? other]]
      status = FailureText.exitStatus(for: failures[0])
    }
    // Before anything is said: where both streams are one file, the answer stands before what went wrong
    // after it.
    do throws(Failure) { try StandardOutput.finish() } catch {
      failures.append([error])
      if status == .done { status = error.exitStatus }
    }
    let text = FailureText(program: "auricle", json: isForPrograms)
    for failure in failures { StandardError.write(text.text(for: failure)) }
    if status != .done { throw ExitCode(status.rawValue) }
  }

  /// Prints a report: as JSON for a program, otherwise in words.
  ///
  /// - Returns: `status`, ``ExitStatus/done`` unless given.
  @discardableResult func show(
    _ report: some Encodable, _ words: @autoclosure () -> String, exit status: ExitStatus = .done
  ) throws -> ExitStatus {
    let text = isForPrograms ? try JSON.text(report) + "\n" : TextColumns.broken(words())
    print(text, terminator: text.hasSuffix("\n") ? "" : "\n")
    return status
  }

  /// Prints what a command did: its sentences, or the same as JSON. Beside a card on standard output the sentences go to standard error.
  ///
  /// - Returns: as ``show(_:_:exit:)``.
  func show(_ done: DoneReport, exit status: ExitStatus = .done) throws -> ExitStatus {
    let words = ([done.message] + done.notes).joined(separator: "\n")
    guard done.file == "-", !isForPrograms else { return try show(done, words, exit: status) }
    StandardError.write(TextColumns.broken(words) + "\n")
    return status
  }
}
