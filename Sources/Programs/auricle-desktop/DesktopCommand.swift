import ArgumentParser
import Base
import Glibc
import Service

/// Entry of the desktop's program: auricle's under the name `auricle-desktop`.
package enum DesktopEntry {
  /// Its name, and that of its command.
  package static let name = "auricle-desktop"
  package static func run() { Main.main() }
}

struct Main: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: DesktopEntry.name, abstract: "Notices of the hearing aid on the desktop.",
    discussion: """
      Tells by notifications when the aid goes silent and why, when a trial is over and when the battery of Bluetooth earphones is low, \
      and tells the daemon which earphones there are. A session's service: systemctl --user enable --now auricle-desktop

      With an action it carries out auricle start, stop, mute or unmute, as the desktop's menu does, and ends; where that fails, a \
      notification says why.
      """,
    version: Version.number)

  @Argument(help: "Action of the desktop's menu: start, stop, mute or unmute.") var action: MenuAction?

  @Option(help: ArgumentHelp("Socket of the daemon, instead of the usual places.", valueName: "path"))
  var socket: String?

  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      guard !(error is ExitCode), exitCode(for: error) != .success else { exit(withError: error) }
      let failure = Failure(
        "command line", inWords: message(for: error).split(separator: "\n").joined(separator: " "),
        remedy: "See: \(DesktopEntry.name) --help", exit: .usage)
      StandardError.write(FailureText(program: DesktopEntry.name).text(for: [failure]))
      exit(withError: ExitCode(failure.exitStatus.rawValue))
    }
  }

  func run() throws {
    if let action {
      let status = MenuCall(action: action, socket: socket).carryOut()
      if status != .done { throw ExitCode(status.rawValue) }
      return
    }
    do throws(Failure) {
      let inbox = try SignalInbox()
      let log = MessageLog(threshold: .info)
      let desktop = try Desktop(AidConnection(socket: socket, log: log), EarphoneSource())
      try desktop.run(inbox)
    } catch {
      StandardError.write(FailureText(program: DesktopEntry.name).text(for: [error]))
      throw ExitCode(error.exitStatus.rawValue)
    }
  }
}
