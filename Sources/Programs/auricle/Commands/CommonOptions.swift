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
    try Self.checkKind(of: path)
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

extension SocketOption {
  /// Refuses a file that is no socket, which a connection would report as one that nobody serves.
  private static func checkKind(of path: String) throws(Failure) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFSOCK else { return }
    throw Failure(
      path, inWords: "This is not a socket",
      remedy: "Name the socket of a daemon: auricle run --socket makes one.",
      exit: .usage)
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

extension ColorChoice: ExpressibleByArgument {}

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

/// Answer of a command that has nothing to tell but what it did, as `--json` prints it.
struct DoneReport: Encodable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  private let schema = 100
  /// One or more whole sentences.
  let message: String
  /// One sentence each.
  var notes: [String] = []
  /// File that was written or read; nil for none.
  var file: String?
  /// State of the aid; nil when no daemon runs, and for commands that ask none.
  var state: StatusReport.State?
}

/// A report that has no version of its own, with that of the command line.
struct Versioned<Report: Encodable>: Encodable {
  private enum Key: String, CodingKey { case schema }

  let report: Report

  func encode(to encoder: any Encoder) throws {
    try report.encode(to: encoder)
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(100, forKey: .schema)
  }
}

/// Words of `check` and `reload` for gain that is as prescribed, or held below that.
enum GainText {
  /// A clause without a full stop.
  ///
  /// - Parameter cap: Greatest gain while an end is not calibrated, dB; nil: none is held back.
  static func clause(isFitted: Bool, cap: Double?) -> String {
    guard isFitted else { return "not fitted, nothing is amplified" }
    guard let cap else { return "fitted, gain as prescribed" }
    return "fitted, gain held to \(Int(cap)) dB until both ends are calibrated"
  }
}

/// A command that answers on standard output, or says what went wrong on standard error and how it exits.
protocol Verb: ParsableCommand {
  /// True when a program reads the output.
  var isForPrograms: Bool { get }

  /// Does the work.
  ///
  /// - Returns: Exit status when nothing went wrong.
  /// - Throws: ``ConfigurationFailures`` with all that went wrong.
  func answer() throws(ConfigurationFailures) -> ExitStatus
}

extension Verb {
  var isForPrograms: Bool { false }

  func run() throws {
    // A reader that has heard enough, such as head(1), is no fault.
    signal(SIGPIPE, SIG_DFL)
    var status: ExitStatus
    var failures: [[Failure]] = []
    do throws(ConfigurationFailures) {
      status = try answer()
    } catch {
      failures.append(error.failures)
      status = FailureText.exitStatus(for: error.failures)
    }
    do throws(Failure) {
      // Before anything is said: where both streams are one file, the answer stands before what went wrong
      // after it.
      try StandardOutput.finish()
    } catch {
      failures.append([error])
      if status == .done { status = error.exitStatus }
    }
    let text = FailureText(program: "auricle", json: isForPrograms)
    for failure in failures { StandardError.write(text.text(for: failure)) }
    if status != .done { throw ExitCode(status.rawValue) }
  }

  /// One failure as a list of one.
  func one<Value: ~Copyable>(
    _ body: () throws(Failure) -> Value
  ) throws(ConfigurationFailures) -> Value {
    do throws(Failure) {
      return try body()
    } catch {
      throw ConfigurationFailures(failures: [error])
    }
  }

  /// Prints what a command did: its sentences, or the same as JSON.
  func report(_ done: DoneReport) throws(ConfigurationFailures) {
    print(isForPrograms ? try json(done) : ([done.message] + done.notes).joined(separator: "\n"))
  }

  /// A report as JSON; every report can be written as JSON.
  func json(_ report: some Encodable) throws(ConfigurationFailures) -> String {
    do {
      return try JSON.text(report)
    } catch {
      throw ConfigurationFailures(failures: [
        Failure("report", inWords: "It holds a number that JSON does not have", exit: .software)
      ])
    }
  }
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
