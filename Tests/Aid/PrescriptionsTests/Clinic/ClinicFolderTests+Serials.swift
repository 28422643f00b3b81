import Base
import CommonTesting
import Glibc
import Testing

@testable import Prescriptions

/// Serials, and the list of the cards that they were given to.
extension ClinicFolderTests {
  @Test(
    "a prescription in the place of one for another person or environment is cautioned about, however the name was typed"
  )
  func replaces() throws {
    // Serial 12 for quiet in the place of 11, for Ada Example.
    let prescription = try Forge().prescription()
    _ = try create()
    func caution(_ person: String, _ environment: String?, kind: String = "prescription") throws -> String?
    {
      let card = IssuedCard(
        serial: 11, issued: Forge.issued, kind: kind, person: person, environment: environment,
        supersedes: nil, file: "a.png")
      place.write(card.json.minified + "\n", to: "clinic/issued.jsonl")
      return try folder.replacementCaution(of: prescription)
    }
    #expect(try folder.replacementCaution(of: prescription) == nil)
    let ada = "Ada Example, born 1950-02-03"
    #expect(try caution("ADA Example, born 1950-02-03, reference 4711", "quiet") == nil)
    #expect(
      try caution(ada, "music")
        == "Prescription 11, which this one is to replace, is for music, and this one for quiet: "
        + "a device keeps that one for music, and says so. Where nobody is to use it any more, sign one for music too."
    )
    let foreign = "Prescription 11, which this one is to replace, was signed for another person."
    for other in ["Eve Example, born 1950-02-03", "Ada Example, born 1951-02-03"] {
      #expect(try caution(other, "quiet") == foreign, "\(other)")
    }
    #expect(try caution(ada, nil, kind: "binding pass") == nil)
  }

  @Test("serials count up from 1 and none is given twice")
  func serials() throws {
    _ = try create()
    #expect(try folder.lastSerial() == 0)
    #expect(try (1...5).map { _ in try issue() } == [1, 2, 3, 4, 5])
    #expect(try folder.lastSerial() == 5)
    #expect(try folder.issuedCards() == (1...5).map(card))
  }

  @Test("a run that fails uses up no serial")
  func dropped() throws {
    _ = try create()
    #expect(try issue() == 1)
    for _ in 0..<3 {
      let dropped = try folder.issue()
      #expect(dropped.serial == 2)
    }
    // A list that cannot be written: the card has no line, so its serial is not taken either.
    let list = folder.path + "/issued.jsonl"
    try WholeFile.save([], to: list)
    #expect(rename(list, list + ".aside") == 0 && mkdir(list, 0o700) == 0)
    #expect(throws: Failure.self) { try issue() }
    #expect(rmdir(list) == 0)
    #expect(try folder.lastSerial() == 1)
    #expect(try issue() == 2)
  }

  @Test("a serial file that was spoilt is refused, not guessed")
  func spoilt() throws {
    _ = try create()
    try WholeFile.save(Array("twelve".utf8), to: folder.path + "/serial")
    let failure = try #require(throws: Failure.self) { try issue() }
    #expect(failure.exitStatus == .badData)
  }

  @Test("a file of serials that is lost is not begun anew, and what is to be written into it is told")
  func lost() throws {
    _ = try create()
    _ = try issue()
    let file = folder.path + "/serial"
    #expect(unlink(file) == 0)
    let failure = try #require(throws: Failure.self) { try issue() }
    #expect(failure.subject == file && failure.exitStatus == .noInput)
    #expect(failure.remedy?.contains("the highest serial of this clinic's cards") == true)
    #expect(!TemporaryFolder.names(in: folder.path).contains("serial"))
    try WholeFile.save(Array("1\n".utf8), to: file)
    #expect(try issue() == 2)
  }

  @Test("after the greatest serial that a card can have there is none, and it is not given twice")
  func greatest() throws {
    _ = try create()
    // Nine digits.
    try WholeFile.save(Array("999999998\n".utf8), to: folder.path + "/serial")
    #expect(try issue() == 999_999_999)
    for _ in 0..<2 {
      let failure = try #require(throws: Failure.self) { try issue() }
      #expect(failure.found == "the last serial there is" && failure.exitStatus == .badData)
    }
    #expect(try folder.lastSerial() == 999_999_999)
  }

  @Test("a list that an editor saved without its last line break keeps a line for each card")
  func noLastBreak() throws {
    _ = try create()
    _ = try issue()
    let list = folder.path + "/issued.jsonl"
    let bytes = try FileContent.bytes(of: list, limit: 1 << 16)
    #expect(bytes.last == 0x0A)
    try WholeFile.save(Array(bytes.dropLast()), to: list)
    #expect(try issue() == 2)
    #expect(try folder.issuedCards() == [card(1), card(2)])
  }

  @Test("the next serial is beyond those of the file and of the list, and a list that is ahead is told")
  func listAhead() throws {
    _ = try create()
    #expect(try (1...3).map { _ in try issue() } == [1, 2, 3])
    #expect(try folder.serialCaution() == nil)
    let file = folder.path + "/serial"
    // An older copy of the file.
    try WholeFile.save(Array("1\n".utf8), to: file)
    #expect(try folder.lastSerial() == 3)
    let caution = try #require(try folder.serialCaution())
    #expect(caution.contains("serial says 1") && caution.contains("serial 3") && caution.contains("is 4."))
    #expect(try issue() == 4)
    #expect(try folder.serialCaution() == nil)
    // A list that lacks what was signed before lists were kept.
    try WholeFile.save(Array("9\n".utf8), to: file)
    #expect(try folder.serialCaution() == nil)
    #expect(try issue() == 10)
  }

  @Test("a damaged line of the list of cards is told by its number; the list is not shortened")
  func damagedLine() throws {
    _ = try create()
    _ = try issue()
    let list = folder.path + "/issued.jsonl"
    let damaged = try FileContent.bytes(of: list, limit: 1 << 16) + Array("{\"serial\": 2\n".utf8)
    try WholeFile.save(damaged, to: list)
    let failure = try #require(throws: Failure.self) { try folder.issuedCards() }
    #expect(failure.subject == list + ":2" && failure.exitStatus == .badData)
    // A card that is made meanwhile stands behind it.
    #expect(try issue() == 2)
    #expect(try FileContent.bytes(of: list, limit: 1 << 16).starts(with: damaged))
  }

  @Test("a list of cards that cannot be looked at is not taken for an empty one and written anew")
  func unreadList() throws {
    _ = try create()
    #expect(try issue() == 1)
    let list = folder.path + "/issued.jsonl"
    #expect(rename(list, list + ".aside") == 0)
    #expect(symlink("issued.jsonl", list) == 0)
    let failures = [
      try #require(throws: Failure.self) { try issue() },
      try #require(throws: Failure.self) { try folder.issuedCards() },
    ]
    for failure in failures {
      #expect(failure.subject == list)
      #expect(failure.exitStatus == .inputOutput)
    }
    #expect(rename(list + ".aside", list) == 0)
    #expect(try folder.issuedCards() == [card(1)])
    #expect(try issue() == 2)
    #expect(try folder.issuedCards() == [card(1), card(2)])
  }
}
