import Almanac
import Base
import Testing

/// The system's zones, by name.
enum Cities {
  static let source = ZoneFolder()
  static func zone(_ name: String) throws -> Zone { try source.zone(name) }
}

/// A value from its text, which a test knows to be right.
func instant(_ text: String) throws -> Instant { try #require(Instant(text), "\(text)") }
func date(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text), "\(text)") }
func time(_ text: String) throws -> LocalTime { try #require(LocalTime(text), "\(text)") }
func local(_ text: String) throws -> LocalMoment {
  let parts = text.split(separator: "T")
  return LocalMoment(try date(String(parts[0])), try time(String(parts[1])))
}
