import Base

/// Plans as a calendar file, which other programs show and remind of: iCalendar (RFC 5545).
///
/// Times stay times on the wall: who travels is reminded at nine wherever that is, if the calendar program follows the zone.
///
/// - Threads: any.
public struct CalendarFile: Sendable {
  /// A plan and how it is called.
  public struct Entry: Sendable {
    public let plan: Plan
    /// Without the name of a medicine where others may read it.
    public let title: String

    public init(_ plan: Plan, title: String) { (self.plan, self.title) = (plan, title) }
  }

  public let entries: [Entry]
  public let zones: ZoneHistory
  public let events: [PlanEvent]
  /// Days that are written where a rule cannot be: drawn, by elapsed time, after an event.
  public let dates: ClosedRange<CalendarDate>
  /// Moment of writing.
  public let written: Instant

  public init(
    _ entries: [Entry], zones: ZoneHistory, events: [PlanEvent] = [], dates: ClosedRange<CalendarDate>,
    written: Instant
  ) {
    (self.entries, self.zones, self.events) = (entries, zones, events)
    (self.dates, self.written) = (dates, written)
  }

  /// The file's text.
  public var text: String {
    let zone = zones.zone(at: written)
    var lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Auricle//Companion//EN", "CALSCALE:GREGORIAN",
    ]
    lines += CalendarZone(zone, around: dates).lines
    for entry in entries { lines += self.lines(of: entry, in: zone) }
    return (lines + ["END:VCALENDAR"]).map(ContentLine.folded).joined()
  }

  private func lines(of entry: Entry, in zone: Zone) -> [String] {
    guard case .recurring(let recurrence) = entry.plan.rule,
      let rules = CalendarRule.all(recurrence, of: entry.plan)
    else {
      return entry.plan.occurrences(on: dates, in: zones, after: events).flatMap { occurrence in
        event(
          occurrence.id, entry.title,
          ["DTSTART:\(Self.universal(occurrence.opens))", "DTEND:\(Self.universal(occurrence.closes))"])
      }
    }
    return rules.flatMap { rule in
      event("\(entry.plan.id)/\(rule.number)", entry.title, rule.lines(in: zone))
    }
  }

  private func event(_ id: String, _ title: String, _ times: [String]) -> [String] {
    let head = [
      "BEGIN:VEVENT", "UID:\(ContentLine.escaped(id))@auricle", "DTSTAMP:\(Self.universal(written))",
    ]
    return head + times + ["SUMMARY:\(ContentLine.escaped(title))", "END:VEVENT"]
  }

  /// `20260329T010000Z`.
  static func universal(_ instant: Instant) -> String {
    wall(LocalMoment(universalSeconds: instant.seconds)) + "Z"
  }

  /// `20260329T010000`.
  static func wall(_ local: LocalMoment) -> String {
    local.description.filter { $0 != "-" && $0 != ":" }
  }
}

/// Lines of iCalendar.
enum ContentLine {
  /// Text as a value (RFC 5545, 3.3.11).
  static func escaped(_ text: String) -> String {
    var result = ""
    for letter in text {
      switch letter {
      case "\\", ";", ",": result += "\\\(letter)"
      case "\n", "\r\n", "\r": result += "\\n"
      default: result.append(letter)
      }
    }
    return result
  }

  /// A line with its end, in pieces of 75 octets at most, none of which cuts a letter (RFC 5545, 3.1).
  static func folded(_ line: String) -> String {
    var (result, octets) = ("", 0)
    for letter in line.unicodeScalars {
      let width = String(letter).utf8.count
      if octets + width > 75 {
        result += "\r\n "
        octets = 1
      }
      result.unicodeScalars.append(letter)
      octets += width
    }
    return result + "\r\n"
  }
}
