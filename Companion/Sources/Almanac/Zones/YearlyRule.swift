import Base

/// The rule by which a zone changes its clocks in all years that its file does not list: the footer of a TZif file, in the form of POSIX's
/// variable `TZ`, `CET-1CEST,M3.5.0,M10.5.0/3` (RFC 9636, 3.3.1).
struct YearlyRule: Sendable, Hashable {
  let standard: ZoneOffset
  /// Nil where clocks are never changed.
  let saving: Saving?

  struct Saving: Sendable, Hashable {
    let offset: ZoneOffset
    let begins: Change
    let ends: Change
  }

  /// Day of the year and time on the wall, in the offset in force until then.
  struct Change: Sendable, Hashable {
    let day: Day
    /// s after 00:00, also negative or beyond a day.
    let time: Int

    enum Day: Sendable, Hashable {
      /// Month 1…12, week 1…5 (5: the last), weekday 0…6 from Sunday.
      case weekday(month: Int, week: Int, weekday: Int)
      /// 1…365; 29 February is never counted.
      case withoutLeapDay(Int)
      /// 0…365.
      case withLeapDay(Int)
    }

    /// s since 1970-01-01T00:00:00Z if the wall were at zero offset; nil where the year has not four digits.
    func universalSeconds(in year: Int) -> Int? {
      guard let first = CalendarDate(year: year, month: 1, day: 1, years: 0...9999) else { return nil }
      let isLeap = CalendarDate(year: year, month: 2, day: 29, years: 0...9999) != nil
      let number: Int
      switch day {
      case .withLeapDay(let day): number = first.dayNumber + day
      case .withoutLeapDay(let day): number = first.dayNumber + day - (isLeap && day >= 60 ? 0 : 1)
      case .weekday(let month, let week, let weekday):
        guard let begin = CalendarDate(year: year, month: month, day: 1, years: 0...9999) else {
          return nil
        }
        // 1970-01-01 was a Thursday, 4 from Sunday.
        let firstWeekday = begin.dayNumber + 4 - (begin.dayNumber + 4).flooredDivision(by: 7) * 7
        var date = begin.dayNumber + (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
        if week == 5, CalendarDate(dayNumber: date)?.month != month { date -= 7 }
        number = date
      }
      return number * 86_400 + time
    }
  }

  /// Changes of a year, in their order.
  func transitions(in year: Int) -> [ZoneTransition] {
    guard let saving, let begins = saving.begins.universalSeconds(in: year),
      let ends = saving.ends.universalSeconds(in: year)
    else { return [] }
    return [
      ZoneTransition(seconds: begins - standard.seconds, offset: saving.offset),
      ZoneTransition(seconds: ends - saving.offset.seconds, offset: standard),
    ].sorted { $0.seconds < $1.seconds }
  }

  /// - Parameter seconds: s since 1970-01-01T00:00:00Z.
  func offset(at seconds: Int) -> ZoneOffset {
    let year = LocalMoment(universalSeconds: seconds).date.year
    // The change before may lie in the year before.
    let changes = (year - 1...year + 1).flatMap { transitions(in: $0) }
    return changes.last { $0.seconds <= seconds }?.offset ?? standard
  }
}
