import Testing

@testable import Book
@testable import Prescriptions

@Suite("PrescriptionBook") struct PrescriptionBookTests {
  static let noon = Rig.noon
  let rig = Rig()

  // MARK: - Verbs

  @Test("what was loaded, chosen and tried is the same after closing and opening")
  func restart() throws {
    let end = Self.noon + 1200
    do {
      let book = try rig.book()
      try book.load(try Rig.card(1), by: Rig.person)
      try book.load(try Rig.card(2, .music), by: Rig.person)
      try book.load(try Rig.card(3), by: Rig.person)
      #expect(try book.use(.music, by: Rig.person).number == 2)
      let trial = try book.beginTrial(of: 1, for: 1200, by: Rig.person)
      #expect(trial.entry == 1 && trial.ends == end)
    }
    let book = try rig.reopened()
    #expect(book.state.inForce?.number == 1)
    #expect(book.state.entries.map(\.prescription.serial) == [1, 2, 3])
    #expect(book.state.clinics.map(\.identity) == [Rig.clinic.identity])
    rig.clock.pass(1200)
    #expect(book.state.inForce?.number == 2)
    let before = try book.events().filter { $0.moment < end }
    #expect(BookState(folding: try book.events(), at: end).inForce?.number == 2)
    #expect(BookState(folding: before, at: end + -1).inForce?.number == 1)
  }

  @Test(
    "a book opens again that trusts a clinic whose key has ended, or begins later by a clock that was behind"
  )
  func clinicsOfOtherTimes() throws {
    let ended = try ClinicKey(new: "Clinic East", created: Self.noon + -9, validUntil: Self.noon + -3)
    let begins = try ClinicKey(new: "Clinic West", created: Self.noon + 3600)
    do {
      let book = try rig.book()
      try book.enrol(ended.identity, by: Rig.person)
      try book.enrol(begins.identity, by: Rig.person)
      try book.load(try Rig.card(1), by: Rig.person)
    }
    let book = try rig.reopened()
    #expect(book.state.clinics.map(\.identity) == [Rig.clinic.identity, ended.identity, begins.identity])
    #expect(book.state.inForce?.number == 1)
  }

