import Base
import Book
import Control
import Prescriptions
import Testing

@testable import Service

@Suite("Cards for a device's patient, and another's") struct StorePatientTests: BookSuite {
  let book: TrustingBook

  init() throws { book = try TrustingBook(isEnrolled: false) }

  @Test(
    "whoever looks at a card is told by name and birth date whose it is, whose the device is, and what changes"
  )
  func preview() throws {
    try enrol()
    let first = try ask(PrescriptionMethods.Look(card: clinic.prescription(1)))
    #expect(first.kind == "prescription" && first.serial == 1 && first.environment == "quiet")
    #expect(first.person?.words == "Ada Example, born 1950-02-03" && first.wearer == nil)
    #expect(first.question == "Is this the hearing aid of Ada Example, born 1950-02-03?")
    #expect(first.effects == ["From then on this device takes this person's cards only."])
    try load(clinic.prescription(1))
    let second = try ask(PrescriptionMethods.Look(card: clinic.prescription(2)))
    #expect(second.wearer == second.person)
    #expect(second.effects == ["It takes the place of number 1 for quiet, which stays in the book."])
  }

  @Test("a binding pass shows both people, asks, and takes nothing away before")
  func handingOver() throws {
    try enrol()
    try load(clinic.prescription(1))
    let birth = try #require(CalendarDate(year: 1980, month: 5, day: 6))
    let pass = try BindingPass(
      serial: 2, patient: Patient(givenName: "Eve", familyName: "Other", birthDate: birth),
      issued: clinic.now, expires: clinic.now + 3600)
    let card = try clinic.key.sign(pass).text
    let preview = try ask(PrescriptionMethods.Look(card: card))
    #expect(preview.wearer?.words == "Ada Example, born 1950-02-03")
    #expect(preview.person?.words == "Eve Other, born 1980-05-06")
    #expect(
      preview.question
        == "Hand this hearing aid over from Ada Example, born 1950-02-03, to Eve Other, born 1980-05-06?")
    #expect(preview.effects.first?.hasPrefix("Nothing is amplified from then on until") == true)
    #expect(try ask(PrescriptionMethods.List()).inForce?.number == 1)
    _ = try ask(PrescriptionMethods.Load(card: card, confirmation: preview.confirmation))
    #expect(store.known.prescribed == .nothing)
  }

  /// As a person scans a binding pass.
  private func bind(_ serial: Int, to name: String) throws -> (effects: [String], message: String) {
    let birth = try #require(CalendarDate(year: 1950, month: 2, day: 3))
    let pass = try BindingPass(
      serial: serial, patient: Patient(givenName: name, familyName: "Example", birthDate: birth),
      issued: clinic.now, expires: clinic.now + 3600)
    let card = try clinic.key.sign(pass).text
    let preview = try ask(PrescriptionMethods.Look(card: card))
    return (
      preview.effects,
      try ask(PrescriptionMethods.Load(card: card, confirmation: preview.confirmation)).message
    )
  }

  @Test("a binding pass says whose the device is then: a first person's, still the same one's, another's")
  func bound() throws {
    try enrol()
    let first = try bind(101, to: "Ada")
    #expect(
      first.effects == [
        "From then on this device takes this person's cards only.",
        "Nothing is amplified from then on until one is scanned.",
      ])
    #expect(
      first.message == "This device belongs to this patient from now on. "
        + "Nothing is prescribed until a card of theirs is scanned.")
    #expect(store.known.prescribed == .nothing)
    try load(clinic.prescription(1))
    let same = try bind(102, to: "Ada")
    #expect(same.effects == ["It is this person's already, and stays so."])
    #expect(
      same.message
        == "This device is this patient's already, and stays so; what is prescribed does not change.")
    #expect(try ask(PrescriptionMethods.List()).inForce?.number == 1)
    let other = try bind(103, to: "Eve")
    #expect(
      other.message == "This device belongs to another patient from now on. "
        + "Nothing is prescribed until that patient's card is scanned.")
    #expect(try ask(PrescriptionMethods.List()).inForce == nil)
  }

  @Test("on a device that came back to a former patient, an environment means that patient's own card")
  func boundBack() throws {
    try enrol()
    try load(clinic.prescription(1))
    _ = try bind(101, to: "Bo")
    try load(clinic.prescription(2, patient: "Bo"))
    try load(clinic.prescription(3, for: .music, patient: "Bo"))
    _ = try bind(102, to: "Ada")
    let unchosen = try #require(throws: Failure.self) { try ask(PrescriptionMethods.Use("quiet")) }
    #expect(unchosen.exitStatus == .usage)
    #expect(
      unchosen.message == "prescription book: No prescription for quiet is in force. "
        + "The latest one that may be used: auricle rx use 1")
    // The former person's environment is nothing to this one.
    let calls: [any BookMethod] = [
      PrescriptionMethods.Use("music"), PrescriptionMethods.Try("music", seconds: 600),
    ]
    for call in calls {
      let unknown = try #require(throws: Failure.self) { try refusal(call) }
      #expect(unknown.exitStatus == .usage)
      #expect(unknown.message.contains("There is no prescription for music, only for quiet"))
    }
    for wanted in [nil, "quiet"] {
      #expect(try ask(PrescriptionMethods.Try(wanted, seconds: 600)).book.inForce?.number == 1)
    }
    #expect(try ask(PrescriptionMethods.Use("1")).book.inForce?.number == 1)
    #expect(try ask(PrescriptionMethods.Use("quiet")).book.inForce?.number == 1)
  }

  @Test(
    "for an environment without a prescription in force a card that may be used is named; where none is, the refusal says why",
    arguments: [true, false])
  func unusable(hasUsable: Bool) throws {
    try enrol()
    if hasUsable {
      try load(clinic.prescription(1))
      _ = try bind(101, to: "Bo")
      _ = try bind(102, to: "Ada")
    }
    let ends = clinic.now + 3600
    try load(clinic.prescription(2, trialEnds: ends))
    store.close()
    let later = PrescriptionStore(
      folder: folder.path + "/book", clock: BookClock(wall: { ends + 60 }, running: { 100 }))
    #expect(later.open() == nil)
    let failure = try #require(throws: Failure.self) {
      try later.answer(PrescriptionMethods.Use("quiet"), fromUser: 1000, process: 42)
    }
    if hasUsable {
      #expect(failure.exitStatus == .usage)
      #expect(failure.message.hasSuffix("The latest one that may be used: auricle rx use 1"))
      let used = try later.answer(PrescriptionMethods.Use("1"), fromUser: 1000, process: 42)
      #expect(used.book.inForce?.number == 1)
    } else {
      #expect(failure.exitStatus == .badData && failure.message.contains("Its trial ended on"))
    }
  }

  @Test(
    "where a clinic whose key was revoked made the latest card for an environment, a refusal names the other one, and a trial takes it"
  )
  func revokedLatest() throws {
    try enrol()
    try load(clinic.prescription(1, for: .music))
    let bay = try CardMaker("Bay Clinic")
    let key = bay.key.identity
    _ = try ask(TrustMethods.Add(card: key.cardText, fingerprint: key.fingerprint.grouped))
    try load(bay.prescription(2, for: .music, audiogram: .n4))
    try load(clinic.prescription(3))
    _ = try ask(TrustMethods.Revoke(fingerprint: key.fingerprint.grouped))
    func check(_ call: some BookMethod) throws {
      let failure = try #require(throws: Failure.self) { try refusal(call) }
      #expect(failure.exitStatus == .noPermission)
      #expect(failure.message.hasPrefix("card: It is from Bay Clinic, whose key was revoked on "))
      #expect(failure.message.hasSuffix(". The latest one that may be used: auricle rx use 1"))
    }
    try check(PrescriptionMethods.Use("music"))
    #expect(try ask(PrescriptionMethods.Try("music", seconds: 600)).book.inForce?.number == 1)
    // Behind the one in force lies the other clinic's.
    try load(clinic.prescription(4, for: .music))
    try check(PrescriptionMethods.Revert())
    #expect(try ask(PrescriptionMethods.Use("1")).book.inForce?.number == 1)
  }

  @Test(
    "where the latest card may not be used, a trial of the environment in force takes no card that is older than that one",
    arguments: [true, false])
  func olderThanInForce(isRevoked: Bool) throws {
    try enrol()
    try load(clinic.prescription(1, for: .music))
    try load(clinic.prescription(2, for: .music, audiogram: .n4))
    let ends = clinic.now + 3600
    var later = store
    if isRevoked {
      let bay = try CardMaker("Bay Clinic")
      let key = bay.key.identity
      _ = try ask(TrustMethods.Add(card: key.cardText, fingerprint: key.fingerprint.grouped))
      try load(bay.prescription(3, for: .music, audiogram: .n2))
      #expect(try ask(PrescriptionMethods.Use("2")).book.inForce?.number == 2)
      _ = try ask(TrustMethods.Revoke(fingerprint: key.fingerprint.grouped))
    } else {
      try load(clinic.prescription(3, for: .music, audiogram: .n2, trialEnds: ends))
      store.close()
      later = PrescriptionStore(
        folder: folder.path + "/book", clock: BookClock(wall: { ends + 60 }, running: { 100 }))
      #expect(later.open() == nil)
    }
    let failure = try #require(throws: Failure.self) {
      try later.answer(PrescriptionMethods.Try("music", seconds: 600), fromUser: 1000, process: 42)
    }
    #expect(failure.exitStatus == (isRevoked ? .noPermission : .badData))
    #expect(failure.message.contains(isRevoked ? "It is from Bay Clinic" : "Its trial ended on"))
    let list = try later.answer(PrescriptionMethods.List(), fromUser: 1000, process: 42)
    #expect(list.inForce?.number == 2 && list.inForce?.trialEndsUnixSeconds == nil)
  }

  @Test("a card that came after the one in force is tried where the latest may not be used")
  func newerThanInForce() throws {
    try enrol()
    try load(clinic.prescription(1, for: .music))
    try load(clinic.prescription(2, for: .music, audiogram: .n4))
    let bay = try CardMaker("Bay Clinic")
    let key = bay.key.identity
    _ = try ask(TrustMethods.Add(card: key.cardText, fingerprint: key.fingerprint.grouped))
    try load(bay.prescription(3, for: .music, audiogram: .n2))
    #expect(try ask(PrescriptionMethods.Use("1")).book.inForce?.number == 1)
    _ = try ask(TrustMethods.Revoke(fingerprint: key.fingerprint.grouped))
    #expect(try ask(PrescriptionMethods.Try("music", seconds: 600)).book.inForce?.number == 2)
  }

  @Test(
    "a prescription that a card for another environment replaces is neither listed nor chosen without saying so"
  )
  func replacedElsewhere() throws {
    try enrol()
    try load(clinic.prescription(1))
    let card = try clinic.prescription(2, for: .music, audiogram: .n2, supersedes: 1)
    #expect(
      try ask(PrescriptionMethods.Look(card: card)).effects == [
        "The clinic replaces number 1, for quiet, by it. That one stays in force for quiet until a card for quiet "
          + "takes its place: ask the clinic for one."
      ])
    #expect(try ask(PrescriptionMethods.List()).prescriptions.map(\.replacedBySerial) == [nil])
    try load(card)
    let listed = try ask(PrescriptionMethods.List()).prescriptions
    #expect(listed.map(\.number) == [2, 1] && listed.map(\.standing) == ["current", "current"])
    #expect(listed.map(\.replacedBySerial) == [nil, 2])
    #expect(
      try ask(PrescriptionMethods.Use("quiet")).message.hasSuffix(
        "(serial 1). Its clinic replaces it by serial 2, for music: ask there which one you are to use."))
    // A prescription that is replaced in its own environment is a former one there.
    try load(clinic.prescription(3, supersedes: 1))
    let later = try ask(PrescriptionMethods.List()).prescriptions
    #expect(later.map(\.standing) == ["current", "current", "former"])
    #expect(later.map(\.replacedBySerial) == [nil, nil, nil])
  }

  @Test(
    "a prescription that came back by rx revert is told as replaced, also where its own environment has a replacement"
  )
  func replacedTwice() throws {
    try enrol()
    try load(clinic.prescription(1))
    try load(clinic.prescription(2, audiogram: .n2, supersedes: 1))
    #expect(try ask(PrescriptionMethods.Revert()).book.inForce?.number == 1)
    try load(clinic.prescription(3, for: .music, supersedes: 1))
    #expect(try ask(PrescriptionMethods.List()).prescriptions.map(\.replacedBySerial) == [nil, nil, 3])
    #expect(
      try ask(PrescriptionMethods.Use("quiet")).message.hasSuffix(
        "(serial 1). Its clinic replaces it by serial 3, for music: ask there which one you are to use."))
  }

  @Test("of one on trial the question says that its trial may end before")
  func replacedTrial() throws {
    try enrol()
    try load(clinic.prescription(1, trialEnds: clinic.now + 3600))
    let card = try clinic.prescription(2, for: .music, supersedes: 1)
    #expect(
      try ask(PrescriptionMethods.Look(card: card)).effects == [
        "The clinic replaces number 1, for quiet, by it. That one stays in force for quiet until its trial ends or a card "
          + "for quiet takes its place: ask the clinic for one."
      ])
  }
}
