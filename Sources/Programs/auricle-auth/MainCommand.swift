import AuricleClient
import Base
import Glibc

/// Entry of the program, which is a target of its own: tests are linked with its commands and not with it.
package enum Entry {
  package static func run() { Main.main() }
}

/// The program: one proof, or one conversation of it.
struct Main {
  let options: ProofOptions

  static func main() {
    // A password is read.
    PrivateMemory.begin()
    do throws(Failure) {
      let options = try ProofOptions(CommandLine.arguments.dropFirst())
      guard !options.wantsHelp else { return print(ProofOptions.help) }
      try Main(options: options).serve()
    } catch {
      StandardError.write(FailureText(program: "auricle-auth").text(for: [error]))
      exit(error.exitStatus.rawValue)
    }
  }

  private func serve() throws(Failure) {
    guard !options.isConversation else { return try Conversation.run() }
    let client = try Self.takeConnection()
    let peer = try ProofPeer(client)
    let (paths, path) = (StandardPaths.current, options.control)
    func target(_ daemon: ProofRequest.Daemon?) -> ProofTarget {
      ProofTarget(
        path: path ?? paths.provenDaemon(daemon, of: peer.userID),
        isUsersOwn: path == nil && daemon == .user, isUsual: path == nil)
    }
    let session = ProofSession(
      connection: ProofConnection(client), peer: peer, ownUserID: geteuid(), limit: Double(options.limit),
      isMember: peer.isMember,
      reach: { daemon throws(Failure) in try target(daemon).reach(for: peer, by: geteuid()) },
      converse: Conversation.start
    ) { report throws(Failure) in try report.send(to: target(report.request.daemon)) }
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
