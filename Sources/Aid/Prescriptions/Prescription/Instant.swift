import Acoustics
import Base

/// A moment, to the second, UTC: what a card can say.
package struct Instant: Sendable, Hashable, Comparable {
  /// s since 1970-01-01 UTC, leap seconds not counted (POSIX).
  package let seconds: Int

  package init(seconds: Int) { self.seconds = seconds }

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
    let bounded = min(max(self, Self.writable.lowerBound), Self.writable.upperBound)
    let (day, second) = bounded.seconds.quotientAndRemainder(dividingBy: 86_400)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let time = [second / 3600, second / 60 % 60, second % 60].map(two).joined(separator: ":")
    return Self.date(day) + "T\(time)Z"
  }

  /// The time in the local zone, as people read it: ``Timestamp/text``.
  package var localText: String { Timestamp(Double(seconds)).text }

  /// Nil when `text` is not as ``text`` writes it.
  package init?(text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 20, bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
      bytes[16] == UInt8(ascii: ":"), bytes[19] == UInt8(ascii: "Z"),
      let date = CalendarDate(String(decoding: bytes[..<10], as: UTF8.self)), date.year >= 1970
    else { return nil }
    func two(_ index: Int) -> Int? {
      guard bytes[index..<index + 2].allSatisfy({ 48...57 ~= $0 }) else { return nil }
      return Int(bytes[index] - 48) * 10 + Int(bytes[index + 1] - 48)
    }
    guard let hour = two(11), let minute = two(14), let second = two(17), hour < 24, minute < 60,
      second < 60
    else { return nil }
    self.init(seconds: Self.day(date) * 86_400 + hour * 3600 + minute * 60 + second)
  }

  /// Days since 1970-01-01 in the Gregorian calendar, counted from March so that the leap day comes last:
  /// months from March begin on day (153 m + 2) / 5 of the year.
  private static func day(_ date: CalendarDate) -> Int {
    let year = date.month > 2 ? date.year : date.year - 1
    let month = (date.month + 9) % 12
    return 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + date.day - 1 - 719_468
  }

  /// The inverse of `day(_:)`: eras of 400 years have 146,097 days.
  private static func date(_ day: Int) -> String {
    let shifted = day + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let number = month < 10 ? month + 3 : month - 9
    let year = yearOfEra + era * 400 + (number <= 2 ? 1 : 0)
    let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
    return "\(year)-\(number < 10 ? "0" : "")\(number)-\(dayOfMonth < 10 ? "0" : "")\(dayOfMonth)"
  }
}
