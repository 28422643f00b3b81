/// A day of the Gregorian calendar that exists.
struct CalendarDay: Equatable, CustomStringConvertible {
  let year: Int
  let month: Int
  let day: Int

  /// Nil when there is no such day in the years 0 to 9999 (RFC 3339).
  init?(_ year: Int, _ month: Int, _ day: Int) {
    guard (0...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard day <= lengths[month - 1] else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Reads `2026-01-31`.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2],
      parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    self.init(year, month, day)
  }

  var description: String {
    let (m, d) = (month < 10 ? "0\(month)" : "\(month)", day < 10 ? "0\(day)" : "\(day)")
    let y = String(repeating: "0", count: 4 - "\(year)".count) + "\(year)"
    return "\(y)-\(m)-\(d)"
  }
}
