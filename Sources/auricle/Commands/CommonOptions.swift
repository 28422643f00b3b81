import ArgumentParser
import Control
import Glibc

/// Where the daemon listens.
struct SocketOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("Socket of the daemon, instead of the usual places.", valueName: "path"),
    completion: .file())
  var socket: String?

  /// The socket that was named, by the option or `AURICLE_SOCKET`; nil: none was.
  var named: String? { socket ?? StandardPaths.current.namedSocket }

  /// The socket a command talks to.
  var path: String {
    StandardPaths.current.clientSocket(explicit: named, configured: Self.configured()) {
      access($0, F_OK) == 0
    }
  }

  /// The socket that a configuration names; nil when it names none, or cannot be read.
  static func configured(by file: String? = nil) -> String? {
    try? ConfigurationSearch(explicit: file).load().get().configuration.control.socket
  }

  /// Longest that a daemon which is being started again is waited for, s: a start takes some tenths.
  private static let patience = 5.0

  /// A connection to the daemon; one that is being started again after a crash is waited for.
  func client() throws(Failure) -> ControlClient {
    let path = self.path
    for _ in 0..<Int(Self.patience / 0.05) {
      do throws(Failure) {
        return try ControlClient(path: path)
      } catch {
        guard error.exitStatus == .unavailable, DaemonGuardian(ofSocket: path) != nil else { throw error }
        usleep(50_000)
      }
    }
    return try ControlClient(path: path)
  }
}

/// Which configuration is meant.
struct ConfigurationOption: ParsableArguments {
  @Option(
    name: [.customLong("config")],
    help: ArgumentHelp(
      "Configuration file, instead of the usual places: $AURICLE_CONFIG, ~/.config/auricle/auricle.toml, "
        + "/etc/auricle/auricle.toml.", valueName: "file"), completion: .file())
  var file: String?
}

/// How an answer is written.
struct AnswerOptions: ParsableArguments {
  @Flag(help: "Answer in JSON, for programs.")
  var json = false

  @Option(help: ArgumentHelp("Colours: auto, always or never.", valueName: "when"))
  var color = ColorChoice.auto

  /// Marks for standard output.
  var style: Style { Style(isOn: color.isOn(for: STDOUT_FILENO)) }
}

extension ColorChoice: ExpressibleByArgument {}
