import ArgumentParser
import Base
import Control
import Glibc
import Prescriptions
import Service

/// Socket of the daemon.
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
    var status = stat()
    // A connection would report any other file as a socket that nobody serves.
    guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFSOCK else {
      throw Failure(
        path, inWords: "This is not a socket",
        remedy: "Name the socket of a daemon: auricle run --socket makes one.", exit: .usage)
    }
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

/// Path of the configuration.
struct ConfigurationOption: ParsableArguments {
  @Option(
    name: [.customLong("config")],
    help: ArgumentHelp(
      "Configuration file, instead of the usual places: $AURICLE_CONFIG, ~/.config/auricle/auricle.toml, "
        + "/etc/auricle/auricle.toml.", valueName: "file"), completion: .file())
  var file: String?
}

/// Form of an answer.
struct AnswerOptions: ParsableArguments {
  @Flag(help: "Answer in JSON, for programs.")
  var json = false

  @Option(help: ArgumentHelp("Colours: auto, always or never.", valueName: "when"))
  var color = ColorChoice.auto

  /// Marks for standard output.
  var style: Style { Style(isOn: color.isOn(for: STDOUT_FILENO)) }
}

/// Choice of coloured output.
enum ColorChoice: String, Sendable, CaseIterable, ExpressibleByArgument {
  /// On a terminal, unless the environment says otherwise.
  case auto
  case always
  case never

  /// Decides for one stream.
  ///
  /// In this order: the choice itself, `NO_COLOR` (no-color.org: set and not empty), `CLICOLOR_FORCE` (set
  /// and not `0`), `TERM=dumb`, whether the stream is a terminal.
  func isOn(environment: [String: String], isTerminal: Bool) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    if let value = environment["NO_COLOR"], !value.isEmpty { return false }
    if let value = environment["CLICOLOR_FORCE"], !value.isEmpty, value != "0" { return true }
    if environment["TERM"] == "dumb" { return false }
    return isTerminal
  }

  /// Decides for standard output or standard error of this process.
  func isOn(for descriptor: Int32) -> Bool {
    isOn(environment: ProcessEnvironment.variables, isTerminal: isatty(descriptor) == 1)
  }
}

/// `--json` of a command whose answer has no colours.
struct JSONOption: ParsableArguments {
  @Flag(help: "Answer in JSON, for programs.")
  var json = false
}

/// `--quiet` of a command that reports progress or repeats what it was given.
struct QuietOption: ParsableArguments {
  @Flag(name: .shortAndLong, help: "No progress and no summary; errors are still reported.")
  var quiet = false
}

/// A day on the command line, `2027-11-21`.
struct DayOption: ExpressibleByArgument {
  let date: CalendarDate

  init?(argument: String) {
    guard let date = CalendarDate(argument) else { return nil }
    self.date = date
  }

  /// The day's last second, UTC.
  var end: Instant { Instant(endOf: date) }
}

/// Paths for another process, whose folder is another.
enum AbsolutePath {
  /// - Throws: ``Failure`` when this program's own folder is gone.
  static func of(_ path: String) throws(Failure) -> String {
    guard !path.hasPrefix("/") else { return path }
    guard let current = getcwd(nil, 0) else {
      throw Failure(path, inWords: "The current folder no longer exists", exit: .noInput)
    }
    defer { free(current) }
    return String(cString: current) + "/" + path
  }
}
