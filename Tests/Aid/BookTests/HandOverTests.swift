import Base
import Prescriptions
import Testing

@testable import Book

@Suite("Hand-over to a clinic") struct HandOverTests {
  private let rig = Rig()
  private let device = DeviceNumber("0F7A-22C1-0003-E512")!
  private var handOver: HandOver { HandOver(clinic: Rig.clinic.identity, device: device) }

  private func pass(
    _ serial: Int = 50, by clinic: ClinicKey = Rig.clinic, device: DeviceNumber? = nil, lasting: Int = 3600
  ) throws -> String {
    try clinic.sign(
      ReturnPass(
        serial: serial, device: device ?? self.device, issued: Rig.noon, expires: Rig.noon + lasting)
    ).text
  }

  private func giveBack(_ text: String, to book: PrescriptionBook) throws {
    guard case .returnPass(let pass) = try book.read(text, by: Rig.person) else {
      Issue.record("not a return pass")
      return
    }
    try book.giveBack(pass, by: Rig.person)
  }

  private func rows(_ book: PrescriptionBook) throws -> [String] {
    try book.audit().map { "\($0.action) \($0.detail ?? "")" }
  }

  @Test("nothing that another clinic has prescribed is in force any more, and no choice brings it back")
  func othersEnd() throws {
    let state = try rig.closed { book in
      try book.enrol(Rig.otherClinic.identity, by: Rig.person)
      try book.load(try Rig.card(1), by: Rig.person)
      try book.load(try Rig.card(1, .music, by: Rig.otherClinic), by: Rig.person)
      #expect(book.state.inForce?.card.clinic.name == "Clinic South")
      try book.handOver(handOver, by: Rig.person)
      #expect(book.state.inForce?.card.clinic.name == "Clinic North")
      #expect(throws: BookError.clinicRevoked(name: "Clinic South", at: Rig.noon)) {
        try book.use(entry: 2, by: Rig.person)
      }
      #expect(throws: BookError.nothing(for: .music)) { try book.use(.music, by: Rig.person) }
      #expect(throws: BookError.self) { try book.revert(by: Rig.person) }
      #expect(throws: BookError.card(.revokedKey(name: "Clinic South", at: Rig.noon))) {
        try book.load(try Rig.card(2, .music, by: Rig.otherClinic), by: Rig.person)
      }
      #expect(try rows(book).contains("handed-over device 0F7A-22C1-0003-E512"))
    }
    #expect(try rig.reopened().state == state)
  }

  @Test("where only another clinic has prescribed, nothing is in force, on trial or final")
  func nothingLeft() throws {
    for trialEnds in [nil, Rig.noon + 600] {
      let rig = Rig()
      let book = try rig.book()
      try book.enrol(Rig.otherClinic.identity, by: Rig.person)
      try book.load(try Rig.card(1, by: Rig.otherClinic, trialEnds: trialEnds), by: Rig.person)
      try book.handOver(handOver, by: Rig.person)
      #expect(book.state.inForce == nil && book.state.trials.isEmpty && book.state.selected == nil)
    }
  }

  @Test("a clinic that is enrolled on the device later prescribes too")
  func enrolledLater() throws {
    let book = try rig.book()
    try book.handOver(handOver, by: Rig.person)
    try book.enrol(Rig.otherClinic.identity, by: Rig.person)
    try book.load(try Rig.card(1, by: Rig.otherClinic), by: Rig.person)
    #expect(book.state.inForce?.card.clinic.name == "Clinic South")
  }

  @Test(
    "a number that came from the clinic's key is refused from another key of its name, with a remedy that is possible there"
  )
  func enrolledBeside() throws {
    let book = try rig.book()
    try book.handOver(handOver, by: Rig.person)
    let person = try Patient(reference: "P-17", of: "Clinic North")
    try book.load(try Rig.card(1, patient: person), by: Rig.person)
    let second = try ClinicKey(new: "Clinic North", created: Rig.noon + -Rig.day)
    try book.enrol(second.identity, by: Rig.person)
    let refusal = BookError.referenceOfOtherKey(
      name: "Clinic North", known: Rig.clinic.identity.fingerprint, found: second.identity.fingerprint,
      isDevices: true)
    #expect(throws: refusal) { try book.load(try Rig.card(1, by: second, patient: person), by: Rig.person) }
    // Its own key cannot be revoked there.
    #expect(!"\(refusal)".contains("trust revoke"))
    #expect("\(refusal)".hasSuffix("a card with name and date of birth, or with another number."))
  }

  @Test("it trusts a clinic that the book has not seen, keeps the moment of one it has, and is noted once")
  func trust() throws {
    let book = try rig.reopened()
    try book.handOver(handOver, by: Rig.person)
    #expect(book.state.clinics.map(\.identity) == [Rig.clinic.identity])
    rig.clock.pass(60)
    try book.handOver(handOver, by: Rig.person)
    #expect(book.state.clinics.first?.enrolled == Rig.noon)
    #expect(try rows(book).filter { $0.hasPrefix("handed-over") }.count == 1)
  }

  @Test("a device of one clinic is handed over to no other, and that clinic's key is not revoked")
  func belongs() throws {
    let book = try rig.book()
    try book.handOver(handOver, by: Rig.person)
    let other = HandOver(clinic: Rig.otherClinic.identity, device: .drawn)
    #expect(throws: BookError.handedOver(name: "Clinic North")) { try book.handOver(other, by: Rig.person) }
    #expect(throws: BookError.handedOver(name: "Clinic North")) {
      try book.revoke(Rig.clinic.identity.fingerprint, by: Rig.person)
    }
    // Another key of the same name is another clinic's as far as anybody knows, and the name does not tell the two apart.
    let stranger = try ClinicKey(new: "Clinic North", created: Rig.noon)
    let keys = (Rig.clinic.identity.fingerprint, stranger.identity.fingerprint)
    let namesake = BookError.handedOver(name: "Clinic North", found: keys.1, expected: keys.0)
    #expect(throws: namesake) {
      try book.handOver(HandOver(clinic: stranger.identity, device: .drawn), by: Rig.person)
    }
    for key in [keys.0, keys.1] { #expect("\(namesake)".contains(key.grouped)) }
  }

  @Test("a pass of the clinic for this device returns it, once, and the trail has both")
  func returned() throws {
    let state = try rig.closed { book in
      try book.handOver(handOver, by: Rig.person)
      try giveBack(try pass(), to: book)
      #expect(book.state.handOver == nil && book.state.follows(handOver))
      #expect(throws: BookError.notHandedOver) { try giveBack(try pass(), to: book) }
      // Handed over once more, it has another number.
      try book.handOver(HandOver(clinic: Rig.clinic.identity, device: .drawn), by: Rig.person)
      #expect(throws: BookError.self) { try giveBack(try pass(), to: book) }
      let rows = try rows(book)
      #expect(rows.contains("returned pass 50, device 0F7A-22C1-0003-E512"))
      #expect(rows.contains("refused return pass for a device of no clinic"))
      #expect(rows.contains("refused return pass of another device"))
    }
    #expect(try rig.reopened().state == state)
  }

  @Test("a pass of another clinic, of another device, used, expired or forged returns nothing")
  func refused() throws {
    let book = try rig.book()
    try book.handOver(handOver, by: Rig.person)
    // Of a clinic that was trusted before, of one that is trusted since, of one that is not.
    try book.enrol(Rig.otherClinic.identity, by: Rig.person)
    #expect(throws: BookError.otherClinicsPass(name: "Clinic South", owner: "Clinic North")) {
      try giveBack(try pass(by: Rig.otherClinic), to: book)
    }
    let stranger = try ClinicKey(new: "Clinic North", created: Rig.noon)
    #expect(throws: BookError.card(.unknownKey(stranger.identity.fingerprint))) {
      try giveBack(try pass(by: stranger), to: book)
    }
    // Once it is trusted, too: the two are told apart by their keys.
    try book.enrol(stranger.identity, by: Rig.person)
    let keys = (Rig.clinic.identity.fingerprint, stranger.identity.fingerprint)
    let namesake = BookError.otherClinicsPass(
      name: "Clinic North", owner: "Clinic North", found: keys.1, expected: keys.0)
    #expect(throws: namesake) { try giveBack(try pass(by: stranger), to: book) }
    #expect("\(namesake)".contains("the device belongs to the key \(keys.0.grouped) of that name"))
    let other = try #require(DeviceNumber("0F7A-22C1-0003-E513"))
    #expect(throws: BookError.otherDevice(found: other, expected: device)) {
      try giveBack(try pass(device: other), to: book)
    }
    // The serial of a pass that was taken.
    let binding = try Rig.clinic.sign(
      BindingPass(serial: 50, patient: Rig.ada, issued: Rig.noon, expires: Rig.noon + 3600))
    try book.rebind(binding.text, by: Rig.person)
    #expect(throws: BookError.passUsed) { try giveBack(try pass(), to: book) }
    let late = try pass(51, lasting: 60)
    guard case .returnPass(let read) = try book.read(late, by: Rig.person) else {
      Issue.record("not a return pass")
      return
    }
    rig.clock.pass(60)
    #expect(throws: BookError.card(.expired(at: Rig.noon + 60))) { try giveBack(late, to: book) }
    // Verified in time, used too late.
    #expect(throws: BookError.card(.expired(at: Rig.noon + 60))) {
      try book.giveBack(read, by: Rig.person)
    }
    let good = try pass(52)
    let forged = String(good.dropLast(4)) + String(good.suffix(4).reversed())
    #expect(throws: BookError.self) { try giveBack(forged == good ? good + "00" : forged, to: book) }
    #expect(book.state.handOver == handOver)
    let rows = try rows(book)
    for reason in [
      "return pass of another clinic", "card: unknown key", "return pass of another device",
      "pass used before", "card: expired",
    ] { #expect(rows.contains("refused \(reason)"), "\(reason)") }
  }
}

extension Rig {
  /// State of a new book after some work, when it is closed again.
  fileprivate func closed(_ work: (PrescriptionBook) throws -> Void) throws -> BookState {
    let book = try book()
    try work(book)
    return book.state
  }
}
