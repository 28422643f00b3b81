import Almanac
import Base
import Foundation
import ProgramsTesting
import Testing

@Suite("Calendar files") struct CalendarFileTests {
  /// Python with recurring_ical_events: that of COMPANION_PYTHON, or the system's.
  static let python = Programs.python(with: "recurring_ical_events")

  static func plans() throws -> [Plan] {
    let window = LocalWindow(try time("22:00"), try time("01:00"))
    return [
      try ExpansionTests.plan(
        .at([try time("09:00"), try time("02:30")], openFor: 900), from: "2026-03-01", days: 60),
      Plan(
        id: "log; evening, late", rule: .recurring(Recurrence(days: .every(3), times: .windows([window]))),
        firstDate: try date("2026-03-02"), dayCount: 50),
      Plan(
        id: "week",
        rule: .recurring(Recurrence(days: .weekdays([.tuesday, .saturday]), times: .windows([window]))),
        firstDate: try date("2026-03-04"), dayCount: 45),
      Plan(
        id: "visits",
        rule: .recurring(
          Recurrence(days: .numbered([0, 7, 28]), times: .at([try time("10:00")], openFor: 3600))),
        firstDate: try date("2026-03-05")),
      Plan(
        id: "dose", rule: .interval(seconds: 8 * 3600, from: try time("06:00"), openFor: 3600),
        firstDate: try date("2026-03-06"),
        dayCount: 40),
    ]
  }

  @Test(
    "what recurring-ical-events reads from it is what is due, over changes of clocks in five zones",
    .enabled(
      if: python != nil,
      "Python's recurring-ical-events is not installed: pip install recurring-ical-events"),
    arguments: [
      "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Chatham", "Australia/Lord_Howe",
    ])
  func sameAsPython(name: String) throws {
    let zone = try Cities.zone(name)
    let range = try date("2026-02-20")...date("2026-05-20")
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "events.py"
    ).path
    for plan in try Self.plans() {
      let file = CalendarFile(
        [.init(plan, title: "Due")], zones: ZoneHistory(zone), dates: range,
        written: try instant("2026-02-01T00:00:00Z"))
      let expected = plan.occurrences(on: range, in: ZoneHistory(zone)).map { "\($0.opens) \($0.closes)" }
        .sorted()
      let found = try Programs.run(try #require(Self.python), [script], file.text).split(separator: "\n")
        .map(String.init)
      #expect(!expected.isEmpty && found == expected, "\(plan.id) in \(name)")
    }
  }

  @Test(
    "lines have 75 octets at most and end with CR LF; folding cuts no letter, and commas and semicolons are escaped"
  )
  func lines() throws {
    let plan = try ExpansionTests.plan(.at([try time("09:00")], openFor: 900), from: "2026-03-01", days: 2)
    let title = "Übung, Teil 1; " + String(repeating: "Gehör👂", count: 20) + "\nzweite Zeile\\"
    let range = try date("2026-03-01")...date("2026-03-02")
    let text = CalendarFile(
      [.init(plan, title: title)], zones: ZoneHistory(try Cities.zone("Europe/Berlin")), dates: range,
      written: try instant("2026-02-01T00:00:00Z")
    ).text
    let lines = text.components(separatedBy: "\r\n")
    #expect(lines.last == "" && lines.allSatisfy { $0.utf8.count <= 75 && !$0.contains("\n") })
    let whole = text.replacingOccurrences(of: "\r\n ", with: "")
    #expect(
      whole.contains("SUMMARY:Übung\\, Teil 1\\; Gehör👂") && whole.contains("\\nzweite Zeile\\\\\r\n"))
  }

  @Test("a calendar names the offsets of its zone before and after each change of the years around it")
  func zones() throws {
    let range = try date("2026-03-01")...date("2026-03-02")
    let text = CalendarFile(
      [], zones: ZoneHistory(try Cities.zone("Europe/Berlin")), dates: range,
      written: try instant("2026-02-01T00:00:00Z")
    ).text
    let change = [
      "BEGIN:DAYLIGHT", "DTSTART:20260329T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", "TZNAME:CEST",
    ]
    #expect(text.contains(change.joined(separator: "\r\n")))
  }
}
