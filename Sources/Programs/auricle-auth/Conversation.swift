import AuricleClient
import Base
import CLinux
import Glibc

/// The conversation with PAM as the supervising process sees it: a process, and a pipe on which it tells
/// its outcome.
///
/// The program's own file is started again: a fork would go on with its parent's thread number in the
/// runtime's locks.
struct Conversation {
  /// Descriptors of the client's connection and of the pipe in the conversation's process.
  private static let (connection, outcome) = (Int32(3), Int32(4))
  /// Longest outcome, bytes; PAM's words are short.
  private static let longestOutcome = 4096
  /// Flag with which the program is a conversation.
  static let flag = "--conversation"

  /// Tells the outcome, one line of JSON.
  let pipe: Int32
  /// Nil in tests.
  let process: pid_t?

  /// Starts the process, in a session of its own.
  static func start(_ connection: ProofConnection) throws(Failure) -> Conversation {
    var (reading, writing) = (Int32(), Int32())
    let code = clinux_pipe(&reading, &writing)
    guard code >= 0 else { throw .system("make a pipe", SystemError(code: -code)) }
    defer { close(writing) }
    do {
      let process = try ProgramLaunch.start(
        "/proc/self/exe", [flag],
        // Nothing of modules or their helpers goes to the client.
        streams: [
          .descriptor(STDIN_FILENO), .descriptor(STDERR_FILENO), .descriptor(STDERR_FILENO),
          .descriptor(connection.descriptor), .descriptor(writing),
        ], isSessionLeader: true)
      return Conversation(pipe: reading, process: process)
    } catch {
      close(reading)
      throw .system("start itself again", error)
    }
  }

  /// Ends the process and its helpers. Those that a module gave a session of their own end with systemd's
  /// unit.
  func end() {
    if let process {
      kill(-process, SIGKILL)
      kill(process, SIGKILL)
    }
    close(pipe)
  }

  /// The outcome, once the pipe can be read; nil when it ended without one.
  func outcome() -> ProofOutcome? {
    var bytes: [UInt8] = []
    while bytes.count < Self.longestOutcome, bytes.last != .newline {
      var byte: UInt8 = 0
      let count = read(pipe, &byte, 1)
      if count == 1 { bytes.append(byte) }
      if count == 0 || count < 0 && errno != EINTR { return nil }
    }
    return try? JSON.value(ProofOutcome.self, from: bytes)
  }

  /// The conversation itself, in its process.
  ///
  /// - Throws: ``Failure`` when a person has started it.
  static func run() throws(Failure) {
    for descriptor in [connection, outcome] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    let peer = try ProofPeer(connection)
    let found = PAMConversation(ProofConnection(connection)).outcome(for: peer.name)
    let line = found.line + [.newline]
    // One write of less than PIPE_BUF: whole or not at all.
    _ = write(outcome, line, line.count)
  }
}

extension Failure {
  fileprivate static func system(_ action: String, _ error: SystemError) -> Failure {
    Failure("auricle-auth", found: "that it cannot \(action): \(error.words)", exit: .system)
  }
}
