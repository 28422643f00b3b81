import Base
import Control
import Glibc

/// A mute that outlasts a crash: an empty file beside the control socket, as long as the mute lasts and the
/// daemon lives.
///
/// A person who has muted expects silence, also of a daemon that is started again. The folder of run-time
/// files goes with the machine's end, so that a mute does not outlast that.
struct KeptMute: Sendable {
  private let path: String

  init(besideSocket socket: String) { path = socket + ".muted" }

  /// True when the last daemon was muted and ended without being told to.
  var isKept: Bool { access(path, F_OK) == 0 }

  /// - Throws: ``Failure`` when the file cannot be made.
  func keep() throws(Failure) {
    // Brought to no disk, for which a mute would have to wait: it is to outlast this process, not the
    // machine.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw Failure(
        path, found: "that it cannot be made: \(SystemError.words(for: errno))", exit: .cannotCreate)
    }
    close(descriptor)
  }

  func forget() { unlink(path) }
}

/// Mute and configuration that a daemon has left beside its socket because it did not end by itself.
package enum KeptState {
  /// True when a signal or a fault ended the last daemon, and none has ended in order since.
  package static func isLeft(besideSocket socket: String) -> Bool {
    KeptMute(besideSocket: socket).isKept || KeptConfiguration(besideSocket: socket).isKept
  }

  /// Removes both: after a stop the next start begins anew.
  package static func forget(besideSocket socket: String) {
    KeptMute(besideSocket: socket).forget()
    KeptConfiguration(besideSocket: socket).forget()
  }
}
