import Prescriptions
import Testing

@testable import Book

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
    "a number from another key of the clinic's name is refused while the key that it came from is trusted; then it goes by the name"
  )
  func sameNumber() throws {
    let book = try rig.book()
    let other = try ClinicKey(new: "Clinic North", created: Rig.noon + -Rig.day)
    try book.enrol(other.identity, by: Rig.person)
    let person = try Patient(reference: "P-17", of: "Clinic North")
    try book.load(try Rig.card(1, patient: person), by: Rig.person)
    let (known, found) = (Rig.clinic.identity.fingerprint, other.identity.fingerprint)
    let refusal = BookError.referenceOfOtherKey(
      name: "Clinic North", known: known, found: found, isDevices: false)
    #expect("\(refusal)".contains(known.grouped) && "\(refusal)".contains(found.grouped))
    let digits = known.grouped.filter { $0 != " " }.prefix(8)
    #expect("\(refusal)".contains("auricle trust revoke \(digits)."))
    #expect("\(refusal)".contains("auricle trust add CARD."))
    let card = try Rig.card(1, by: other, patient: person)
    #expect(throws: refusal) { try book.load(card, by: Rig.person) }
    #expect(try book.audit().last?.detail == "reference of another key")
    let pass = try BindingPass(serial: 2, patient: person, issued: Rig.noon, expires: Rig.noon + 3600)
    #expect(throws: refusal) { try book.rebind(other.sign(pass).text, by: Rig.person) }
    // The key itself goes on.
    #expect(try book.load(try Rig.card(2, patient: person), by: Rig.person).number == 2)
    try book.revoke(known, by: Rig.person)
    #expect(book.state.isNewKey(other.identity, of: person))
    #expect(try book.load(card, by: Rig.person).number == 3)
    #expect(!book.state.isNewKey(other.identity, of: person))
    // Prescriptions of the former key are chosen again once it is trusted again.
    #expect(throws: BookError.clinicRevoked(name: "Clinic North", at: Rig.noon)) {
      try book.use(entry: 2, by: Rig.person)
    }
    // Both are the person's from then on, whichever is trusted.
    try book.enrol(Rig.clinic.identity, by: Rig.person)
    #expect(try book.load(try Rig.card(3, patient: person), by: Rig.person).number == 4)
    #expect(try book.load(try Rig.card(2, by: other, patient: person), by: Rig.person).number == 5)
    #expect(book.state == BookState(folding: try book.events(), at: book.now))
  }

  @Test("a number goes by the clinic's name once the time of the key that it came from is over")
  func numberOfEndedKey() throws {
    let book = try rig.book()
    let former = try ClinicKey(
      new: "Clinic East", created: Rig.noon + -Rig.day, validUntil: Rig.noon + 60)
    let later = try ClinicKey(new: "Clinic East", created: Rig.noon + -Rig.day)
    for clinic in [former, later] { try book.enrol(clinic.identity, by: Rig.person) }
    let person = try Patient(reference: "P-17", of: "Clinic East")
    try book.load(try Rig.card(1, by: former, patient: person), by: Rig.person)
    let card = try Rig.card(1, by: later, patient: person)
    #expect(throws: BookError.self) { try book.load(card, by: Rig.person) }
    rig.clock.pass(60)
    #expect(try book.load(card, by: Rig.person).number == 2)
  }

  @Test("a person with a name is the same one for every clinic, of one name or another")
  func namedPerson() throws {
    let book = try rig.book()
    let other = try ClinicKey(new: "Clinic North", created: Rig.noon + -Rig.day)
    try book.enrol(other.identity, by: Rig.person)
    try book.load(try Rig.card(1), by: Rig.person)
    #expect(try book.load(try Rig.card(1, by: other), by: Rig.person).number == 2)
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

  // Hangul's fillers, wide and half as wide, and Braille's empty cell.
  @Test(
    "a binding pass for a person whose name has what cannot be seen is not taken",
    arguments: ["\u{3164}", "\u{115F}", "\u{FFA0}", "\u{2800}"])
  func invisiblePerson(character: String) throws {
    let book = try rig.book()
    let birth = try #require(Rig.ada.birthDate)
    let people = [
      try Patient(givenName: "Ada" + character, familyName: "Example", birthDate: birth),
      try Patient(givenName: "Ada", familyName: character, birthDate: birth),
      try Patient(reference: "P-17" + character, of: "Clinic North"),
    ]
    for (serial, person) in people.enumerated() {
      let pass = try BindingPass(
        serial: serial + 1, patient: person, issued: Rig.noon, expires: Rig.noon + 3600)
      #expect(throws: BookError.self) { try book.rebind(Rig.clinic.sign(pass).text, by: Rig.person) }
    }
    #expect(book.state.boundPatient == nil)
  }
}
