import ArgumentParser
import Control
import Glibc

/// A command that answers on standard output, or says what went wrong on standard error and how it exits.
protocol Verb: ParsableCommand {
  /// Whether a program reads what is written.
  var isForPrograms: Bool { get }

  /// Does the work.
  ///
  /// - Returns: How the command exits when nothing went wrong.
  /// - Throws: ``ConfigurationFailures`` with all that went wrong.
  func answer() throws(ConfigurationFailures) -> ExitStatus
}

extension Verb {
  var isForPrograms: Bool { false }

  func run() throws {
    // A reader that has heard enough, such as head(1), is no fault.
    signal(SIGPIPE, SIG_DFL)
    var status: ExitStatus
    var failures: [[Failure]] = []
    do throws(ConfigurationFailures) {
      status = try answer()
    } catch {
      failures.append(error.failures)
      status = FailureText.exitStatus(for: error.failures)
    }
    do throws(Failure) {
      // Before anything is said: where both streams are one file, the answer stands before what went wrong after it.
      try StandardOutput.finish()
    } catch {
      failures.append([error])
      if status == .done { status = error.exitStatus }
    }
    let text = FailureText(program: "auricle", json: isForPrograms)
    for failure in failures { StandardError.write(text.text(for: failure)) }
    if status != .done { throw ExitCode(status.rawValue) }
  }

  /// One failure as a list of one.
  func one<Value: ~Copyable>(
    _ body: () throws(Failure) -> Value
  ) throws(ConfigurationFailures) -> Value {
    do throws(Failure) {
      return try body()
    } catch {
      throw ConfigurationFailures(failures: [error])
    }
  }

  /// A report as JSON; every report can be written as JSON.
  func json(_ report: some Encodable) throws(ConfigurationFailures) -> String {
    do {
      return try JSON.text(report)
    } catch {
      throw ConfigurationFailures(failures: [
        Failure("report", found: "a number that JSON does not have", exit: .software)
      ])
    }
  }
}
