import Almanac
import Base
import Testing

@Suite("What is due") struct ExpansionTests {
  static func plan(
    _ times: Recurrence.Times, from first: String, days: Int? = nil, _ pattern: Recurrence.Days = .every(1),
    seed: UInt64 = 0
  ) throws -> Plan {
    Plan(
      id: "match", rule: .recurring(Recurrence(days: pattern, times: times)), firstDate: try date(first),
      dayCount: days,
      seed: seed)
  }

  @Test(
    "120 windows around changes of clocks in five zones open and close when Python's zoneinfo says, or vanish"
  )
  func windows() throws {
    let rows = try Vectors.rows(of: "days")
    #expect(rows.count == 120)
    for row in rows {
      let zones = ZoneHistory(try Cities.zone(row[0]))
      let plan = try Self.plan(.windows([LocalWindow(try time(row[2]), try time(row[3]))]), from: row[1])
      let day = try date(row[1])
      let (opens, closes) = (try instant(row[4]), try instant(row[5]))
      let found = try #require(plan.occurrences(on: day...day, in: zones).first)
      #expect(found.opens == opens, "\(row)")
      #expect(found.closes == max(opens, closes), "\(row)")
      #expect((found.remark == .vanished) == (closes <= opens), "\(row)")
      #expect(found.id == "match/\(row[1])/1" && found.zoneName == row[0])
    }
  }

