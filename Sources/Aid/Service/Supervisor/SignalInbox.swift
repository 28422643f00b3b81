import Base
import CLinux
import Glibc

/// Signals as events of a descriptor instead of interruptions.
///
/// - Threads: created on the main thread before any other exists, because threads inherit what is blocked.
package struct SignalInbox: ~Copyable {
  /// Signals of the daemon, which its guardian hands on.
  static let signals = [SIGTERM, SIGINT, SIGHUP, SIGUSR1]

  /// Readable when a signal waits.
  package let descriptor: Int32

  /// Blocks SIGTERM, SIGINT, SIGHUP and SIGUSR1 everywhere, and ignores SIGPIPE and SIGXFSZ: a write beyond
  /// the limit of file size then fails with EFBIG.
  ///
  /// - Throws: ``Failure`` when the system has no descriptor left.
  package init() throws(Failure) {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    var set = sigset_t(Self.signals)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    descriptor = clinux_signalfd(&set)
    guard descriptor >= 0 else {
      throw Failure(
        "signals", found: "no descriptor: \(SystemError.words(for: -descriptor))", exit: .system)
    }
  }

  deinit { close(descriptor) }

  /// The next signal that waits; nil when none does.
  package func next() -> Int32? {
    let number = clinux_signalfd_take(descriptor)
    return number > 0 ? number : nil
  }
}

extension sigset_t {
  init(_ signals: [Int32]) {
    self.init()
    sigemptyset(&self)
    for signal in signals { sigaddset(&self, signal) }
  }
}
