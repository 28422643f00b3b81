import Glibc

/// Start of a program in a process of its own.
public enum ProgramLaunch {
  /// Standard input, output or error of the program.
  public enum Stream: Sendable {
    /// A descriptor of this process, or one of the program that comes before it here.
    case descriptor(Int32)
    /// A file; made with mode 600 where `flags` say so.
    case file(String, flags: Int32)
  }

  /// Starts a program; the corresponding C function is `posix_spawn`.
  ///
  /// - Parameters:
  ///   - path: The program's file.
  ///   - name: Name that the program is told to have; nil: its path.
  ///   - arguments: Without the program's name.
  ///   - environment: `NAME=VALUE`; nil: this process's.
  ///   - streams: Its descriptors from 0; those after them are closed where they are marked so.
  ///   - isSessionLeader: True: a session of its own, so that closing the terminal does not end it.
  /// - Returns: Its process.
  public static func start(
    _ path: String, named name: String? = nil, _ arguments: [String], environment: [String]? = nil,
    streams: [Stream],
    isSessionLeader: Bool = false
  ) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in streams.enumerated() {
      switch stream {
      case .descriptor(let descriptor):
        posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
      case .file(let file, let flags):
        posix_spawn_file_actions_addopen(&actions, Int32(number), file, flags, 0o600)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // POSIX_SPAWN_SETSID (spawn.h, only with _GNU_SOURCE).
    if isSessionLeader { posix_spawnattr_setflags(&attributes, 0x80) }
    var words = list([name ?? path] + arguments)
    defer { for word in words { free(word) } }
    var variables = list(environment ?? [])
    defer { for variable in variables { free(variable) } }
    var process: pid_t = 0
    let code =
      environment == nil
      ? posix_spawn(&process, path, &actions, &attributes, &words, environ)
      : posix_spawn(&process, path, &actions, &attributes, &words, &variables)
    guard code == 0 else { throw SystemError(call: "posix_spawn", code: code) }
    return process
  }

  /// Texts as C takes them, to be freed.
  private static func list(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }
}

/// End of a process, as reported by `waitpid`.
public enum ProcessEnding: Equatable, Sendable {
  case exit(Int32)
  case signal(Int32)

  /// - Parameter status: From `waitpid`: a signal in the lowest 7 bits, otherwise the exit status above them.
  public init(status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exit((status >> 8) & 0xFF) : .signal(signal)
  }
}