  @Test("28 tasks of the last week of March keep their times on Berlin's wall")
  func lastWeekOfMarch() throws {
    let zone = try Cities.zone("Europe/Berlin")
    let times = try ["09:00", "13:00", "17:00", "21:00"].map(time)
    let plan = try Self.plan(.at(times, openFor: 3600), from: "2026-03-25", days: 7)
    let found = plan.occurrences(on: try date("2026-03-01")...date("2026-04-30"), in: ZoneHistory(zone))
    #expect(found.count == 28)
    #expect(
      found.allSatisfy { times.contains(zone.local(at: $0.opens).time) && $0.closes - $0.opens == 3600 })
    #expect(Set(found.map(\.id)).count == 28)
    // 09:00 CET is 08:00 UTC, 09:00 CEST 07:00.
    #expect(found.first?.opens == (try instant("2026-03-25T08:00:00Z")))
    #expect(found.last?.opens == (try instant("2026-03-31T19:00:00Z")))
  }

  @Test(
    "a window is closed a second before it opens, open then and a second before its end, and closed at its end"
  )
  func edges() throws {
    let plan = try Self.plan(
      .windows([LocalWindow(try time("09:00"), try time("11:00"))]), from: "2026-03-29")
    let day = try date("2026-03-29")
    let window = try #require(
      plan.occurrences(on: day...day, in: ZoneHistory(try Cities.zone("Europe/Berlin"))).first)
    let (opens, closes) = (try instant("2026-03-29T07:00:00Z"), try instant("2026-03-29T09:00:00Z"))
    #expect(!window.isOpen(at: opens + -1) && window.isOpen(at: opens))
    #expect(window.isOpen(at: closes + -1) && !window.isOpen(at: closes) && !window.isOpen(at: closes + 1))
  }

  @Test("ids and occurrences are the same however the days are cut")
  func cuts() throws {
    let zones = ZoneHistory(try Cities.zone("America/New_York"))
    let first = try date("2026-03-01")
    let window = LocalWindow(try time("08:00"), try time("20:00"))
    for plan in [
      try Self.plan(
        .at([try time("02:30"), try time("09:00")], openFor: 600), from: "2026-03-01", .every(3)),
      try Self.plan(.drawn(4, within: window, apart: 1800, openFor: 900), from: "2026-03-01", seed: 7),
      Plan(
        id: "dose", rule: .interval(seconds: 8 * 3600, from: try time("06:00"), openFor: 3600),
        firstDate: first),
    ] {
      let last = try #require(first.adding(days: 29))
      let whole = plan.occurrences(on: first...last, in: zones)
      let pieces = try (0..<30).flatMap { day in
        let date = try #require(first.adding(days: day))
        return plan.occurrences(on: date...date, in: zones)
      }
      #expect(pieces == whole && !whole.isEmpty)
      #expect(Set(whole.map(\.id)).count == whole.count)
    }
  }

  @Test("every third day, weekdays and numbered days are counted from the first, and end with the plan")
  func days() throws {
    let zones = ZoneHistory(try Cities.zone("Asia/Kolkata"))
    let range = try date("2024-02-01")...date("2024-03-31")
    let at = Recurrence.Times.at([try time("12:00")], openFor: 60)
    func dates(_ pattern: Recurrence.Days, days: Int?) throws -> [String] {
      try Self.plan(at, from: "2024-02-26", days: days, pattern).occurrences(on: range, in: zones).map {
        "\($0.date)"
      }
    }
    // 2024 has a 29 February; the 26th is a Monday.
    #expect(try dates(.every(3), days: 9) == ["2024-02-26", "2024-02-29", "2024-03-03"])
    #expect(
      try dates(.weekdays([.thursday, .monday]), days: 8) == ["2024-02-26", "2024-02-29", "2024-03-04"])
    #expect(try dates(.numbered([0, 3, 4, 99]), days: 30) == ["2024-02-26", "2024-02-29", "2024-03-01"])
    #expect(try dates(.every(0), days: 9) == [])
    #expect(try dates(.every(1), days: 0) == [])
  }

  @Test(
    "drawn openings lie in the window with the gap between them, and are others for another person and day")
  func drawn() throws {
    let zone = try Cities.zone("Europe/Berlin")
    let window = LocalWindow(try time("10:00"), try time("20:00"))
    var openings: [Set<Int>] = []
    for seed in 1...50 as ClosedRange<UInt64> {
      let plan = try Self.plan(
        .drawn(5, within: window, apart: 3600, openFor: 900), from: "2026-03-28", days: 3, seed: seed)
      let found = plan.occurrences(on: try date("2026-03-28")...date("2026-03-30"), in: ZoneHistory(zone))
      #expect(found.count == 15)
      for (a, b) in zip(found, found.dropFirst()) where a.date == b.date {
        #expect(b.opens - a.opens >= 3600)
      }
      for one in found {
        let (begin, end) = (zone.local(at: one.opens), zone.local(at: one.closes))
        #expect(
          begin.date == one.date && begin.time >= window.opens && end.time <= window.closes
            && end.date == one.date)
      }
      openings.append(Set(found.map { $0.opens.seconds }))
    }
    #expect(Set(openings).count == 50)
  }

  @Test("drawn openings are spread over the window: the mean of many is its middle")
  func evenly() throws {
    let window = LocalWindow(try time("08:00"), try time("20:00"))
    var sum = 0.0
    for seed in 0..<400 as Range<UInt64> {
      let plan = try Self.plan(
        .drawn(1, within: window, apart: 0, openFor: 0), from: "2026-06-01", days: 10, seed: seed)
      for one in plan.occurrences(
        on: try date("2026-06-01")...date("2026-06-10"), in: ZoneHistory(try Cities.zone("Asia/Kolkata")))
      {
        sum += Double(one.opens.seconds % 86_400) / 4000
      }
    }
    // 14:00 in Kolkata is 08:30 UTC. Of 4000 uniform draws over 12 h the mean has a standard deviation of 12 h / √12 / √4000, 197 s; five of
    // them.
    #expect(abs(sum - 8.5 * 3600) < 985)
  }

  @Test("what does not fit into its window vanishes, and says so")
  func doesNotFit() throws {
    let window = LocalWindow(try time("10:00"), try time("11:00"))
    let day = try date("2026-06-01")
    let plan = try Self.plan(.drawn(3, within: window, apart: 1800, openFor: 900), from: "2026-06-01")
    let found = plan.occurrences(on: day...day, in: ZoneHistory(try Cities.zone("Europe/Berlin")))
    #expect(found.count == 3 && found.allSatisfy { $0.remark == .vanished && $0.opens == $0.closes })
  }

  @Test("eight hours are eight hours: over the night of the change an interval moves on the wall")
  func interval() throws {
    let zone = try Cities.zone("Europe/Berlin")
    let plan = Plan(
      id: "dose", rule: .interval(seconds: 8 * 3600, from: try time("06:00"), openFor: 3600),
      firstDate: try date("2026-03-28"))
    let found = plan.occurrences(on: try date("2026-03-28")...date("2026-03-29"), in: ZoneHistory(zone))
    #expect(
      found.map { "\(zone.local(at: $0.opens))" } == [
        "2026-03-28T06:00:00", "2026-03-28T14:00:00", "2026-03-28T22:00:00", "2026-03-29T07:00:00",
        "2026-03-29T15:00:00",
        "2026-03-29T23:00:00",
      ])
    #expect(found.map(\.number) == [1, 2, 3, 1, 2, 3])
  }

  @Test("after each event of its name, once even where two are told for one moment")
  func events() throws {
    let plan = Plan(
      id: "log", rule: .after("waking", delay: 1800, openFor: 7200), firstDate: try date("2026-05-01"),
      dayCount: 2)
    let moments = try [
      "2026-04-30T20:00:00Z", "2026-05-01T04:10:00Z", "2026-05-01T04:10:00Z", "2026-05-03T05:00:00Z",
    ].map(instant)
    let events = moments.map { PlanEvent("waking", at: $0) } + [PlanEvent("dose", at: moments[1])]
    let found = plan.occurrences(
      on: try date("2026-04-01")...date("2026-05-31"), in: ZoneHistory(try Cities.zone("Europe/Berlin")),
      after: events)
    #expect(found.map(\.id) == ["log/2026-05-01/1"])
    #expect(found.first?.opens == (try instant("2026-05-01T04:40:00Z")))
  }
}
