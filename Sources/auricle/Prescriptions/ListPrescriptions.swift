import ArgumentParser
import Control

/// `auricle rx list`: the prescription book.
struct ListPrescriptions: Verb {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the prescriptions that were loaded, newest first.")

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let report = try one { () throws(Failure) in try BookDoor(socket).book() }
    print(
      form.json ? try json(report) : BookText(report, style: form.style).text,
      terminator: form.json ? "\n" : "")
    return .done
  }
}
