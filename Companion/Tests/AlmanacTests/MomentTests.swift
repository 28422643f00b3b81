import Almanac
import Base
import Testing

@Suite("Moments and days") struct MomentTests {
  @Test(
    "a day's number counts from 1970-01-01, leap years by the Gregorian rule, and leads back to the day",
    arguments: [
      ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2026-03-29", 20_541),
      ("2100-03-01", 47_541),
      ("9999-12-31", 2_932_896),
    ])
  func dayNumbers(text: String, number: Int) throws {
    // Seconds of `date -u -d DAY +%s`, over 86,400.
    let day = try #require(CalendarDate(text, years: 0...9999))
    #expect(day.dayNumber == number)
    #expect(CalendarDate(dayNumber: number) == day)
  }

  @Test("times between moments at the ends of what a number holds end there, and do not trap")
  func ends() {
    let (first, last) = (Instant(milliseconds: .min), Instant(milliseconds: .max))
    // 2⁶³ ms are 9,223,372,036,854,775.808 s, rounded down.
    #expect(last - first == 9_223_372_036_854_775 && first - last == -9_223_372_036_854_776)
    #expect(last + 1 == last && first + -1 == first && last + .max == last && first + .min == first)
    #expect(Instant(seconds: 5) - Instant(seconds: 7) == -2)
  }

  @Test("146,097 days make 400 years, each a day after the one before, with the weekdays in turn")
  func wholeEra() throws {
    let first = try date("1999-12-31")
    var before = first
    for step in 1...146_097 {
      let day = try #require(before.adding(days: 1))
      #expect(day > before && day.dayNumber == first.dayNumber + step)
      before = day
    }
    #expect("\(before)" == "2399-12-31")
    // 1999-12-31 was a Friday; 146,097 is a multiple of seven.
    #expect(first.weekday == .friday && before.weekday == .friday)
    #expect(try date("2026-11-27").weekday == .friday)
    #expect(try date("2024-02-29").weekday == .thursday)
  }

  @Test("a day of a year without four digits is not one")
  func outside() throws {
    #expect(try #require(CalendarDate("9999-12-31")).adding(days: 1) == nil)
    #expect(try #require(CalendarDate("0000-01-01", years: 0...9999)).adding(days: -1) == nil)
    #expect(try date("2026-01-01").adding(days: .max) == nil)
    #expect(try date("2026-01-01").adding(days: .min) == nil)
  }

  @Test("a moment's text is RFC 3339 in UTC and leads back to it, also before 1970 and with thousandths")
  func text() throws {
    for (milliseconds, text) in [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (1_774_746_000_250, "2026-03-29T01:00:00.250Z"),
    ] {
      #expect("\(Instant(milliseconds: milliseconds))" == text)
      #expect(Instant(text) == Instant(milliseconds: milliseconds))
    }
    #expect("\(Instant(milliseconds: .max))" == "9999-12-31T23:59:59.999Z")
    #expect("\(Instant(milliseconds: .min))" == "0000-01-01T00:00:00Z")
  }

  @Test(
    "what is no moment is refused",
    arguments: [
      "", "Z", "2026-03-29", "2026-03-29T01:00:00", "2026-03-29T01:00Z", "2026-02-29T01:00:00Z",
      "2026-03-29T24:00:00Z",
      "2026-03-29T01:00:60Z", "2026-03-29T01:00:00.5Z", "2026-03-29T01:00:00.000Z",
      "2026-03-29T01:00:00+00:00",
      " 2026-03-29T01:00:00Z", "2026-03-29t01:00:00Z", "+026-03-29T01:00:00Z", "2026-03-29T01:00:00.-01Z",
    ])
  func noMoment(text: String) { #expect(Instant(text) == nil) }

  @Test("a time of day is hours and minutes, with seconds where there are any; nothing else is one")
  func times() throws {
    #expect(try time("04:00").seconds == 14_400 && "\(try time("04:00"))" == "04:00")
    #expect("\(try time("23:59:59"))" == "23:59:59")
    for text in ["", "4:00", "24:00", "09:60", "09:30:60", "09", "09:30:15:00", "09-30", "０9:30", "-1:00"] {
      #expect(LocalTime(text) == nil, "\(text)")
    }
  }
}
