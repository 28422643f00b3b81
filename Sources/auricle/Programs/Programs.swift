import ArgumentParser
import Control
import Daemon

/// `auricle programs`: what each listening program changes.
struct Programs: Verb {
  static let configuration = CommandConfiguration(
    abstract: "Show the listening programs: what each changes, and why.",
    discussion: """
      A program never asks for more gain than the prescription and never raises an output limit. \
      A star marks the one that is heard. Needs no daemon.
      """)

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let report = try one { () throws(Failure) in try asked() }
    print(
      form.json ? try json(report) : ProgramsText(report, style: form.style).text,
      terminator: form.json ? "\n" : "")
    return .done
  }

  /// The daemon's own table where one runs, for it may be of another version.
  private func asked() throws(Failure) -> ProgramsReport {
    do throws(Failure) {
      return try socket.client().programs()
    } catch {
      // A socket that was named is meant.
      guard error.exitStatus == .unavailable, socket.socket == nil else { throw error }
      return .table
    }
  }
}
