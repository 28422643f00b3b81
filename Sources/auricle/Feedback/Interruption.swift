import Control
import Glibc
import Synchronization

/// A person's wish to end: SIGINT, SIGTERM, SIGHUP, noted instead of obeyed at once.
///
/// - Threads: any.
enum Interruption {
  private static let signalNumber = Atomic<Int32>(0)

  /// Notes signals from now on; a second one ends the program as usual.
  static func watch() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { number in
        Interruption.signalNumber.store(number, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
    }
  }

  /// Whether one has come.
  static var hasCome: Bool { signalNumber.load(ordering: .relaxed) != 0 }

  /// How a command exits that was ended by it.
  static var exitStatus: ExitStatus {
    signalNumber.load(ordering: .relaxed) == SIGINT ? .interrupted : .terminated
  }
}
