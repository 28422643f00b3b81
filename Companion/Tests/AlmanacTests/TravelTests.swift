import Almanac
import Base
import Testing

@Suite("Journeys") struct TravelTests {
  /// Unlocked at 04:00 for a day, as the days of a programme are.
  static func unlocking() throws -> Plan {
    try ExpansionTests.plan(
      .windows([LocalWindow(try time("04:00"), try time("04:00"))]), from: "2026-06-01", days: 15)
  }

  @Test(
    "a journey of nine hours, either way at any hour, neither leaves out a day nor doubles one",
    arguments: [true, false], 0..<48)
  func unlockedOnce(isEastward: Bool, halfHour: Int) throws {
    // Tokyo is 9 h east of London's winter time and 8 h of its summer time; Dakar keeps UTC all year.
    let (dakar, tokyo) = (try Cities.zone("Africa/Dakar"), try Cities.zone("Asia/Tokyo"))
    let change = try instant("2026-06-05T00:00:00Z") + halfHour * 1800
    var zones = ZoneHistory(isEastward ? dakar : tokyo)
    zones.move(to: isEastward ? tokyo : dakar, at: change)
    let found = try Self.unlocking().occurrences(on: try date("2026-06-01")...date("2026-06-30"), in: zones)
    #expect(found.map { "\($0.date)" } == (1...15).map { "2026-06-\($0 < 10 ? "0" : "")\($0)" })
    #expect(found.allSatisfy { $0.remark != .vanished })
    for (a, b) in zip(found, found.dropFirst()) { #expect(a.opens < b.opens) }
    // None opens before its own day has come on the person's wall.
    for one in found { #expect(zones.date(at: one.opens) >= one.date) }
  }

  @Test("eastward over 04:00 the day opens with the change of zones, and says why")
  func eastward() throws {
    var zones = ZoneHistory(try Cities.zone("Africa/Dakar"))
    // 22:00 in Dakar on the 4th is 07:00 in Tokyo on the 5th.
    let change = try instant("2026-06-04T22:00:00Z")
    zones.move(to: try Cities.zone("Asia/Tokyo"), at: change)
    let day = try date("2026-06-05")
    let found = try #require(try Self.unlocking().occurrences(on: day...day, in: zones).first)
    #expect(found.opens == change && found.remark == .zoneChanged && found.zoneName == "Asia/Tokyo")
    #expect(found.closes == (try instant("2026-06-05T19:00:00Z")))
  }

  @Test("westward the wall shows 04:00 twice, and the day opens at the first")
  func westward() throws {
    var zones = ZoneHistory(try Cities.zone("Asia/Tokyo"))
    // 05:00 in Tokyo on the 5th is 20:00 in Dakar on the 4th.
    zones.move(to: try Cities.zone("Africa/Dakar"), at: try instant("2026-06-04T20:00:00Z"))
    let day = try date("2026-06-05")
    let found = try #require(try Self.unlocking().occurrences(on: day...day, in: zones).first)
    #expect(
      found.opens == (try instant("2026-06-04T19:00:00Z")) && found.zoneName == "Asia/Tokyo"
        && found.remark == nil)
  }

  @Test("a window that a journey east leaves out wholly has vanished; the others of the day are as ever")
  func leftOut() throws {
    var zones = ZoneHistory(try Cities.zone("Africa/Dakar"))
    let change = try instant("2026-06-05T08:00:00Z")
    zones.move(to: try Cities.zone("Asia/Tokyo"), at: change)
    let windows = try [("09:00", "11:00"), ("12:00", "14:00"), ("19:00", "21:00")].map {
      LocalWindow(try time($0.0), try time($0.1))
    }
    let day = try date("2026-06-05")
    let found = try ExpansionTests.plan(.windows(windows), from: "2026-06-05").occurrences(
      on: day...day, in: zones)
    #expect(found.filter { $0.remark == .vanished }.map(\.number).sorted() == [1, 2])
    #expect(found.last?.opens == (try instant("2026-06-05T10:00:00Z")))
  }

  @Test("a window that is open during a journey closes by the zone in which it opened")
  func stays() throws {
    var zones = ZoneHistory(try Cities.zone("Europe/Berlin"))
    zones.move(to: try Cities.zone("America/New_York"), at: try instant("2026-06-05T08:00:00Z"))
    let day = try date("2026-06-05")
    let plan = try ExpansionTests.plan(
      .windows([LocalWindow(try time("09:00"), try time("11:00"))]), from: "2026-06-05")
    let found = try #require(plan.occurrences(on: day...day, in: zones).first)
    #expect(found.opens == (try instant("2026-06-05T07:00:00Z")))
    #expect(found.closes == (try instant("2026-06-05T09:00:00Z")))
  }

  @Test("changes that are told late or twice are left out")
  func order() throws {
    let (berlin, tokyo) = (try Cities.zone("Europe/Berlin"), try Cities.zone("Asia/Tokyo"))
    var zones = ZoneHistory(berlin)
    let moment = try instant("2026-06-05T08:00:00Z")
    zones.move(to: tokyo, at: moment)
    let once = zones
    zones.move(to: tokyo, at: moment + 60)
    zones.move(to: berlin, at: moment + -60)
    #expect(zones == once)
    #expect(
      zones.zone(at: moment + -1).name == "Europe/Berlin" && zones.zone(at: moment).name == "Asia/Tokyo")
  }
}
