/// A day of the Gregorian calendar, written 2026-02-28 (ISO 8601).
public struct CalendarDate: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
  /// Year, four digits.
  public let year: Int
  /// Month, 1 to 12.
  public let month: Int
  /// Day of the month, from 1.
  public let day: Int

  /// Years of anybody who can be fitted, and of any calibration.
  public static let usualYears = 1900...9999

  /// Nil when there is no such day in those years.
  ///
  /// - Parameter years: Within 0 to 9999, which have four digits.
  public init?(year: Int, month: Int, day: Int, years: ClosedRange<Int> = usualYears) {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard years ~= year, 1...12 ~= month, 1...lengths[month - 1] ~= day else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Nil when `text` is not four, two and two digits joined by hyphens, or no such day.
  public init?(_ text: some StringProtocol, years: ClosedRange<Int> = usualYears) {
    let fields = text.split(separator: "-", omittingEmptySubsequences: false)
    guard fields.map(\.utf8.count) == [4, 2, 2],
      fields.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
      let year = Int(fields[0]), let month = Int(fields[1]), let day = Int(fields[2])
    else { return nil }
    self.init(year: year, month: month, day: day, years: years)
  }

  /// Whole years from this day to a later one, as people count an age; negative towards an earlier one.
  package func years(to day: CalendarDate) -> Int {
    day.year - year - ((day.month, day.day) < (month, self.day) ? 1 : 0)
  }

  public static func < (a: CalendarDate, b: CalendarDate) -> Bool {
    (a.year, a.month, a.day) < (b.year, b.month, b.day)
  }

  public var description: String {
    let (y, m, d) = (String(year), String(month), String(day))
    return String(repeating: "0", count: 4 - y.count) + y + (month < 10 ? "-0" : "-") + m
      + (day < 10 ? "-0" : "-") + d
  }

  /// As text, "2026-02-28".
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let date = CalendarDate(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" is no date: expected year-month-day, as 2026-02-28")
    }
    self = date
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
