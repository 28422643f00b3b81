import ArgumentParser
import Base
import Control
import Glibc
import Service

/// `auricle start`: sound, by the daemon that runs or by a new one.
struct Start: Verb {
  static let configuration = CommandConfiguration(
    abstract: "Start the sound.",
    discussion: """
      Asks the daemon; when none runs, starts one in the background that ends with `auricle stop`. \
      Exits with 0 when sound flows, 1 when it is muted, \
      75 while it waits for the device, 78 when something has to be corrected first.
      """)

  @OptionGroup var socket: SocketOption
  @OptionGroup var file: ConfigurationOption
  @OptionGroup var form: JSONOption

  var isForPrograms: Bool { form.json }

  /// Longest that a device may take to open before the answer is "starting", s.
  private static let patience = 8.0

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let answer = try one { () throws(Failure) in try begun() }
    try report(
      DoneReport(
        message: StateText.sentence(answer.state), notes: answer.cautions ?? [], state: answer.state))
    return StateText.exitStatus(answer.state)
  }

  private func begun() throws(Failure) -> StateAnswer {
    var client: ControlClient
    var answer: StateAnswer
    do throws(Failure) {
      client = try socket.client()
      answer = try client.ask(SoundMethods.Start())
    } catch {
      guard error.exitStatus == .unavailable else { throw error }
      client = try BackgroundDaemon(socket: socket.named, configurationFile: file.file).started()
      answer = try status(of: client)
    }
    for _ in 0..<Int(Self.patience / 0.05) where [.starting, .stopped].contains(answer.state.name) {
      usleep(50_000)
      answer = try status(of: client)
    }
    return answer
  }

  private func status(of client: ControlClient) throws(Failure) -> StateAnswer {
    let report = try client.ask(ReportMethods.Status())
    return StateAnswer(state: report.state, cautions: report.cautions)
  }
}

/// `auricle run`: the daemon in the foreground, as `auricled`.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run the daemon in the foreground, until Ctrl-C.",
    discussion: "The same as auricled(8). Messages go to standard error.")

  @OptionGroup var file: ConfigurationOption
  @OptionGroup var socket: SocketOption

  func run() throws {
    let options = DaemonOptions(configurationFile: file.file, socket: socket.socket)
    let status = DaemonProcess.run(options, program: "auricle")
    if status != .done { throw ExitCode(status.rawValue) }
  }
}
