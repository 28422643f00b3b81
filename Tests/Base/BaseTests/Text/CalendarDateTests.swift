import Base
import Testing

@Suite("Calendar date") struct CalendarDateTests {
  @Test(
    "an age grows on the birthday, and on 1 March of years without a 29 February",
    arguments: [
      ("2023-07-09", "2026-07-08", 2), ("2023-07-09", "2026-07-09", 3), ("2023-07-09", "2026-08-01", 3),
      ("2008-02-29", "2026-02-28", 17), ("2008-02-29", "2026-03-01", 18), ("1950-02-03", "1950-02-03", 0),
    ])
  func years(birth: String, day: String, age: Int) throws {
    let (birth, day) = (try #require(CalendarDate(birth)), try #require(CalendarDate(day)))
    #expect(birth.years(to: day) == age)
  }
}
