import Base

/// A moment to the millisecond, UTC; leap seconds are not counted (POSIX).
///
/// - Threads: any.
public struct Instant: Sendable, Hashable, Comparable {
  /// ms since 1970-01-01T00:00:00Z.
  public let milliseconds: Int

  public init(milliseconds: Int) { self.milliseconds = milliseconds }

  /// - Parameter seconds: s since 1970-01-01T00:00:00Z.
  public init(seconds: Int) { milliseconds = seconds * 1000 }

  /// The whole second that it lies in, s since 1970-01-01T00:00:00Z.
  public var seconds: Int { milliseconds.flooredDivision(by: 1000) }

  public static func < (a: Instant, b: Instant) -> Bool { a.milliseconds < b.milliseconds }

  /// - Parameter seconds: s.
  public static func + (instant: Instant, seconds: Int) -> Instant {
    let (step, isTooLong) = seconds.multipliedReportingOverflow(by: 1000)
    let (sum, isBeyond) = instant.milliseconds.addingReportingOverflow(step)
    return Instant(milliseconds: isTooLong || isBeyond ? (seconds < 0 ? .min : .max) : sum)
  }

  /// Time from `b` to `a`, s, rounded down; the end of what can be told where it is longer.
  public static func - (a: Instant, b: Instant) -> Int {
    let (difference, isBeyond) = a.milliseconds.subtractingReportingOverflow(b.milliseconds)
    return (isBeyond ? (a > b ? .max : .min) : difference).flooredDivision(by: 1000)
  }
}

extension Instant: CustomStringConvertible {
  /// Moments that can be written: years of four digits.
  public static let writable =
    Instant(seconds: -62_167_219_200)...Instant(milliseconds: 253_402_300_799_999)

  /// `2026-03-29T01:00:00Z`, with `.250` where it is no whole second (RFC 3339); the nearer end of ``writable`` for what lies outside.
  public var description: String {
    let shown = min(max(self, Self.writable.lowerBound), Self.writable.upperBound)
    let thousandths = shown.milliseconds - shown.seconds * 1000
    let fraction = thousandths == 0 ? "" : "." + Digits.text(thousandths, width: 3)
    return LocalMoment(universalSeconds: shown.seconds).description + fraction + "Z"
  }

  /// Nil for what ``description`` does not write.
  public init?(_ text: String) {
    guard text.hasSuffix("Z") else { return nil }
    let parts = text.dropLast().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let local = LocalMoment(String(parts[0])) else { return nil }
    var thousandths = 0
    if parts.count == 2 {
      guard let digits = Digits.value(parts[1], width: 3), digits > 0 else { return nil }
      thousandths = digits
    }
    self.init(milliseconds: local.universalSeconds * 1000 + thousandths)
  }
}

extension Int {
  /// The greatest whole number not above the quotient. - Parameter divisor: Above 0.
  func flooredDivision(by divisor: Int) -> Int {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? quotient - 1 : quotient
  }
}

/// Numbers with a fixed count of digits.
enum Digits {
  static func text(_ value: Int, width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Nil unless there are exactly so many digits and nothing else.
  static func value(_ text: some StringProtocol, width: Int) -> Int? {
    guard text.utf8.count == width, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text)
  }
}
