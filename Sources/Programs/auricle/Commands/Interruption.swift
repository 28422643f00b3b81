import Base
import Glibc
import Synchronization

/// A request to end: SIGINT, SIGTERM or SIGHUP, noted and obeyed later.
///
/// - Threads: any.
enum Interruption {
  private static let signalNumber = Atomic<Int32>(0)
  /// Those that have come, a bit each.
  private static let seen = Atomic<UInt64>(0)

  /// Notes signals from now on; the same one again ends the program as usual, with the terminal as it was. (A service manager sends
  /// SIGTERM and SIGHUP together.) One that was ignored stays so.
  static func watch() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      sigaction(number, nil, &action)
      guard !action.isIgnoring else { continue }
      signal(number) { number in
        Interruption.signalNumber.store(number, ordering: .relaxed)
        let bit = UInt64(1) << UInt64(number)
        guard Interruption.seen.bitwiseOr(bit, ordering: .relaxed).oldValue & bit != 0 else { return }
        RawTerminal.restoreInUse(waitingForScreen: false)
        signal(number, SIG_DFL)
        // Held until this returns (signal(7)).
        raise(number)
      }
    }
  }

  /// True once such a signal has arrived.
  static var hasCome: Bool { signalNumber.load(ordering: .relaxed) != 0 }

  /// Exit status of a command that it ended.
  static var exitStatus: ExitStatus {
    signalNumber.load(ordering: .relaxed) == SIGINT ? .interrupted : .terminated
  }
}
