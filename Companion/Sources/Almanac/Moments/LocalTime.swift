import Base

/// A time as a clock on the wall shows it, to the second, whatever the zone.
public struct LocalTime: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// s since 00:00:00, 0 to 86,399.
  public let seconds: Int

  public static let noon = LocalTime(seconds: 43_200)

  /// Nil when no clock shows it.
  public init?(hour: Int, minute: Int = 0, second: Int = 0) {
    guard 0...23 ~= hour, 0...59 ~= minute, 0...59 ~= second else { return nil }
    seconds = hour * 3600 + minute * 60 + second
  }

  /// - Parameter seconds: 0 to 86,399.
  /// 00:00.
  public static let midnight = LocalTime(seconds: 0)

  init(seconds: Int) { self.seconds = seconds }

  /// Nil when the text is not `09:30` or `09:30:15`.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Digits.value($0, width: 2) }
    guard numbers.count == parts.count, 2...3 ~= numbers.count else { return nil }
    self.init(hour: numbers[0], minute: numbers[1], second: numbers.count == 3 ? numbers[2] : 0)
  }

  public static func < (a: LocalTime, b: LocalTime) -> Bool { a.seconds < b.seconds }

  /// `09:30`, and `09:30:15` where it is no whole minute.
  public var description: String {
    let minutes = Digits.text(seconds / 3600, width: 2) + ":" + Digits.text(seconds / 60 % 60, width: 2)
    return seconds % 60 == 0 ? minutes : minutes + ":" + Digits.text(seconds % 60, width: 2)
  }
}

/// A day and a time on the wall, whatever the zone: no moment until a ``Zone`` says which.
public struct LocalMoment: Sendable, Hashable, Comparable, CustomStringConvertible {
  public let date: CalendarDate
  public let time: LocalTime

  public init(_ date: CalendarDate, _ time: LocalTime) { (self.date, self.time) = (date, time) }

  /// s since 1970-01-01T00:00:00Z, if the wall were at zero offset.
  var universalSeconds: Int { date.dayNumber * 86_400 + time.seconds }

  /// The nearer end of the years 0 to 9999 for what lies outside.
  init(universalSeconds: Int) {
    let day = universalSeconds.flooredDivision(by: 86_400)
    let counted = min(max(day, CalendarDate.countedDays.lowerBound), CalendarDate.countedDays.upperBound)
    guard let date = CalendarDate(dayNumber: counted) else { preconditionFailure("counted days are days") }
    let time = counted == day ? universalSeconds - day * 86_400 : counted < day ? 86_399 : 0
    self.init(date, LocalTime(seconds: time))
  }

  /// Nil when the text is not `2026-03-29T01:00:00`.
  init?(_ text: String) {
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 8, let date = CalendarDate(parts[0], years: 0...9999),
      let time = LocalTime(String(parts[1]))
    else { return nil }
    self.init(date, time)
  }

  public static func < (a: LocalMoment, b: LocalMoment) -> Bool { (a.date, a.time) < (b.date, b.time) }

  /// `2026-03-29T01:00:00`.
  public var description: String {
    let time = [time.seconds / 3600, time.seconds / 60 % 60, time.seconds % 60]
    return "\(date)T" + time.map { Digits.text($0, width: 2) }.joined(separator: ":")
  }
}
