import Base
import CommonTesting
import Glibc
import Testing

@testable import Prescriptions

@Suite("Clinic's folder") struct ClinicFolderTests {
  let place = TemporaryFolder()
  var folder: ClinicFolder { ClinicFolder(path: place.path + "/clinic") }

  func create() throws -> ClinicKey {
    let key = try ClinicKey(new: "City Hearing Clinic", created: Instant(seconds: 1_800_000_000))
    try folder.create(key, passphrase: "four words are enough")
    return key
  }

  @Test("the key opens with its passphrase, and with no other")
  func opens() throws {
    let key = try create()
    #expect(try folder.unlock(with: "four words are enough").identity == key.identity)
    let failure = try #require(throws: Failure.self) { try folder.unlock(with: "five words are too many") }
    #expect(failure.exitStatus == .noPermission)
  }

  @Test(
    "a passphrase with a byte order mark before it opens a key that was sealed with the mark, and without it",
    arguments: ["\u{FEFF}", ""])
  func byteOrderMark(mark: String) throws {
    let key = try ClinicKey(new: "City Hearing Clinic", created: Instant(seconds: 1_800_000_000))
    try folder.create(key, passphrase: mark + "four words are enough")
    #expect(try folder.unlock(with: "\u{FEFF}four words are enough").identity == key.identity)
    #expect(throws: Failure.self) { try folder.unlock(with: "\u{FEFF}five words are too many") }
  }