  @Test("accepting makes a trial final; reverting goes back")
  func acceptAndRevert() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    try book.load(try Rig.card(2, trialEnds: Self.noon + 600), by: Rig.person)
    #expect(try book.accept(by: Rig.person).number == 2)
    rig.clock.pass(3600)
    #expect(book.state.inForce?.number == 2)
    #expect(try book.revert(by: Rig.person)?.number == 1)
    #expect(throws: BookError.nothingBefore(.quiet)) { try book.revert(by: Rig.person) }
    #expect(throws: BookError.noTrial(.quiet)) { try book.accept(by: Rig.person) }
    // Accepted once, it can be chosen although its trial's end has passed.
    #expect(try book.use(entry: 2, by: Rig.person).number == 2)
  }

  @Test("a trial of less than a minute or more than 14 days is refused", arguments: [59, 0, -1, 1_209_601])
  func trialDuration(seconds: Int) throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    #expect(throws: BookError.trialDuration(seconds)) {
      try book.beginTrial(of: 1, for: seconds, by: Rig.person)
    }
  }

  @Test("choices that there are not are refused by name")
  func noChoice() throws {
    let book = try rig.book()
    #expect(throws: BookError.nothingInForce) { try book.accept(by: Rig.person) }
    #expect(throws: BookError.nothing(for: .music)) { try book.use(.music, by: Rig.person) }
    #expect(throws: BookError.noEntry(1, count: 0)) { try book.use(entry: 1, by: Rig.person) }
    try book.load(try Rig.card(1), by: Rig.person)
    #expect(throws: BookError.alreadyInForce(entry: 1)) {
      try book.beginTrial(of: 1, for: 60, by: Rig.person)
    }
  }

  // MARK: - Refusals of cards

  @Test("an unknown clinic's card is refused, and a revoked clinic's")
  func trust() throws {
    let book = try rig.book()
    let other = Rig.otherClinic.identity
    let card = try Rig.card(1, by: Rig.otherClinic)
    #expect(throws: BookError.card(.unknownKey(other.fingerprint))) { try book.load(card, by: Rig.person) }
    try book.enrol(other, by: Rig.person)
    #expect(throws: BookError.alreadyEnrolled(name: "Clinic South")) {
      try book.enrol(other, by: Rig.person)
    }
    try book.load(card, by: Rig.person)
    try book.revoke(other.fingerprint, by: Rig.person)
    #expect(throws: BookError.card(.revokedKey(name: "Clinic South", at: Self.noon))) {
      try book.load(try Rig.card(2, by: Rig.otherClinic), by: Rig.person)
    }
    #expect(throws: BookError.alreadyRevoked(name: "Clinic South", at: Self.noon)) {
      try book.revoke(other.fingerprint, by: Rig.person)
    }
    // It was verified when it was trusted, and still is after a restart.
    #expect(book.state.inForce?.prescription.serial == 1)
  }

  @Test("a clinic that was never enrolled cannot be revoked, and nothing changes")
  func neverEnrolled() throws {
    let book = try rig.book()
    let (before, fingerprint) = (book.state, Rig.otherClinic.identity.fingerprint)
    #expect(throws: BookError.unknownClinic(fingerprint)) {
      try book.revoke(fingerprint, by: Rig.person)
    }
    #expect(book.state == before)
  }

  @Test("another person's card is refused until a binding pass")
  func binding() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    let card = try Rig.card(2, patient: Rig.ben)
    #expect(throws: BookError.otherPatient) { try book.load(card, by: Rig.person) }
    let pass = try Rig.clinic.sign(
      BindingPass(serial: 7, patient: Rig.ben, issued: Self.noon, expires: Self.noon + 3600)
    ).text
    try book.rebind(pass, by: Rig.person)
    #expect(throws: BookError.passUsed) { try book.rebind(pass, by: Rig.person) }
    #expect(try book.load(card, by: Rig.person).number == 2)
    #expect(throws: BookError.otherPatient) { try book.use(entry: 1, by: Rig.person) }
  }

  @Test("a verified card is loaded without its text being unpacked or checked again")
  func verifiedOnce() throws {
    let book = try rig.book()
    let unreadable = CardText(jws: "eyJ")
    #expect(throws: PrescriptionError.self) { try Card.read(unreadable.text, trusting: [], at: Self.noon) }
    let card = Signed(
      content: try Rig.prescription(1), clinic: Rig.clinic.identity, text: unreadable)
    #expect(try book.load(card, by: Rig.person).card == card)
  }

  @Test("a card whose clinic is revoked, or which expires, after it was verified is refused")
  func verifiedTooEarly() throws {
    let book = try rig.book()
    let end = Self.noon + 60
    let cards = [try Rig.card(1, expires: end), try Rig.card(2)].map { try? book.read($0, by: Rig.person) }
    guard case .prescription(let short) = cards[0], case .prescription(let other) = cards[1] else {
      Issue.record("not read as prescriptions")
      return
    }
    rig.clock.pass(60)
    #expect(throws: BookError.expired(at: end)) { try book.load(short, by: Rig.person) }
    try book.revoke(Rig.clinic.identity.fingerprint, by: Rig.person)
    #expect(throws: BookError.card(.revokedKey(name: "Clinic North", at: end))) {
      try book.load(other, by: Rig.person)
    }
  }

  @Test(
    "a card or pass whose clinic's key has ended since it was verified is refused, and the book opens again"
  )
  func keyEnded() throws {
    let end = Self.noon + 60
    let clinic = try ClinicKey(new: "Clinic East", created: Self.noon + -Rig.day, validUntil: end)
    let pass = try clinic.sign(
      DeveloperPass(
        serial: 3, holder: "Workshop", issued: Self.noon, expires: Self.noon + 3600, duration: 600))
    var book: PrescriptionBook? = try rig.book()
    try book?.enrol(clinic.identity, by: Rig.person)
    let texts = [try Rig.card(1, by: clinic), pass.text]
    let cards = try texts.map { try book?.read($0, by: Rig.person) }
    guard case .prescription(let card)? = cards[0], case .developerPass(let pass)? = cards[1] else {
      Issue.record("not read as a prescription and a pass")
      return
    }
    rig.clock.pass(60)
    let ended = BookError.card(.expiredKey(name: "Clinic East", at: end))
    #expect(throws: ended) { try book?.load(card, by: Rig.person) }
    #expect(throws: ended) { _ = try book?.openDeveloperMode(pass, by: Rig.person) }
    book = nil
    #expect(try rig.reopened().state.entries.isEmpty)
  }

  /// However many times the clock is read for one load, there is one between which and the next the second begins.
  @Test(
    "a card that is loaded in the second before its end is in the book when it is opened again",
    arguments: 1...6)
  func lastSecond(looks: Int) throws {
    let end = Self.noon + 60
    var book: PrescriptionBook? = try rig.book()
    guard case .prescription(let card)? = try book?.read(try Rig.card(1, expires: end), by: Rig.person)
    else {
      Issue.record("not read as a prescription")
      return
    }
    rig.clock.pass(59)
    rig.clock.pass(1, beforeLook: looks)
    let isLoaded = (try? book?.load(card, by: Rig.person)) != nil
    book = nil
    #expect(try rig.reopened().state.entries.map(\.loaded) == (isLoaded ? [Self.noon + 59] : []))
  }

  @Test("a card that is in the book already is named as such")
  func replay() throws {
    let book = try rig.book()
    let card = try Rig.card(5)
    try book.load(card, by: Rig.person)
    #expect(throws: BookError.alreadyInBook(entry: 1, isInForce: true)) {
      try book.load(card, by: Rig.person)
    }
    #expect(throws: BookError.serialReused(serial: 5, entry: 1)) {
      try book.load(try Rig.card(5, audiogram: .n4), by: Rig.person)
    }
    #expect(book.state.entries.count == 1)
    try book.load(try Rig.card(6), by: Rig.person)
    #expect(throws: BookError.alreadyInBook(entry: 1, isInForce: false)) {
      try book.load(card, by: Rig.person)
    }
  }

  @Test("an older serial is refused within its clinic and environment, not beyond")
  func older() throws {
    let book = try rig.book()
    try book.enrol(Rig.otherClinic.identity, by: Rig.person)
    try book.load(try Rig.card(5), by: Rig.person)
    #expect(throws: BookError.older(serial: 4, than: 5)) { try book.load(try Rig.card(4), by: Rig.person) }
    try book.load(try Rig.card(3, .music), by: Rig.person)
    try book.load(try Rig.card(2, by: Rig.otherClinic), by: Rig.person)
    #expect(book.state.entries.map(\.prescription.serial) == [5, 3, 2])
  }

  @Test("a card that one in the book replaces is refused, in whatever environment")
  func superseded() throws {
    let book = try rig.book()
    try book.load(try Rig.card(5, .music, supersedes: 4), by: Rig.person)
    #expect(throws: BookError.superseded(serial: 4, by: 5)) {
      try book.load(try Rig.card(4, .quiet), by: Rig.person)
    }
  }

  @Test("an expired card and one whose trial is over are refused")
  func expired() throws {
    let book = try rig.book()
    let end = Self.noon + 60
    let cards = (try Rig.card(1, expires: end), try Rig.card(2, trialEnds: end))
    rig.clock.pass(60)
    #expect(throws: BookError.card(.expired(at: end))) { try book.load(cards.0, by: Rig.person) }
    #expect(throws: BookError.card(.trialOver(at: end))) { try book.load(cards.1, by: Rig.person) }
  }

  @Test("an entry that expired or whose trial is over cannot be put in force anew")
  func expiredEntries() throws {
    let book = try rig.book()
    let end = Self.noon + 60
    try book.load(try Rig.card(1, expires: end), by: Rig.person)
    try book.load(try Rig.card(2, trialEnds: end), by: Rig.person)
    rig.clock.pass(60)
    #expect(throws: BookError.expired(at: end)) { try book.use(entry: 1, by: Rig.person) }
    #expect(throws: BookError.trialOver(at: end)) { try book.use(entry: 2, by: Rig.person) }
    #expect(throws: BookError.trialOver(at: end)) {
      try book.beginTrial(of: 2, for: 600, by: Rig.person)
    }
    #expect(book.notices == [.expiredInForce(entry: 1, at: end)])
  }

  @Test("a developer pass opens developer mode once, for its time")
  func developerPass() throws {
    let book = try rig.book()
    let pass = try Rig.clinic.sign(
      DeveloperPass(
        serial: 3, holder: "Workshop", issued: Self.noon, expires: Self.noon + 3600, duration: 600)
    ).text
    #expect(try book.openDeveloperMode(pass, by: Rig.person) == Self.noon + 600)
    rig.clock.pass(599)
    #expect(book.state.developerModeEnds != nil)
    rig.clock.pass(1)
    #expect(book.state.developerModeEnds == nil)
    #expect(throws: BookError.passUsed) { try book.openDeveloperMode(pass, by: Rig.person) }
  }

  @Test("messages about people name nobody and no threshold")
  func messages() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    do {
      try book.load(try Rig.card(2, patient: Rig.ben), by: Rig.person)
      Issue.record("it was loaded")
    } catch { #expect(!"\(error)".contains("Ben") && !"\(error)".contains("Ada")) }
    for row in try book.audit() {
      let text = "\(row)"
      #expect(!text.contains("Ada") && !text.contains("Ben") && !text.contains("1950"))
    }
  }
}
