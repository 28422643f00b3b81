import Base
import Glibc
import Prescriptions

extension Instant {
  /// This second, by the system's clock.
  package static var now: Instant { Instant(seconds: time(nil)) }

  /// The last second of a day, UTC.
  package init(endOf day: CalendarDate) {
    var parts = tm()
    parts.tm_year = Int32(day.year - 1900)
    parts.tm_mon = Int32(day.month - 1)
    parts.tm_mday = Int32(day.day)
    self.init(seconds: timegm(&parts) + 86_399)
  }
}
