import CLinux
import Glibc

/// The word of a program of this project that it alone plays on a device of a card, whoever its user is.
///
/// A card that mixes streams itself, or through dmix, would let two aids play into one ear: each would keep its own limit
/// and their sum none. The lock lies on the card's own control file, which whoever plays can open, so neither a name, a folder
/// nor a sandbox parts two users. It ends with the process that holds it. Its byte has the device's number.
///
/// - Threads: control, or audio while there is no sound.
struct PlaybackLock: ~Copyable {
  private let descriptor: Int32

  /// - Parameters:
  ///   - card: Its number, as in `hw:0`.
  ///   - device: Its number on the card.
  ///   - path: Of the card's control file; another in tests.
  /// - Returns: Nil when another program holds it. A lock that nobody keeps where the file cannot be opened or locked: then the
  ///   device cannot be opened either, or the kernel is older than 3.15.
  init?(card: Int, device: Int, path: String? = nil) {
    let descriptor = unsafe open(
      path ?? "/dev/snd/controlC\(card)", O_RDWR | O_NONBLOCK | O_CLOEXEC)
    let code = descriptor >= 0 ? clinux_lock_byte(descriptor, off_t(device)) : 0
    if code == -EAGAIN || code == -EACCES {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
