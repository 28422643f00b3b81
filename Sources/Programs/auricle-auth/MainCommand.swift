import ArgumentParser
import AuricleClient
import Base
import Glibc

/// Entry of the program, which is a target of its own: tests are linked with its commands and not with it.
package enum Entry {
  package static func run() { Main.main() }
}

struct Main: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auricle-auth", abstract: "Proves to the hearing aid who asks for a role.",
    discussion: """
      Serves one client, whose connection is its standard input, as systemd starts it (auricle-auth.socket): \
      asks the client what the PAM service auricle asks, and tells auricled(8) the result.
      """)

  @Option(
    help: ArgumentHelp("Control socket of the daemon, instead of the usual place.", valueName: "path"))
  var control: String?

  @Option(help: ArgumentHelp("Time for the whole proof, 1 to 600 s.", valueName: "s"))
  var limit = 60

  @Flag(help: .hidden)
  var conversation = false

  static func main() {
    // A password is read.
    PrivateMemory.begin()
    do {
      let command = try parse()
      try command.serve()
    } catch {
      guard !(error is ExitCode), error is Failure || exitCode(for: error) != .success else {
        exit(withError: error)
      }
      let failure =
        error as? Failure
        ?? Failure(
          "command line", inWords: message(for: error).split(separator: "\n").joined(separator: " "),
          remedy: "See: auricle-auth --help", exit: .usage)
      StandardError.write(FailureText(program: "auricle-auth").text(for: [failure]))
      exit(withError: ExitCode(failure.exitStatus.rawValue))
    }
  }

  func validate() throws {
    guard 1...600 ~= limit else { throw ValidationError("--limit: found \(limit), expected 1 to 600") }
  }

  private func serve() throws(Failure) {
    guard !conversation else { return try Conversation.run() }
    let client = try Self.takeConnection()
    let peer = try ProofPeer(client)
    let (paths, path) = (StandardPaths.current, control)
    let session = ProofSession(
      connection: ProofConnection(client), peer: peer, ownUserID: geteuid(), limit: Double(limit),
      converse: Conversation.start
    ) { report throws(Failure) in
      let daemon = report.request.daemon
      return try report.send(
        to: path ?? paths.provenDaemon(daemon, of: peer.userID), isUsersOwn: path == nil && daemon == .user)
    }
    if let line = session.run() { MessageLog(threshold: .info).write(line) }
  }

  /// The connection on a descriptor that no program started by this one has; standard input and output lead
  /// elsewhere.
  private static func takeConnection() throws(Failure) -> Int32 {
    let connection = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10)
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard connection >= 0, nothing >= 0, dup2(nothing, STDIN_FILENO) >= 0,
      dup2(STDERR_FILENO, STDOUT_FILENO) >= 0
    else { throw Failure("standard input", found: SystemError.last.words, exit: .system) }
    return connection
  }
}
