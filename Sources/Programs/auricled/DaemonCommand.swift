import ArgumentParser
import Base
import Control
import Service

/// Entry of the daemon: auricle's program under the name `auricled`.
package enum DaemonEntry {
  /// Its name, and that of its command.
  package static let name = "auricled"
  package static func run() { Main.main() }
}

struct Main: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: DaemonEntry.name, abstract: "Hearing-aid audio daemon.",
    discussion: """
      Plays sound from the microphone, through the wearer's prescription, to the earphones, and serves the \
      control socket of auricle(1). Reads its configuration again on SIGHUP, ends on SIGTERM and SIGINT.
      """,
    version: Version.number)

  @Option(help: ArgumentHelp("Configuration file, instead of the usual places.", valueName: "file"))
  var config: String?

  @Option(help: ArgumentHelp("Control socket, instead of the usual place.", valueName: "path"))
  var socket: String?

  @Flag(help: "End when sound is stopped, as auricle start asks.")
  var endsWhenStopped = false

  @Flag(help: "Start again after a crash, at most three times a minute, as auricle start asks.")
  var guarded = false

  @Option(help: .hidden)
  var ward: String?

  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      guard !(error is ExitCode), exitCode(for: error) != .success else { exit(withError: error) }
      let failure = Failure(
        "command line", inWords: message(for: error).split(separator: "\n").joined(separator: " "),
        remedy: "See: auricled --help", exit: .usage)
      StandardError.write(FailureText(program: DaemonEntry.name).text(for: [failure]))
      exit(withError: ExitCode(failure.exitStatus.rawValue))
    }
  }

  func run() throws {
    var options = DaemonOptions(configurationFile: config, socket: socket)
    options.endsWhenStopped = endsWhenStopped
    options.isGuarded = guarded
    options.ward = ward
    let status = DaemonProcess.run(options, program: DaemonEntry.name)
    if status != .done { throw ExitCode(status.rawValue) }
  }
}
