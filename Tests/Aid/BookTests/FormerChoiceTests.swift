import Prescriptions
import Testing

@testable import Book

/// Going back to what was worn, and what may not be brought back.
@Suite("Going back") struct FormerChoiceTests {
  static let noon = Rig.noon
  let rig = Rig()

  @Test("numbers that no entry can have are refused by name", arguments: [Int.min, -1, 0, 2, .max])
  func number(_ number: Int) throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    #expect(book.state.entry(number) == nil)
    #expect(throws: BookError.noEntry(number, count: 1)) { try book.use(entry: number, by: Rig.person) }
    #expect(throws: BookError.noEntry(number, count: 1)) {
      try book.beginTrial(of: number, for: 60, by: Rig.person)
    }
  }

  @Test("an environment whose prescription expired cannot be chosen; one that is worn can stay")
  func selectingExpired() throws {
    let book = try rig.book()
    let end = Self.noon + 60
    try book.load(try Rig.card(1, expires: end), by: Rig.person)
    try book.load(try Rig.card(2, .music), by: Rig.person)
    rig.clock.pass(60)
    #expect(throws: BookError.expired(at: end)) { try book.use(.quiet, by: Rig.person) }
    #expect(book.state.inForce?.number == 2)
    try book.load(try Rig.card(3, .outdoors, expires: end + 60), by: Rig.person)
    rig.clock.pass(60)
    #expect(try book.use(.outdoors, by: Rig.person).number == 3)
  }

  @Test("an environment whose clinic was revoked cannot be chosen, and reverting does not bring it back")
  func revoked() throws {
    let book = try rig.book()
    let other = Rig.otherClinic.identity
    try book.enrol(other, by: Rig.person)
    try book.load(try Rig.card(1, by: Rig.otherClinic), by: Rig.person)
    try book.load(try Rig.card(2, .music, by: Rig.otherClinic), by: Rig.person)
    try book.load(try Rig.card(3), by: Rig.person)
    try book.revoke(other.fingerprint, by: Rig.person)
    let refusal = BookError.clinicRevoked(name: "Clinic South", at: Self.noon)
    #expect(throws: refusal) { try book.use(.music, by: Rig.person) }
    #expect(throws: refusal) { try book.revert(by: Rig.person) }
    #expect(book.state.inForce?.number == 3)
    #expect(try book.audit().suffix(2).map(\.detail) == ["clinic revoked", "clinic revoked"])
  }

  @Test("reverting does not bring back what expired; dropping a trial does, for it was worn")
  func revertingExpired() throws {
    let book = try rig.book()
    let end = Self.noon + 60
    try book.load(try Rig.card(1, expires: end), by: Rig.person)
    try book.load(try Rig.card(2, trialEnds: Self.noon + 3600), by: Rig.person)
    rig.clock.pass(60)
    #expect(try book.revert(by: Rig.person)?.number == 1)
    try book.load(try Rig.card(3), by: Rig.person)
    #expect(throws: BookError.expired(at: end)) { try book.revert(by: Rig.person) }
    #expect(book.state.inForce?.number == 3)
  }

  @Test("a trial that ends by itself brings back what was worn, expired or not")
  func endOfTrial() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1, expires: Self.noon + 60), by: Rig.person)
    try book.load(try Rig.card(2, .music, trialEnds: Self.noon + 120), by: Rig.person)
    rig.clock.pass(120)
    #expect(try book.advance().inForce?.number == 1)
  }

  @Test("serials of another person's cards do not make a new person's card an old one")
  func newPerson() throws {
    let book = try rig.book()
    try book.load(try Rig.card(9, supersedes: 3), by: Rig.person)
    let pass = try Rig.clinic.sign(
      BindingPass(serial: 1, patient: Rig.ben, issued: Self.noon, expires: Self.noon + 3600))
    try book.rebind(pass.text, by: Rig.person)
    try book.load(try Rig.card(3, patient: Rig.ben), by: Rig.person)
    try book.load(try Rig.card(4, patient: Rig.ben), by: Rig.person)
    #expect(book.state.inForce?.number == 3)
    #expect(throws: BookError.older(serial: 2, than: 4)) {
      try book.load(try Rig.card(2, patient: Rig.ben), by: Rig.person)
    }
    // Within a clinic a serial is used once, whoever it was for.
    #expect(throws: BookError.serialReused(serial: 9, entry: 1)) {
      try book.load(try Rig.card(9, patient: Rig.ben), by: Rig.person)
    }
  }

  @Test("reverting the only prescription of an environment goes back to the environment worn before")
  func otherEnvironment() throws {
    do {
      let book = try rig.book()
      try book.load(try Rig.card(1), by: Rig.person)
      try book.load(try Rig.card(2, .music), by: Rig.person)
      // Asked for an environment that is not worn, there is nothing to go back to.
      #expect(throws: BookError.nothingBefore(.quiet)) { try book.revert(.quiet, by: Rig.person) }
      #expect(try book.revert(by: Rig.person)?.number == 1)
      #expect(book.state.selected == .quiet && book.state.active == [.quiet: 1, .music: 2])
      #expect(throws: BookError.nothingBefore(.quiet)) { try book.revert(by: Rig.person) }
      #expect(try book.use(.music, by: Rig.person).number == 2)
    }
    let book = try rig.reopened()
    #expect(try book.revert(by: Rig.person)?.number == 1)
    try book.verifyAudit()
  }

  @Test("an accepted trial of a first prescription goes back to the environment worn before it")
  func acceptedElsewhere() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    try book.load(try Rig.card(2, .music, trialEnds: Self.noon + 600), by: Rig.person)
    try book.accept(by: Rig.person)
    #expect(try book.revert(by: Rig.person)?.number == 1)
  }

  @Test("the environment worn before is not brought back when its prescription expired")
  func otherEnvironmentExpired() throws {
    let book = try rig.book()
    let end = Self.noon + 60
    try book.load(try Rig.card(1, expires: end), by: Rig.person)
    try book.load(try Rig.card(2, .music), by: Rig.person)
    rig.clock.pass(60)
    #expect(throws: BookError.expired(at: end)) { try book.revert(by: Rig.person) }
    #expect(book.state.inForce?.number == 2)
  }
}
