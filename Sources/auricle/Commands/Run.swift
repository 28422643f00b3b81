import ArgumentParser
import Control
import Daemon

/// `auricle run`: the daemon in the foreground, as `auricled`.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Be the daemon, in the foreground, until Ctrl-C.",
    discussion: "The same as auricled(8). Messages go to standard error.")

  @OptionGroup var file: ConfigurationOption
  @OptionGroup var socket: SocketOption

  func run() throws {
    let options = DaemonOptions(configurationFile: file.file, socket: socket.socket)
    let status = DaemonProcess.run(options, program: "auricle")
    if status != .done { throw ExitCode(status.rawValue) }
  }
}
