/// Growing pauses between attempts to reopen a device: 0.1 s, doubled each time, at most 5 s.
///
/// ```swift
/// var backoff = Backoff()
/// backoff.next()  // 0.1
/// backoff.next()  // 0.2
/// backoff.reset()  // sound flows again
/// ```
public struct Backoff: Sendable, Equatable {
  /// Pause after the first failure, s.
  public let first: Double
  /// Longest pause, s.
  public let longest: Double
  /// Attempts since the last success.
  public private(set) var attempts = 0
  private var upcoming: Double

  public init(first: Double = 0.1, longest: Double = 5) {
    precondition(first > 0 && longest >= first, "pauses are positive and grow")
    self.first = first
    self.longest = longest
    upcoming = first
  }

  /// The pause before the next attempt, s.
  public mutating func next() -> Double {
    defer { upcoming = min(upcoming * 2, longest) }
    attempts += 1
    return upcoming
  }

  /// Begins anew, after a success.
  public mutating func reset() {
    upcoming = first
    attempts = 0
  }
}