  @Test("a key whose time is over is refused, with what to do instead; in its last second it is not")
  func ended() throws {
    let created = Instant(seconds: 1_800_000_000)
    let key = try ClinicKey(
      new: "City Hearing Clinic", created: created, validUntil: created + 86_400)
    try folder.create(key, passphrase: "four words are enough")
    try folder.checkEnd(at: created + 86_399)
    let failure = try #require(throws: Failure.self) { try folder.checkEnd(at: created + 86_400) }
    #expect(failure.exitStatus == .badData && failure.subject == folder.path)
    #expect(failure.message.contains("The key of City Hearing Clinic ended on"))
    #expect(
      failure.message.hasSuffix("auricle clinic init --clinic FOLDER --name 'City Hearing Clinic'"))
  }

  @Test("a key without an end has no time that is over")
  func endless() throws {
    _ = try create()
    try folder.checkEnd(at: Instant(seconds: 4_000_000_000))
  }

  @Test("a key that others could have put there is refused, one that they may read is cautioned about")
  func openToOthers() throws {
    _ = try create()
    let file = folder.path + "/key.jwe"
    #expect(folder.keyCaution == nil)
    chmod(file, 0o644)
    #expect(folder.keyCaution?.hasSuffix("chmod 600 \(file)") == true)
    _ = try folder.unlock(with: "four words are enough")
    for (path, mode) in [(file, 0o666), (folder.path, 0o777)] as [(String, mode_t)] {
      chmod(file, 0o600)
      chmod(path, mode)
      let failure = try #require(throws: Failure.self) { try folder.unlock(with: "four words are enough") }
      #expect(failure.subject == path)
      #expect(failure.exitStatus == .noPermission)
      chmod(path, 0o700)
    }
  }

  @Test("key, card and serial are for the owner's eyes only")
  func permissions() throws {
    _ = try create()
    _ = try issue()
    for name in ["key.jwe", "clinic.txt", "serial", "issued.jsonl"] {
      var status = stat()
      #expect(stat(folder.path + "/" + name, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600, "\(name)")
    }
    var status = stat()
    #expect(stat(folder.path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o700)
  }

  /// Gives out a serial for a sample card.
  func issue() throws -> Int {
    let issue = try folder.issue()
    let serial = issue.serial
    try issue.commit(card(serial))
    return serial
  }

  func card(_ serial: Int) -> IssuedCard {
    IssuedCard(
      serial: serial, issued: Instant(seconds: 1_800_000_000), kind: "prescription",
      person: "Zoë \"Z\" Example, born 1950-02-03", environment: "quiet", supersedes: nil, file: "a.png")
  }

  @Test("a key that is there is never replaced")
  func keeps() throws {
    let key = try create()
    let failure = try #require(throws: Failure.self) { _ = try create() }
    #expect(failure.exitStatus == .cannotCreate)
    #expect(try folder.unlock(with: "four words are enough").identity == key.identity)
  }

  // Unicode's default ignorable code points, and Braille's empty cell.
  @Test(
    "no key is made for a clinic whose name has what cannot be seen, and no serial used up for such a person",
    arguments: ["\u{3164}", "\u{115F}", "\u{FFA0}", "\u{2800}"])
  func unseen(character: String) throws {
    let key = try ClinicKey(new: "Clinic" + character, created: Instant(seconds: 1_800_000_000))
    let refusal = try #require(throws: Failure.self) {
      try folder.create(key, passphrase: "four words are enough")
    }
    #expect(refusal.message.contains("cannot be seen") && refusal.exitStatus == .usage)
    #expect(place.names == [])
    _ = try create()
    let issued = IssuedCard(
      serial: 1, issued: Instant(seconds: 1_800_000_000), kind: "binding pass",
      person: "Ada" + character + " Example, born 1950-02-03", environment: nil, supersedes: nil,
      file: "a.png")
    let failure = try #require(throws: Failure.self) { try folder.issue().commit(issued) }
    #expect(failure.message.contains("cannot be seen") && failure.exitStatus == .badData)
    #expect(try folder.lastSerial() == 0 && folder.issuedCards().isEmpty)
  }

  @Test("the public card is that of the key")
  func card() throws {
    let key = try create()
    #expect(try ClinicIdentity(reading: try folder.card(), from: "clinic.txt") == key.identity)
  }

  @Test("a folder whose key was moved away is told by its key, and what to do")
  func keyMovedAway() throws {
    _ = try create()
    let (key, aside) = (folder.path + "/key.jwe", place.path + "/aside")
    #expect(rename(key, aside) == 0)
    let failure = try #require(throws: Failure.self) { try folder.checkKey() }
    #expect(failure.subject == key && failure.exitStatus == .noInput)
    #expect(failure.remedy?.contains("Put it back from a copy") == true)
    #expect(rename(aside, key) == 0)
    #expect(throws: Never.self) { try folder.checkKey() }
  }

  @Test("a folder from which the key of signed cards was lost gets no new one, and stays as it is")
  func lostKey() throws {
    let key = try create()
    _ = try issue()
    let (file, aside) = (folder.path + "/key.jwe", place.path + "/aside")
    #expect(rename(file, aside) == 0)
    let failure = try #require(throws: Failure.self) { _ = try create() }
    #expect(failure.subject == folder.path && failure.exitStatus == .cannotCreate)
    #expect(failure.remedy?.contains("--clinic") == true)
    let advice = try #require(throws: Failure.self) { try folder.checkKey() }
    #expect(advice.remedy?.contains("in another folder: auricle clinic init --clinic FOLDER") == true)
    // The number alone is as much of it, as before lists were kept.
    let list = folder.path + "/issued.jsonl"
    #expect(rename(list, list + ".aside") == 0)
    let second = try #require(throws: Failure.self) { _ = try create() }
    #expect(second.exitStatus == .cannotCreate)
    #expect(rename(list + ".aside", list) == 0 && rename(aside, file) == 0)
    #expect(try folder.unlock(with: "four words are enough").identity == key.identity)
    #expect(try issue() == 2)
  }

  @Test(
    "a folder whose init was killed before the key was written is begun again",
    arguments: [["key.jwe"], ["key.jwe", "serial"]])
  func killed(missing: [String]) throws {
    _ = try create()
    for name in missing { #expect(unlink(folder.path + "/" + name) == 0) }
    let key = try create()
    #expect(try folder.unlock(with: "four words are enough").identity == key.identity)
    #expect(try ClinicIdentity(reading: try folder.card(), from: "clinic.txt") == key.identity)
    #expect(try issue() == 1)
  }

  @Test("a key that is not that of the folder's card does not sign")
  func otherCard() throws {
    let key = try create()
    let other = try ClinicKey(new: "City Hearing Clinic", created: Instant(seconds: 1_800_000_000))
    let card = folder.path + "/clinic.txt"
    try WholeFile.save(Array(other.identity.cardText.utf8), to: card)
    let failure = try #require(throws: Failure.self) { try folder.unlock(with: "four words are enough") }
    #expect(failure.subject == card && failure.exitStatus == .badData)
    #expect(failure.found.contains(other.identity.fingerprint.grouped))
    #expect(failure.expected?.contains(key.identity.fingerprint.grouped) == true)
  }

  @Test("a passphrase is asked for until it is right, and not oftener than that many times")
  func asked() throws {
    let key = try create()
    var (asked, told) = (0, 0)
    let opened = try folder.unlock(attempts: 3, wrong: { _ in told += 1 }) { () throws(Failure) in
      asked += 1
      return asked == 3 ? "four words are enough" : "five words are too many"
    }
    #expect(opened.identity == key.identity)
    #expect(asked == 3 && told == 2)
    (asked, told) = (0, 0)
    let failure = try #require(throws: Failure.self) {
      try folder.unlock(attempts: 3, wrong: { _ in told += 1 }) { () throws(Failure) in
        asked += 1
        return "five words are too many"
      }
    }
    #expect(failure.exitStatus == .noPermission)
    #expect(failure.message.contains("key.jwe: the passphrase does not open the clinic's key"))
    #expect(asked == 3 && told == 2)
  }

  @Test("where it cannot be seen if a key is there, none is made, and that is not called none")
  func unseen() throws {
    // A link to itself: for root, too, the folder cannot be entered.
    #expect(symlink("clinic", folder.path) == 0)
    let failures = [
      try #require(throws: Failure.self) { try folder.exists },
      try #require(throws: Failure.self) { _ = try create() },
    ]
    for failure in failures {
      #expect(failure.subject == folder.path + "/key.jwe")
      #expect(failure.exitStatus == .inputOutput)
    }
    #expect(unlink(folder.path) == 0)
    #expect(try !folder.exists)
    _ = try create()
    #expect(try folder.exists)
  }

  @Test("a key that lies elsewhere, on a disk that is not there now, is not replaced")
  func elsewhere() throws {
    #expect(mkdir(folder.path, 0o700) == 0)
    #expect(symlink("/nonexistent/key.jwe", folder.path + "/key.jwe") == 0)
    let failure = try #require(throws: Failure.self) { _ = try create() }
    #expect(failure.exitStatus == .cannotCreate)
    #expect(TemporaryFolder.names(in: folder.path) == ["key.jwe"])
  }

  @Test("without a key the next step is named, and nothing is to be put back where nothing was")
  func missing() throws {
    let failures = [
      try #require(throws: Failure.self) { try folder.unlock(with: "four words are enough") },
      try #require(throws: Failure.self) { try folder.checkKey() },
    ]
    for failure in failures {
      #expect(failure.subject == folder.path + "/key.jwe" && failure.exitStatus == .noInput)
      #expect(failure.expected == "a clinic's key")
      #expect(failure.remedy == "Make one with: auricle clinic init --name \"Your clinic\"")
    }
  }
}
