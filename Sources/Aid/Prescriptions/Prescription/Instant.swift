import Base
import FoundationEssentials
import Glibc

/// A moment to the second, UTC, as a card states it.
package struct Instant: Sendable, Hashable, Comparable {
  /// s since 1970-01-01 UTC, leap seconds not counted (POSIX).
  package let seconds: Int

  package init(seconds: Int) { self.seconds = seconds }

  /// The last second of a day in the local zone, which is the day that people mean; the last one of ``writable`` at the latest.
  package init(endOf day: CalendarDate) {
    var parts = tm()
    parts.tm_year = Int32(day.year) - 1900
    (parts.tm_mon, parts.tm_mday) = (Int32(day.month) - 1, Int32(day.day))
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (23, 59, 59)
    // The zone knows whether its clocks are set for summer then.
    parts.tm_isdst = -1
    seconds = min(mktime(&parts), Self.writable.upperBound.seconds)
  }

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
    let shown = min(max(self, Self.writable.lowerBound), Self.writable.upperBound)
    return Date(timeIntervalSince1970: Double(shown.seconds)).formatted(.iso8601)
  }

  /// A moment as ``text`` writes it; nil for anything else.
  init?(text: String) {
    guard let date = try? Date(text, strategy: .iso8601) else { return nil }
    self.init(seconds: Int(date.timeIntervalSince1970))
    guard self.text == text else { return nil }
  }

  /// The time in the local zone, as people read it: ``Timestamp/text``.
  package var localText: String { Timestamp(Double(seconds)).text }

  /// `2026-03-01`: the day in the local zone, as people read it.
  package var dayText: String { Timestamp(Double(seconds)).day }

  /// Refuses a moment that no card can carry.
  ///
  /// - Parameter issue: Moment that it must lie after.
  func check(_ field: String, after issue: Instant? = nil) throws(PrescriptionError) {
    guard Self.writable.contains(self) else {
      throw .unusable(field: field, reason: "expected a moment from 1970 to 9999")
    }
    if let issue, self <= issue {
      throw .unusable(field: "expiry", reason: "found a moment before the issue, expected one after it")
    }
  }
}
