import Almanac
import Base
import Foundation
import Testing

@Suite("Time zones") struct ZoneTests {
  @Test(
    "228 times on the wall around changes of clocks mean what Python's zoneinfo says, in years that no file lists too"
  )
  func meanings() throws {
    let rows = try Vectors.rows(of: "zones")
    #expect(rows.count == 228)
    for row in rows {
      let moments = try row.dropFirst(3).map(instant)
      let expected: Zone.Meaning =
        switch row[2] {
        case "one": .one(moments[0])
        case "two": .two(moments[0], moments[1])
        default: .none(moments[0])
        }
      let zone = try Cities.zone(row[0])
      let wall = try local(String(row[1].dropLast(3)))
      #expect(zone.meaning(of: wall) == expected, "\(row)")
      #expect(zone.instant(of: wall) == moments[0], "\(row)")
      if row[2] != "none" { for moment in moments { #expect(zone.local(at: moment) == wall, "\(row)") } }
    }
  }

  @Test("an offset changes with the second: 01:00 UTC on the last Sunday of March in Berlin")
  func edge() throws {
    let zone = try Cities.zone("Europe/Berlin")
    let change = try instant("2026-03-29T01:00:00Z")
    #expect(
      zone.offset(at: change + -1)
        == ZoneOffset(seconds: 3600, isDaylightSaving: false, abbreviation: "CET"))
    #expect(
      zone.offset(at: change) == ZoneOffset(seconds: 7200, isDaylightSaving: true, abbreviation: "CEST"))
    #expect(zone.offset(at: Instant(milliseconds: change.milliseconds - 1)).seconds == 3600)
  }

  @Test(
    "before its first change a zone has the offset of its beginning: Berlin's local mean time, 53 min 28 s, until 1893"
  )
  func beginning() throws {
    let zone = try Cities.zone("Europe/Berlin")
    #expect(zone.offset(at: try instant("1850-01-01T00:00:00Z")).seconds == 3208)
    #expect(zone.offset(at: try instant("1950-01-01T00:00:00Z")).seconds == 3600)
  }

  @Test(
    "every zone of the system is read, and each time on its wall leads to a moment that shows it or is said to be none"
  )
  func everyZone() throws {
    let names = try #require(FileManager.default.enumerator(atPath: "/usr/share/zoneinfo/"))
      .compactMap { $0 as? String }
      .filter {
        $0.contains("/") && !$0.hasPrefix("posix/") && !$0.hasPrefix("right/") && !$0.hasSuffix("/")
      }
    var count = 0
    for name in names {
      guard let zone = try? Cities.zone(name) else { continue }
      count += 1
      for step in stride(from: 0, to: 2 * 366 * 86_400, by: 86_400 * 7 + 1800) {
        let moment = try instant("2026-01-01T00:00:00Z") + step
        switch zone.meaning(of: zone.local(at: moment)) {
        case .one(let found): #expect(found == moment, "\(name)")
        case .two(let first, let second): #expect(first == moment || second == moment, "\(name)")
        case .none: Issue.record("\(name) shows a time that it says never comes")
        }
      }
    }
    // tzdata has some 430 names with a stroke.
    #expect(count > 300, "\(count)")
  }

  @Test(
    "what is no name of a zone opens no file",
    arguments: [
      "", "/etc/passwd", "../../etc/passwd", "Europe/../Berlin", "Europe//Berlin", "Europe/Berlin/",
      "Europe/Ber lin",
      "Europe/Berlin\u{0}", "a/b/c/d", String(repeating: "a", count: 65),
    ])
  func wrongNames(name: String) {
    #expect(throws: ZoneError.wrongName(name)) { try ZoneFolder().zone(name) }
  }

  @Test("an unknown zone, and a folder that is no zone, are said to be so")
  func unknown() {
    #expect(throws: ZoneError.unknown("Europe/Atlantis", folder: "/usr/share/zoneinfo")) {
      try ZoneFolder().zone("Europe/Atlantis")
    }
    #expect(throws: ZoneError.self) { try ZoneFolder().zone("Europe") }
  }
}

