import ArgumentParser
import Base
import Control
import Glibc
import Service

/// Socket of the daemon.
struct SocketOption: ParsableArguments {
  @Option(
    help: .init("Socket of the daemon, instead of the usual places.", valueName: "path"),
    completion: .file())
  var socket: String?

  @Option(
    name: .customLong("as"),
    help: .init(
      "Ask as audiologist or developer, which you prove by your password: auricle roles.", valueName: "role"
    ))
  var role: ProvenRole?

  /// The socket that was named, by the option or `AURICLE_SOCKET`; nil: none was.
  var named: String? { socket ?? StandardPaths.current.namedSocket }

  /// The socket a command talks to.
  var path: String {
    StandardPaths.current.clientSocket(explicit: named, configured: Self.configured())
  }

  /// The socket that a configuration names; nil when it names none, or cannot be read.
  static func configured(by file: String? = nil) -> String? {
    try? ConfigurationSearch(explicit: file).load().get().configuration.control.socket
  }

  /// Longest that a daemon which is being started again is waited for, s: a start takes some tenths.
  private static let patience = 5.0

  /// Outcome of a look for the daemon.
  enum Outcome {
    /// A connection to it, in the role that was asked for.
    case found(ControlClient)
    /// None runs, and why that is known.
    case absent(Failure)
  }

  /// Connects; a daemon that is being started again after a crash is waited for.
  ///
  /// - Throws: ``Failure`` of a daemon that is there, and of the role's proof, which says nothing about whether one is.
  func look() throws(Failure) -> Outcome {
    let client: ControlClient
    do throws(Failure) { client = try connection() } catch {
      guard error.exitStatus == .unavailable else { throw error }
      return .absent(error)
    }
    try role?.prove(to: client)
    return .found(client)
  }

  /// A connection to the daemon, in the role that was asked for.
  func client() throws(Failure) -> ControlClient {
    switch try look() {
    case .found(let client): return client
    case .absent(let failure): throw failure
    }
  }

  private func connection() throws(Failure) -> ControlClient {
    let path = self.path
    var status = stat()
    // A connection would report any other file as a socket that nobody serves.
    guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFSOCK else {
      throw Failure(
        path, inWords: "This is not a socket",
        remedy: "Name the socket of a daemon: auricle run --socket makes one.", exit: .usage)
    }
    for _ in 0..<Int(Self.patience / 0.05) {
      do throws(Failure) { return try ControlClient(path: path) } catch {
        guard error.exitStatus == .unavailable, DaemonGuardian(ofSocket: path) != nil else {
          guard named == nil, error.exitStatus == .unavailable,
            let systems = DaemonTrace.systemsSocket(insteadOf: path),
            let client = try? ControlClient(path: systems)
          else { throw error }
          return client
        }
        usleep(50_000)
      }
    }
    return try ControlClient(path: path)
  }

  /// Another socket on which a daemon is looked for where none is named, and seems to run; nil: there is none.
  var otherAid: String? {
    let asked = path
    return Self.usual.first { place in
      place != asked && StandardPaths.current.hasSocket(place) && DaemonTrace(ofSocket: place) != .absent
    }
  }

  /// True where `AURICLE_SOCKET` names a socket on which no daemon is looked for without it.
  var isElsewhere: Bool { socket == nil && named.map { !Self.usual.contains($0) } ?? false }

  /// Sockets on which a daemon is looked for where none is named.
  private static var usual: [String] {
    [configured()].compactMap(\.self) + StandardPaths.current.socketCandidates
  }

  /// Asks the daemon; nil where none runs.
  ///
  /// Where `AURICLE_SOCKET` named the socket, or one was left, an aid that runs in a usual place is not asked, which a caution says.
  ///
  /// - Throws: ``Failure`` when a daemon is there but may not be asked. A socket that was named by the option is meant, and so is a
  ///   role: without a daemon there nothing else will do.
  func ifRunning<Answer>(_ ask: (ControlClient) throws(Failure) -> Answer) throws(Failure) -> Answer? {
    do throws(Failure) { return try ask(try client()) } catch {
      guard error.exitStatus == .unavailable, socket == nil, role == nil else { throw error }
      if let otherAid {
        let place = named.map { "\($0), which AURICLE_SOCKET names" } ?? "\(path), where a socket was left"
        StandardError.write(
          "auricle: caution: no daemon answers on \(place); the one on \(otherAid) is not asked.\n")
      }
      return nil
    }
  }
}

