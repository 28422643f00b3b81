import Testing

@testable import Book
@testable import Prescriptions

@Suite("Confirmation of a card") struct ConfirmationTests {
  let rig = Rig()

  private func read(_ card: String, _ book: PrescriptionBook) throws -> VerifiedCard {
    try book.read(card, by: Rig.person)
  }

  @Test("a card is taken by its own confirmation alone, which looking at it gives and changes nothing by")
  func ownConfirmation() throws {
    let book = try rig.book()
    let (one, other) = (try read(Rig.card(1), book), try read(Rig.card(2, .music), book))
    let confirmation = try book.consider(one, by: Rig.person)
    #expect(book.state.entries.isEmpty && book.state.boundPatient == nil)
    try book.check(confirmation, of: one, by: Rig.person)
    for (wrong, card) in [("", one), (confirmation, other), (String(confirmation.reversed()), one)] {
      #expect(throws: BookError.notConfirmed) { try book.check(wrong, of: card, by: Rig.person) }
    }
    #expect(try book.audit().last?.detail == "not confirmed")
  }

  @Test("a confirmation ends when another prescription is in force or the device is another's, not before")
  func staleConfirmation() throws {
    let book = try rig.book()
    let card = try read(Rig.card(2, .music), book)
    let first = try book.consider(card, by: Rig.person)
    rig.clock.pass(60)
    try book.check(first, of: card, by: Rig.person)
    try book.load(try Rig.card(1), by: Rig.person)
    #expect(throws: BookError.notConfirmed) { try book.check(first, of: card, by: Rig.person) }
  }

  @Test("another book's confirmation of the same card is none here: no client can make one by itself")
  func anotherBook() throws {
    let (here, there) = (try rig.book(), try Rig().book())
    let card = try read(Rig.card(1), here)
    let foreign = try there.consider(card, by: Rig.person)
    #expect(throws: BookError.notConfirmed) { try here.check(foreign, of: card, by: Rig.person) }
  }

  @Test("what would be refused is refused when it is looked at, and stands in the audit trail once")
  func refusedAtOnce() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    let card = try read(Rig.card(2, patient: Rig.ben), book)
    #expect(throws: BookError.otherPatient) { try book.consider(card, by: Rig.person) }
    #expect(try book.audit().filter { $0.action == "refused" }.map(\.detail) == ["other patient"])
  }

  @Test("developer mode of the former person's time ends when the device is handed over")
  func developerModeEnds() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    let expires = Rig.noon + 3600
    let pass = DeveloperPass.self
    try _ = book.openDeveloperMode(
      Rig.clinic.sign(
        pass.init(serial: 2, holder: "Workshop", issued: Rig.noon, expires: expires, duration: 600)
      ).text, by: Rig.person)
    #expect(book.state.developerModeEnds != nil)
    try book.rebind(
      Rig.clinic.sign(BindingPass(serial: 3, patient: Rig.ben, issued: Rig.noon, expires: expires)).text,
      by: Rig.person)
    #expect(book.state.developerModeEnds == nil)
  }
}

@Suite("Trials of the clinic") struct ClinicTrialTests {
  let rig = Rig()
  private let end = Rig.noon + 600

  @Test("the wearer makes a clinic's trial final only where its card says so")
  func accept() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    try book.load(try Rig.card(2, trialEnds: end, wearerMayAccept: false), by: Rig.person)
    #expect(throws: BookError.trialIsTheClinics(serial: 2, until: end)) { try book.accept(by: Rig.person) }
    // Not by a trial of their own either.
    try book.beginTrial(of: 2, for: 60, by: Rig.person)
    #expect(throws: BookError.trialIsTheClinics(serial: 2, until: Rig.noon + 60)) {
      try book.accept(by: Rig.person)
    }
    try book.load(try Rig.card(3, trialEnds: end, wearerMayAccept: true), by: Rig.person)
    #expect(try book.accept(by: Rig.person).number == 3)
  }

  @Test("the clinic makes its trial final with a new card")
  func finalCard() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1, trialEnds: end, wearerMayAccept: false), by: Rig.person)
    try book.load(try Rig.card(2, supersedes: 1), by: Rig.person)
    rig.clock.pass(601)
    #expect(book.state.inForce?.number == 2 && book.state.trials.isEmpty)
  }

  @Test("what the wearer tries of a final prescription stays theirs to keep")
  func ownTrial() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    try book.load(try Rig.card(2), by: Rig.person)
    try book.beginTrial(of: 1, for: 60, by: Rig.person)
    #expect(try book.accept(by: Rig.person).number == 1)
  }
}

@Suite("Cards of several clinics and lookalikes") struct SeveralClinicsTests {
  let rig = Rig()

  @Test("an unused card that was issued before another clinic's for the same environment is refused")
  func issuedBefore() throws {
    let book = try rig.book()
    try book.enrol(Rig.otherClinic.identity, by: Rig.person)
    try book.load(try Rig.card(1, issued: Rig.noon), by: Rig.person)
    let old = try Rig.card(9, by: Rig.otherClinic, issued: Rig.noon + -Rig.day)
    #expect(throws: BookError.issuedBefore(entry: 1, at: Rig.noon)) { try book.load(old, by: Rig.person) }
    // For another environment nothing is older, and what is newer is taken whatever its serial.
    try book.load(
      try Rig.card(8, .music, by: Rig.otherClinic, issued: Rig.noon + -Rig.day), by: Rig.person)
    try book.load(try Rig.card(7, by: Rig.otherClinic, issued: Rig.noon + 1), by: Rig.person)
  }

  @Test("a clinic that is trusted no longer does not hold back the cards of others")
  func revokedClinic() throws {
    let book = try rig.book()
    try book.enrol(Rig.otherClinic.identity, by: Rig.person)
    try book.load(try Rig.card(1, by: Rig.otherClinic, issued: Rig.noon), by: Rig.person)
    try book.revoke(Rig.otherClinic.identity.fingerprint, by: Rig.person)
    try book.load(try Rig.card(1, issued: Rig.noon + -Rig.day), by: Rig.person)
  }

  @Test("the order of serials is each person's own: cards of a former person do not count")
  func acrossPatients() throws {
    let book = try rig.book()
    try book.load(try Rig.card(9, patient: Rig.ben), by: Rig.person)
    let pass = try BindingPass(
      serial: 10, patient: Rig.ada, issued: Rig.noon, expires: Rig.noon + 3600)
    try book.rebind(Rig.clinic.sign(pass).text, by: Rig.person)
    #expect(try book.load(try Rig.card(3, issued: Rig.noon + -60), by: Rig.person).number == 2)
  }

  @Test(
    "a clinic or prescriber whose name has what cannot be seen is not taken",
    arguments: ["\u{2800}", "\u{3164}", "\u{115F}"])
  func invisible(character: String) throws {
    let book = try rig.book()
    for name in [character, "Clinic" + character] {
      let clinic = try ClinicKey(new: name, created: Rig.noon)
      #expect(throws: BookError.self) { try book.enrol(clinic.identity, by: Rig.person) }
      #expect(throws: BookError.self) {
        try book.load(try Rig.card(1, prescriber: "Dr. Ohr" + character), by: Rig.person)
      }
    }
    #expect(book.state.clinics.count == 1 && book.state.entries.isEmpty)
  }
}
