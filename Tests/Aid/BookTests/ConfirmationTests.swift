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
    let pass = try DeveloperPass(
      serial: 2, holder: "Workshop", issued: Rig.noon, expires: expires, duration: 600)
    _ = try book.openDeveloperMode(Rig.clinic.sign(pass).text, by: Rig.person)
    #expect(book.state.developerModeEnds != nil)
    try book.rebind(
      Rig.clinic.sign(BindingPass(serial: 3, patient: Rig.ben, issued: Rig.noon, expires: expires)).text,
      by: Rig.person)
    #expect(book.state.developerModeEnds == nil)
  }
}
