public import Base
import CLinux
import Glibc
import Synchronization

/// Asks a thread to end: a flag that stays set, and a descriptor to poll that becomes readable.
///
/// - Threads: any.
public final class StopSignal: Sendable {
  private let requested = Atomic<Bool>(false)

  /// Readable from the request on, until a reader empties it, as the stream does that polls it together with
  /// the sound card's descriptors; ``isRequested`` stays true.
  public let descriptor: Int32

  /// - Throws: ``SystemError`` when the process has no descriptor left.
  public init() throws(SystemError) {
    descriptor = clinux_eventfd()
    guard descriptor >= 0 else { throw SystemError(call: "eventfd", code: -descriptor) }
  }

  deinit { close(descriptor) }

  /// True once the thread has been asked to end.
  ///
  /// - Threads: any; accepted in annotated code.
  public var isRequested: Bool {
    @_semantics("no_performance_analysis") get { requested.load(ordering: .acquiring) }
  }

  /// Asks the thread to end; asking twice is no different.
  ///
  /// - Threads: any, signal handlers included.
  public func request() {
    requested.store(true, ordering: .releasing)
    _ = clinux_eventfd_signal(descriptor)
  }
}

/// Wakes one waiting thread: a descriptor that is readable from ``signal()`` until ``wait(atMost:)`` has
/// seen it.
///
/// - Threads: ``signal()`` on any, audio included: one write to an event counter, which neither blocks nor
///   allocates.
public final class WakeSignal: Sendable {
  private let descriptor: Int32

  /// - Throws: ``SystemError`` when the process has no descriptor left.
  public init() throws(SystemError) {
    descriptor = clinux_eventfd()
    guard descriptor >= 0 else { throw SystemError(call: "eventfd", code: -descriptor) }
  }

  deinit { close(descriptor) }

  /// Ends a wait, the present one or the next.
  @_semantics("no_performance_analysis") public func signal() { _ = clinux_eventfd_signal(descriptor) }

  /// Waits for a signal, which is then used up; a Unix signal to the thread ends the wait as well.
  ///
  /// - Parameter time: Longest wait, s; not negative.
  /// - Threads: the one that is woken.
  public func wait(atMost time: Double) {
    var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    unsafe poll(&waited, 1, Int32((time * 1000).rounded(.up)))
    _ = clinux_eventfd_take(descriptor)
  }
}