/// Path of the configuration.
struct ConfigurationOption: ParsableArguments {
  @Option(
    name: .customLong("config"),
    help: .file(
      "Configuration file, instead of the usual places: $AURICLE_CONFIG, ~/.config/auricle/auricle.toml, "
        + "/etc/auricle/auricle.toml."), completion: .file())
  var file: String?

  /// Refuses a file that was named, where a daemon runs with another one.
  ///
  /// - Parameter deed: Of the daemon: `measures`.
  func check(against client: ControlClient, whichOne deed: String) throws(Failure) {
    guard let file else { return }
    let used = try client.ask(ReportMethods.Status()).configurationFile ?? "none"
    guard !FilePath.isSame(file, used) else { return }
    throw Failure(
      "--config", found: file, expected: "\(used), with which the daemon \(deed)",
      remedy: "Leave the option out, or stop the daemon first: auricle stop --daemon.", exit: .usage)
  }
}

extension ArgumentHelp {
  /// Help on an argument or option that names a file.
  static func file(_ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: "file") }
}

/// Form of an answer.
struct AnswerOptions: ParsableArguments {
  @Flag(help: "Answer in JSON, for programs.") var json = false

  @Option(help: .init("Colours: auto, always or never.", valueName: "when")) var color = ColorChoice.auto

  /// Marks for standard output.
  var style: Style {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    return Style(isOn: color.isOn(environment: ProcessEnvironment.variables, isTerminal: isTerminal))
  }
}

/// The daemon that is asked, and form of the answer.
struct ClientOptions: ParsableArguments {
  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions
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
    guard self == .auto else { return self == .always }
    if let value = environment["NO_COLOR"], !value.isEmpty { return false }
    if let value = environment["CLICOLOR_FORCE"], !value.isEmpty, value != "0" { return true }
    if environment["TERM"] == "dumb" { return false }
    return isTerminal
  }
}

/// `--json` of a command whose answer has no colours.
struct JSONOption: ParsableArguments {
  @Flag(help: "Answer in JSON, for programs.") var json = false
}

/// `--quiet` of a command that reports progress or repeats what it was given.
struct QuietOption: ParsableArguments {
  @Flag(name: .shortAndLong, help: "No progress and no summary; errors are still reported.")
  var quiet = false

  /// Does long work, which tells the share that is done, with a progress bar on standard error.
  func withProgress<Result, Fault: Error>(
    _ label: String, _ work: ((Double) -> Void) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    var bar = ProgressBar(label, isTerminal: !quiet && !Main.isForPrograms && isatty(STDERR_FILENO) == 1)
    defer { bar.end() }
    let result = try work { bar.update($0) }
    bar.update(1)
    return result
  }
}

/// A day on the command line, `2027-11-21`.
extension CalendarDate: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
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

/// A question that a person at a terminal answers with yes or no.
enum Confirmation {
  /// Asks beside the answer, on standard error.
  ///
  /// - Parameters:
  ///   - subject: Of the failure.
  ///   - remedy: Advice where there is no terminal.
  ///   - outcome: State of things when the answer is not yes.
  /// - Throws: ``Failure``: ``ExitStatus/usage`` where there is no terminal, ``ExitStatus/no`` for anything but yes.
  static func ask(
    _ question: String, for subject: String, instead remedy: String, refused outcome: String
  ) throws(Failure) {
    guard isatty(STDIN_FILENO) == 1 else {
      throw Failure(subject, inWords: "There is no terminal to ask on", remedy: remedy, exit: .usage)
    }
    StandardError.write(TextColumns.broken("\(question) [y/N]") + " ")
    guard let reply = readLine(), ["y", "yes"].contains(reply.lowercased()) else {
      throw Failure(subject, inWords: "The answer was not yes", remedy: outcome, exit: .no)
    }
  }
}
