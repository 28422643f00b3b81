import Glibc
import Realtime

/// The kernel's monotonic clock and `poll`.
public struct SystemClock: StreamClock {
  public init() {}

  @_semantics("no_performance_analysis")
  public mutating func poll(
    _ descriptors: UnsafeMutablePointer<pollfd>, count: Int, timeout: Double
  ) -> Int {
    // Rounded up: a wait that ends a little early would be taken for a stalled device.
    let ready = unsafe Glibc.poll(descriptors, nfds_t(count), Int32((timeout * 1000).rounded(.up)))
    return ready < 0 ? -Int(errno) : Int(ready)
  }

  public func now() -> Double { monotonicTime() }

  @_semantics("no_performance_analysis")
  public mutating func pause(_ seconds: Double) {
    var time = timespec(
      tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
    unsafe clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nil)
  }
}
