import Base

extension CalendarDate {
  /// Days that can be counted: those with a year of four digits.
  static let countedDays = -719_528...2_932_896

  /// Days since 1970-01-01, negative before it.
  ///
  /// Counted in eras of 400 years, 146,097 days, that begin with 1 March (Hinnant 2021, "chrono-compatible low-level date algorithms").
  public var dayNumber: Int {
    let shiftedYear = month > 2 ? year : year - 1
    let era = shiftedYear.flooredDivision(by: 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The day with this number; nil where its year has not four digits.
  public init?(dayNumber: Int) {
    guard Self.countedDays.contains(dayNumber) else { return nil }
    let days = dayNumber + 719_468
    let era = days.flooredDivision(by: 146_097)
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    self.init(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1, years: 0...9999)
  }

  /// The day so many days later; nil where its year has not four digits.
  public func adding(days: Int) -> CalendarDate? {
    let (number, overflows) = dayNumber.addingReportingOverflow(days)
    return overflows ? nil : CalendarDate(dayNumber: number)
  }

  /// Its place in the week. 1970-01-01 was a Thursday.
  public var weekday: Weekday {
    let days = dayNumber + 3
    return Weekday.allCases[days - days.flooredDivision(by: 7) * 7]
  }
}

/// A day of the week, Monday first (ISO 8601).
public enum Weekday: String, Sendable, Hashable, CaseIterable, Codable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday
}
