import Base
import Glibc

/// A worker seen from its parent: started, listened to until it ends.
struct WorkerProcess {
  /// What it wrote to standard output.
  private(set) var lines: [Substring] = []
  /// Signal that ended it; nil: none.
  private(set) var signal: Int32?
  private(set) var exitStatus: Int32 = 0
  /// Greatest resident memory, kB.
  private(set) var memory = 0

  /// Runs this program with other arguments to its end.
  ///
  /// - Parameter messages: File for its standard error.
  init(_ arguments: [String], messages: String) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw MutationFault(text: "no pipe can be made") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    posix_spawn_file_actions_addopen(
      &actions, STDERR_FILENO, messages, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let program = "/proc/self/exe"
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { word in strdup(word) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, program, &actions, nil, &words, environ)
    close(ends[1])
    defer { close(ends[0]) }
    guard code == 0 else { throw MutationFault(text: "no worker can be started: error \(code)") }

    var said: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(ends[0], &chunk, chunk.count)
      if count > 0 { said += chunk[..<count] } else if count == 0 || errno != EINTR { break }
    }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
    memory = usage.ru_maxrss
    // wait(2): the low seven bits are the signal, the second byte the exit status.
    if status & 0x7F != 0 { signal = status & 0x7F }
    exitStatus = (status >> 8) & 0xFF
    lines = String(decoding: said, as: UTF8.self).split(separator: "\n")
  }

  /// How it ended, for people; nil: as it should.
  var ending: String? {
    switch signal {
    case SIGPROF?: "more than \(Worker.longest) s of processor"
    case SIGALRM?: "asleep for minutes"
    case let signal?: "signal \(signal) (\(String(cString: strsignal(signal))))"
    case nil: exitStatus == 0 ? nil : "exit status \(exitStatus)"
    }
  }
}
