import ArgumentParser
import Control
import Daemon

/// `auricle doctor`: one line per fact that sound depends on, with what to do about it.
struct Doctor: Verb {
  static let configuration = CommandConfiguration(
    abstract: "Examine the machine, and say what to do.",
    discussion: "Needs no daemon. Exits with 1 when something is bad.")

  @OptionGroup var socket: SocketOption
  @OptionGroup var file: ConfigurationOption
  @OptionGroup var form: AnswerOptions

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let report = DoctorReport(Machine(configurationFile: file.file, socket: socket.path))
    if form.json {
      print(try json(report))
    } else {
      print(DoctorText(report, style: form.style).text, terminator: "")
    }
    return report.isHealthy ? .done : .no
  }
}
