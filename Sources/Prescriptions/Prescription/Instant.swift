/// A moment, to the second, UTC: what a card can say.
public struct Instant: Sendable, Hashable, Comparable {
  /// s since 1970-01-01 UTC, leap seconds not counted (POSIX).
  public let seconds: Int

  public init(seconds: Int) { self.seconds = seconds }

  public static func < (a: Instant, b: Instant) -> Bool { a.seconds < b.seconds }

  public static func + (instant: Instant, seconds: Int) -> Instant {
    Instant(seconds: instant.seconds + seconds)
  }

  public static func - (a: Instant, b: Instant) -> Int { a.seconds - b.seconds }
}