@Suite("Files of time zones") struct ZoneFileTests {
  static func berlin() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Europe/Berlin")))
  }

  @Test("a file that ends early anywhere is refused without a trap")
  func cut() throws {
    let whole = try Self.berlin()
    for count in 0..<whole.count {
      #expect(throws: ZoneError.self, "\(count) bytes") {
        try Zone(name: "cut", content: Array(whole[..<count]))
      }
    }
  }

  @Test("a file with any byte set to its extremes is read or refused, and what is read answers")
  func bytes() throws {
    let whole = try Self.berlin()
    let wall = try local("2026-03-29T02:30")
    for index in whole.indices {
      for value in [0, 1, 0x7f, 0x80, 0xff] as [UInt8] where whole[index] != value {
        var changed = whole
        changed[index] = value
        guard let zone = try? Zone(name: "changed", content: changed) else { continue }
        _ = zone.meaning(of: wall)
        _ = zone.offset(at: Instant(seconds: 4_000_000_000))
      }
    }
  }

  @Test("version 1, which ends with 2037, is refused by name")
  func versionOne() throws {
    var content = try Self.berlin()
    content[4] = 0
    #expect {
      try Zone(name: "old", content: content)
    } throws: { "\($0)".contains("version 1") }
  }

  /// A file without transitions, whose footer is all there is.
  static func file(rule: String) -> [UInt8] {
    let header = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
    let counts: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 4]
    let block: [UInt8] = [0, 0, 0, 0, 0, 0] + Array("UTC\u{0}".utf8)
    return header + counts + block + header + counts + block + Array("\n\(rule)\n".utf8)
  }

  @Test(
    "a rule for later years is read in every form that POSIX has",
    arguments: [
      // America/New_York; both hemispheres; a rule by days with and without 29 February; permanent; quoted names; beyond a day.
      ("EST5EDT,M3.2.0,M11.1.0", "2050-07-01T00:00:00Z", -14_400),
      ("EST5EDT,M3.2.0,M11.1.0", "2050-01-15T00:00:00Z", -18_000),
      ("<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45", "2050-01-15T00:00:00Z", 49_500),
      ("<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45", "2050-07-15T00:00:00Z", 45_900),
      ("AAA0BBB,J60/0,J300/0", "2048-03-01T00:00:00Z", 3600),
      ("AAA0BBB,J60/0,J300/0", "2048-02-29T23:59:59Z", 0),
      ("AAA0BBB,59/0,300/0", "2048-02-29T00:00:00Z", 3600),
      ("AAA0BBB,59/0,300/0", "2048-02-28T23:59:59Z", 0),
      ("UTC0", "2050-01-01T00:00:00Z", 0), ("<-03>3", "2050-01-01T00:00:00Z", -10_800),
      // Greenland's rule of 2023: a day before, by negative hours.
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2050-03-27T00:59:59Z", -7200),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2050-03-27T01:00:00Z", -3600),
    ])
  func rules(rule: String, moment: String, offset: Int) throws {
    let zone = try Zone(name: "rule", content: Self.file(rule: rule))
    #expect(zone.offset(at: try instant(moment)).seconds == offset)
  }

  @Test(
    "what is no rule is refused",
    arguments: [
      "X", "EST", "EST5EDT", "EST5EDT,", "EST5EDT,M3.2.0", "EST5EDT,M13.2.0,M11.1.0",
      "EST5EDT,M3.6.0,M11.1.0",
      "EST5EDT,M3.2.7,M11.1.0", "EST25", "EST5EDT,J0,J300", "EST5EDT,J366,J300",
      "EST5EDT,M3.2.0/168,M11.1.0", "<ES5", "EST5 ",
      "EST5EDT,M3.2.0,M11.1.0,", "EST99999999999999999999",
    ])
  func noRules(rule: String) {
    #expect(throws: ZoneError.self) { try Zone(name: "rule", content: Self.file(rule: rule)) }
  }
}
