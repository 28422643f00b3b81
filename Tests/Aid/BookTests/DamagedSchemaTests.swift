import CommonTesting
import Glibc
import Prescriptions
import Testing

@testable import Book

/// SQLite keeps the text of each table in the file's first page, and reads columns by what it says.
@Suite("A book whose list of tables is damaged") struct DamagedSchemaTests {
  /// A process of its own: GRDB ends the process when a column is missing.
  @Test("is refused with a reason wherever a bit is flipped in it, and the last good card is known")
  func flips() async {
    await #expect(processExitsWith: .success) {
      let rig = Rig()
      do { try rig.book().load(try Rig.card(1), by: Rig.person) }
      let whole = Rig.bytes(of: rig.database)
      let text = try #require(DamagedSchemaTests.range(of: "CREATE TABLE event", "STRICT", in: whole))
      let audit = try #require(DamagedSchemaTests.range(of: "CREATE TABLE audit", "STRICT", in: whole))
      let trigger = try #require(
        DamagedSchemaTests.range(of: "CREATE TRIGGER audit_stays", "END", in: whole))
      let note = PrescriptionBook.lastGood(in: rig.path, key: Rig.key)
      // Every column's name has a place among these; every bit of the page is flipped by the trial of bits.
      for place in [Array(text), Array(audit), Array(trigger)].joined() where place % 5 == 0 {
        var damaged = whole
        damaged[place] ^= 1 << UInt8(place % 7)
        Rig.write(damaged, to: rig.database)
        #expect(throws: BookError.self, "byte \(place)") { try rig.reopened() }
        #expect(PrescriptionBook.lastGood(in: rig.path, key: Rig.key) == note, "byte \(place)")
        #expect(Rig.bytes(of: rig.database) == damaged, "byte \(place)")
      }
      Rig.write(whole, to: rig.database)
      #expect(try rig.reopened().state.inForce?.number == 1)
    }
  }

  @Test(
    "is said to be damaged, without a word of what is in it", arguments: ["user_id", "moment", "hash BLOB"])
  func named(word: String) async throws {
    let rig = Rig()
    do { try rig.book().load(try Rig.card(1), by: Rig.person) }
    var bytes = Rig.bytes(of: rig.database)
    let audit = try #require(Self.range(of: "CREATE TABLE audit", "STRICT", in: bytes))
    let place = try #require(Self.range(of: word, "", in: Array(bytes[audit])))
    bytes[audit.lowerBound + place.lowerBound] ^= 2
    Rig.write(bytes, to: rig.database)
    do {
      _ = try rig.reopened()
      Issue.record("it opened")
    } catch let error as BookError {
      guard case .corrupt(rig.database, let detail) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(!detail.contains("CREATE") && !detail.contains(word))
    }
  }

  /// From the first place of `text` to the end of the next `end`.
  static func range(of text: String, _ end: String, in bytes: [UInt8]) -> Range<Int>? {
    let (text, end) = (Array(text.utf8), Array(end.utf8))
    guard let begin = bytes.indices.first(where: { bytes[$0...].starts(with: text) }),
      let last = bytes[(begin + text.count)...].indices.first(where: { bytes[$0...].starts(with: end) })
    else { return nil }
    return begin..<(last + end.count)
  }
}
