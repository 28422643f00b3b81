import Base
import Testing

@testable import Prescriptions

/// In whatever zone they run: TZ=Pacific/Kiritimati and TZ=Pacific/Pago_Pago are 14 h ahead of UTC and 11 h behind it.
@Suite("Instants") struct InstantTests {
  // A day of winter and one of summer, those on which European clocks are set, a leap day, and the second day that a card can state.
  @Test(
    "the end of a day is its last second in the local zone, and the day that is printed",
    arguments: ["2026-01-31", "2026-07-31", "2026-03-29", "2026-10-25", "2028-02-29", "1970-01-02"])
  func endOfDay(text: String) throws {
    let end = Instant(endOf: try #require(CalendarDate(text)))
    #expect(end.localText.hasPrefix(text + " 23:59:59"))
    #expect(end.dayText == text)
    #expect((end + 1).dayText > text)
  }

  @Test("the end of the last day that a card can state can be written, and is printed as that day")
  func lastDay() throws {
    let end = Instant(endOf: try #require(CalendarDate("9999-12-31")))
    #expect(Instant.writable.contains(end))
    #expect(end.dayText == "9999-12-31")
  }

  @Test("what a card states stays a moment of UTC, in every zone")
  func text() {
    // 2026-03-01T12:00:00Z.
    let noon = Instant(seconds: 1_772_366_400)
    #expect(noon.text == "2026-03-01T12:00:00Z" && Instant(text: noon.text) == noon)
  }
}
