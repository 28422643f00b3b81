import Glibc

/// How a stream waits and tells the time; a test gives it a virtual one.
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
