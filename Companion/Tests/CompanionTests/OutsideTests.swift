import Base
import Foundation
import Questionnaires
import Testing

@testable import Companion

@Suite("Zones and texts from outside") struct OutsideTests {
  @Test(
    "a path of TZ is the zone whose file lies there; a name is itself, without a colon, and another file is told as it is",
    arguments: [
      ("Europe/Berlin", "Europe/Berlin"), (":Europe/Berlin", "Europe/Berlin"),
      (":/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"), ("/usr/share/zoneinfo/Etc/UTC", "Etc/UTC"),
      (":/nowhere/Tokyo", "/nowhere/Tokyo"),
    ])
  func zonePaths(text: String, name: String) throws {
    #expect(try Surroundings.system(["TZ": text]).zone == name)
  }

  @Test("a path of TZ is followed through its links; the machine's own is the zone without TZ")
  func zoneLinks() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = folder.appendingPathComponent("first").path
    try FileManager.default.createSymbolicLink(atPath: first, withDestinationPath: "second")
    try FileManager.default.createSymbolicLink(
      atPath: folder.appendingPathComponent("second").path,
      withDestinationPath: "/usr/share/zoneinfo/Asia/Kolkata")
    #expect(try Surroundings.system(["TZ": ":" + first]).zone == "Asia/Kolkata")
    // Links in a circle lead nowhere.
    let circle = folder.appendingPathComponent("circle").path
    try FileManager.default.createSymbolicLink(atPath: circle, withDestinationPath: "circle")
    #expect(try Surroundings.system(["TZ": ":" + circle]).zone == circle)
    let own = try Surroundings.system([:]).zone
    for text in [":/etc/localtime", "/etc/localtime", ":", ""] {
      #expect(try Surroundings.system(["TZ": text]).zone == own)
    }
  }

  @Test(
    "a machine's zone that was copied has the name that is noted beside it, and without one it is refused; without a zone it is UTC"
  )
  func copiedZone() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let machine = folder.appendingPathComponent("localtime").path
    let note = folder.appendingPathComponent("timezone").path
    func name(_ variables: [String: String] = [:]) throws(Failure) -> String {
      try Surroundings.zoneName(variables, machine: machine, note: note)
    }
    #expect(try name() == "Etc/UTC")
    try Data([1]).write(to: URL(fileURLWithPath: machine))
    for variables in [[:], ["TZ": ":" + machine]] as [[String: String]] {
      let failure = #expect(throws: Failure.self) { try name(variables) }
      #expect(failure?.exitStatus == .configuration)
      #expect(failure?.message.contains("Set TZ, such as") == true)
    }
    #expect(try name(["TZ": "Asia/Tokyo"]) == "Asia/Tokyo")
    for text in ["Europe/Berlin\n", " Europe/Berlin\nAsia/Tokyo\n", "Europe/Berlin"] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: note))
      #expect(try name() == "Europe/Berlin")
    }
    // An empty note names nothing; a link names the zone, whatever the note says.
    try Data().write(to: URL(fileURLWithPath: note))
    #expect(throws: Failure.self) { try name() }
    try FileManager.default.removeItem(atPath: machine)
    try FileManager.default.createSymbolicLink(
      atPath: machine, withDestinationPath: "/usr/share/zoneinfo/Asia/Kolkata")
    #expect(try name() == "Asia/Kolkata")
  }

  @Test("a machine's zone without a name fails where somebody needs one, and keeps nobody from alerts")
  func namelessZone() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let machine = folder.appendingPathComponent("localtime").path
    let note = folder.appendingPathComponent("timezone").path
    try Data([1]).write(to: URL(fileURLWithPath: machine))
    let nameless = try Surroundings.system([:], machine: machine, note: note)
    let failure = #expect(throws: Failure.self) { try nameless.presentZone() }
    #expect(failure?.exitStatus == .configuration)
    #expect(failure?.message.contains("Set TZ, such as") == true)
    let tokyo = try Surroundings.system(["TZ": "Asia/Tokyo"], machine: machine, note: note)
    #expect(try tokyo.presentZone().name == "Asia/Tokyo")
    try Alarm.with { alarm, _ in
      let staff = OwnParts(alarm.own.database, nameless)
      let standing = try AlertDelivery(staff, Post()).standing()
      #expect(standing.count == 1)
      #expect(throws: Failure.self) { try staff.all() }
    }
  }

  @Test(
    "nothing steers the terminal: control characters become U+FFFD, line breaks, tabs and letters of all scripts stay"
  )
  func printable() {
    #expect(
      Printable.text("a\u{1B}[2Jb\u{7}\u{9B}c\r\0") == "a\u{FFFD}[2Jb\u{FFFD}\u{FFFD}c\u{FFFD}\u{FFFD}")
    #expect(Printable.text("Ωμέγα\t耳\n👂🏽") == "Ωμέγα\t耳\n👂🏽")
  }

  @Test("20,000 letters are an answer without a limit of its own, one more is not")
  func longest() throws {
    let item = Item("i", "I", .text(maxLength: nil))
    try item.check(.text(String(repeating: "ä", count: 20_000)))
    #expect(throws: AnswerRefusal.self) { try item.check(.text(String(repeating: "a", count: 20_001))) }
  }
}
