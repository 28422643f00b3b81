import ArgumentParser
import Control
import Service

@main struct Main: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auricled", abstract: "Hearing-aid audio daemon.",
    discussion: """
      Lets sound flow from the microphone, through the wearer's prescription, to the earphones, and listens on a \
      control socket for auricle(1). Reads its configuration again on SIGHUP, ends on SIGTERM and SIGINT.
      """,
    version: Version.number)

  @Option(help: ArgumentHelp("Configuration file, instead of the usual places.", valueName: "file"))
  var config: String?

  @Option(help: ArgumentHelp("Control socket, instead of the usual place.", valueName: "path"))
  var socket: String?

  @Flag(help: "End when sound is stopped, as auricle start wants it.")
  var endsWhenStopped = false

  @Flag(help: "Start again after a crash, at most three times a minute, as auricle start wants it.")
  var guarded = false

  @Option(help: .hidden)
  var ward: String?

  func run() throws {
    let options = DaemonOptions(
      configurationFile: config, socket: socket, endsWhenStopped: endsWhenStopped, isGuarded: guarded,
      ward: ward)
    let status = DaemonProcess.run(options, program: "auricled")
    if status != .done { throw ExitCode(status.rawValue) }
  }
}
