import Base

/// A zone as iCalendar describes it: each change of its clocks in the years of the calendar.
struct CalendarZone {
  private let zone: Zone
  private let changes: [ZoneTransition]
  private let begin: Int

  init(_ zone: Zone, around dates: ClosedRange<CalendarDate>) {
    self.zone = zone
    begin = (dates.lowerBound.dayNumber - 366) * 86_400
    changes = zone.transitions(from: begin, to: (dates.upperBound.dayNumber + 366) * 86_400)
  }

  var lines: [String] {
    let first = zone.offset(at: Instant(seconds: begin))
    var lines = ["BEGIN:VTIMEZONE", "TZID:\(zone.name)"]
    lines += Self.observance(first, from: first, at: begin)
    var before = first
    for change in changes where change.offset != before {
      lines += Self.observance(change.offset, from: before, at: change.seconds)
      before = change.offset
    }
    return lines + ["END:VTIMEZONE"]
  }

  private static func observance(_ offset: ZoneOffset, from before: ZoneOffset, at seconds: Int) -> [String]
  {
    let kind = offset.isDaylightSaving ? "DAYLIGHT" : "STANDARD"
    // A change is written by the wall before it.
    let wall = LocalMoment(universalSeconds: seconds + before.seconds)
    return [
      "BEGIN:\(kind)", "DTSTART:\(CalendarFile.wall(wall))", "TZOFFSETFROM:\(text(before.seconds))",
      "TZOFFSETTO:\(text(offset.seconds))", "TZNAME:\(ContentLine.escaped(offset.abbreviation))",
      "END:\(kind)",
    ]
  }

  /// `+0545`, and seconds where there are any.
  private static func text(_ seconds: Int) -> String {
    let size = abs(seconds)
    let parts = [size / 3600, size / 60 % 60] + (size % 60 == 0 ? [] : [size % 60])
    return (seconds < 0 ? "-" : "+") + parts.map { Digits.text($0, width: 2) }.joined()
  }
}
