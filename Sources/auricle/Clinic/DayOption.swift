import Acoustics
import ArgumentParser
import Prescriptions

/// A day on the command line, `2027-11-21`.
struct DayOption: ExpressibleByArgument {
  let date: CalendarDate

  init?(argument: String) {
    guard let date = CalendarDate(argument) else { return nil }
    self.date = date
  }

  /// The day's last second, UTC.
  var end: Instant { Instant(endOf: date) }
}
