import Base
import Glibc

/// A moment to the second, UTC, as a card states it.
package struct Instant: Sendable, Hashable, Comparable {
  /// s since 1970-01-01 UTC, leap seconds not counted (POSIX).
  package let seconds: Int

  package init(seconds: Int) { self.seconds = seconds }

  /// This second, by the system's clock.
  package static var now: Instant { Instant(seconds: Int(SystemTime.wall.rounded(.down))) }

  package static func < (a: Instant, b: Instant) -> Bool { a.seconds < b.seconds }

  package static func + (instant: Instant, seconds: Int) -> Instant {
    Instant(seconds: instant.seconds + seconds)
  }

  package static func - (a: Instant, b: Instant) -> Int { a.seconds - b.seconds }
}

extension Instant {
  /// Moments that a card can carry: 1970-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
  package static let writable = Instant(seconds: 0)...Instant(seconds: 253_402_300_799)

  /// "2026-02-28T09:30:00Z"; a moment outside ``writable`` is shown as the nearer end.
  package var text: String {
    var time = min(max(self, Self.writable.lowerBound), Self.writable.upperBound).seconds
    var parts = tm()
    gmtime_r(&time, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
      + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
  }

  /// The time in the local zone, as people read it: ``Timestamp/text``.
  package var localText: String { Timestamp(Double(seconds)).text }

  /// Nil when `text` is not as ``text`` writes it.
  init?(text: String) {
    let numbers = text.split { !("0"..."9" ~= $0) }.compactMap { Int32($0) }
    guard numbers.count == 6, numbers[0] >= 1970, numbers[0] <= 9999 else { return nil }
    self.init(
      seconds: Self.seconds(
        year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
        second: numbers[5]))
    guard self.text == text else { return nil }
  }

  private static func seconds(
    year: Int32, month: Int32, day: Int32, hour: Int32 = 0, minute: Int32 = 0, second: Int32 = 0
  ) -> Int {
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, month - 1, day)
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
    return timegm(&parts)
  }

  /// The last second of a day, UTC.
  package init(endOf day: CalendarDate) {
    self.init(
      seconds: Self.seconds(
        year: Int32(day.year), month: Int32(day.month), day: Int32(day.day), hour: 23, minute: 59,
        second: 59))
  }
}
