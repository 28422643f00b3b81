import Testing

@testable import AuricleCommands

@Suite("Expected form of a value") struct ExpectedFormTests {
  @Test(
    "a value that the parser refuses without a reason has its form told",
    arguments: [
      (
        "The value '03.02.1950' is invalid for '--born <date>'", "year-month-day, as 1950-02-03"
      ),
      (
        "The value '1month' is invalid for '--trial <time>'",
        "a whole number and a letter, as 90s, 20m, 8h or 14d"
      ),
      (
        "The value '-10,5..5' is invalid for '--volume <dB..dB>'",
        "the lowest and the highest number, as -10..5"
      ),
      // Of the right form, and beyond what there is.
      ("The value '1950-02-30' is invalid for '--born <date>'", "a day of the calendar, from 1900 on"),
      ("The value '0m' is invalid for '--for <time>'", "1s to 1000d"),
      ("The value '2000d' is invalid for '--trial <time>'", "1s to 1000d"),
      ("The value '5..-10' is invalid for '--volume <dB..dB>'", "the lower number first"),
      ("The value '65,5' is invalid for '--level <level>'", "a point before the decimals, as 65.5"),
      ("The value '-3,25' is invalid for '<change>'", "a point before the decimals, as -3.25"),
    ])
  func told(message: String, form: String) {
    #expect(ExpectedForm.completed(message) == "\(message), expected \(form)")
  }

  @Test(
    "any other message stands as it is",
    arguments: [
      "The value 'loud' is invalid for '--level <level>'",
      "The value '1,2,3' is invalid for '--level <level>'",
      "The value ',5' is invalid for '--level <level>'",
      // A point would be refused too.
      "The value '64,5' is invalid for '--block <block>'",
      "The value '1,5' is invalid for '--supersedes <serial>'",
      "The value 'x' is invalid for '--color <when>'. Please provide one of 'auto', 'always' or 'never'.",
      "Missing value for '--level <level>'", "Unknown option '--loud'", "",
    ])
  func other(message: String) {
    #expect(ExpectedForm.completed(message) == message)
  }
}
