import Base
import Glibc
import Realtime

/// Clock by which a stream waits and reads the time; tests supply a virtual one.
public protocol StreamClock: Sendable {
  /// Waits until a descriptor is ready. The corresponding C function is `poll`.
  ///
  /// - Parameters:
  ///   - descriptors: `count` descriptors; their `revents` are filled in.
  ///   - timeout: s, not negative.
  /// - Returns: Number of ready descriptors, 0 after `timeout`, or `-errno`.
  /// - Threads: audio.
  mutating func poll(_ descriptors: UnsafeMutablePointer<pollfd>, count: Int, timeout: Double) -> Int
  /// Monotonic time, s.
  func now() -> Double
  /// Lets `seconds` pass.
  mutating func pause(_ seconds: Double)
}

/// Relation of the oscillators that pace the two devices of a stream.
public enum ClockPairing: String, Sendable, Hashable, Codable, CaseIterable {
  /// Asks the devices: one card is one clock, and so are two directions of one name; anything else is two.
  case automatic
  /// One clock: blocks go through unchanged.
  case shared
  /// Two clocks: playback is resampled to follow.
  case separate
}

/// Difference of the clocks that pace the two directions of a running stream.
public enum ClockDrift: BitwiseCopyable, Sendable, Hashable {
  /// One clock paces both.
  case shared
  /// Two clocks; how far apart they are is not known before the first seconds are over.
  case settling
  /// Excess of playback's clock rate over capture's, parts per million; negative when it is the slower.
  case known(partsPerMillion: Double)

  /// Greatest difference that resampling follows, parts per million.
  public static let greatestFollowed = RateMatcher.limit * 1e6

  /// Parts per million, once known.
  public var partsPerMillion: Double? {
    if case .known(let partsPerMillion) = self { partsPerMillion } else { nil }
  }
}

/// The kernel's monotonic clock and `poll`.
public struct SystemClock: StreamClock {
  /// The system's clock.
  public init() {}

  @_semantics("no_performance_analysis")
  public mutating func poll(
    _ descriptors: UnsafeMutablePointer<pollfd>, count: Int, timeout: Double
  ) -> Int {
    // Rounded up: a wait that ends a little early would be taken for a stalled device.
    let ready = unsafe Glibc.poll(descriptors, nfds_t(count), Int32((timeout * 1000).rounded(.up)))
    return ready < 0 ? -Int(errno) : Int(ready)
  }

  public func now() -> Double { SystemTime.monotonic }

  @_semantics("no_performance_analysis")
  public mutating func pause(_ seconds: Double) {
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
    unsafe clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nil)
  }
}
