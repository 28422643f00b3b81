import Acoustics
import Base
import Book
import Control
import Glibc
import Prescriptions
import Testing

@testable import Service

@Suite struct PrescriptionStoreTests: BookSuite {
  let book: TrustingBook

  init() throws { book = try TrustingBook(isEnrolled: false) }

  @Test("before the first card there is an empty book, and no file is made")
  func empty() throws {
    #expect(try ask(PrescriptionMethods.List()).prescriptions.isEmpty)
    #expect(try ask(TrustMethods.List()) == ClinicsReport(clinics: []))
    let calls: [any BookMethod] = [
      PrescriptionMethods.Use("quiet"), PrescriptionMethods.Accept(), PrescriptionMethods.Revert(),
      PrescriptionMethods.Card(number: nil), TrustMethods.Revoke(fingerprint: "ABCD"),
    ]
    for call in calls {
      let failure = try #require(throws: Failure.self) { try refusal(call) }
      #expect(failure.exitStatus == .noInput)
    }
    #expect(store.known.prescribed == .byConfiguration)
    #expect(store.known.standing == nil)
    #expect(access(folder.path + "/book", F_OK) != 0)
  }

  @Test("a card of a clinic that nobody enrolled is refused, with what to do")
  func unknown() throws {
    let card = try clinic.prescription(1)
    let failure = try #require(throws: Failure.self) { try load(card) }
    #expect(failure.exitStatus == .badData)
    #expect(failure.message.contains("auricle trust add"))
    #expect(store.known.prescribed == .byConfiguration)
  }

  @Test("a clinic whose fingerprint is not the one that was compared is not enrolled")
  func differs() throws {
    let other = try CardMaker("Other Clinic").key.identity.fingerprint.grouped
    let failure = try #require(throws: Failure.self) {
      try ask(TrustMethods.Add(card: clinic.key.identity.cardText, fingerprint: other))
    }
    #expect(failure.exitStatus == .noPermission)
    #expect(try ask(TrustMethods.List()).clinics.isEmpty)
  }

  @Test("a card that is loaded is heard, and another environment's when it is chosen")
  func loads() throws {
    try enrol()
    let quiet = try load(clinic.prescription(1)).book
    #expect(quiet.inForce?.environment == "quiet")
    #expect(quiet.isBound)
    let music = try load(clinic.prescription(2, for: .music, audiogram: .n4))
      .book
    #expect(music.inForce?.number == 2)
    #expect(try ask(PrescriptionMethods.Use("quiet")).book.inForce?.number == 1)
    #expect(try ask(PrescriptionMethods.Use("2")).book.inForce?.environment == "music")
    guard case .card(let prescription, _) = store.known.prescribed else {
      Issue.record("expected a card")
      return
    }
    #expect(prescription.audiograms.left == StandardAudiogram.n4.audiogram)
  }

  @Test("a trial is told, accepting makes it final, reverting brings the former one back")
  func tries() throws {
    try enrol()
    _ = try load(clinic.prescription(1))
    _ = try load(clinic.prescription(2, audiogram: .n4))
    let trial = try ask(PrescriptionMethods.Try("1", seconds: 600)).book
    #expect(trial.inForce?.number == 1)
    #expect(trial.inForce?.trialEndsUnixSeconds != nil)
    #expect(try ask(PrescriptionMethods.Revert()).book.inForce?.number == 2)
    _ = try ask(PrescriptionMethods.Try("1", seconds: 600))
    let kept = try ask(PrescriptionMethods.Accept()).book
    #expect(kept.inForce?.number == 1)
    #expect(kept.inForce?.trialEndsUnixSeconds == nil)
  }

  @Test("what somebody answers for is in the audit trail also before there is any prescription")
  func firstNote() throws {
    let actor = Actor(
      channel: .socket, userID: 1001, processID: 8, authority: Authority(role: "audiologist", means: "PAM"))
    #expect(store.note(.recordingAllowed, "for 60 s", by: actor) == nil)
    let line = try #require(try ask(BookMethods.ShowAudit(count: 10)).lines.first)
    #expect(line.action == "recording-allowed" && line.role == "audiologist")
    // The sound still follows the configuration.
    guard case .byConfiguration = store.known.prescribed else {
      Issue.record("\(store.known.prescribed)")
      return
    }
  }

  @Test("an export is in the audit trail before the card is given; reading a card is not an export")
  func exports() throws {
    try enrol()
    let card = try clinic.prescription(1)
    try load(card)
    _ = try ask(PrescriptionMethods.Card(number: 1))
    #expect(try ask(BookMethods.ShowAudit(count: 10)).lines.map(\.action) == ["enrolled", "loaded"])
    #expect(try ask(PrescriptionMethods.Export(number: nil)).card == card)
    let line = try #require(try ask(BookMethods.ShowAudit(count: 10)).lines.last)
    #expect(line.action == "exported")
    // The book is read again with the event in it.
    store.close()
    #expect(store.open() == nil)
    #expect(try ask(PrescriptionMethods.List()).inForce?.number == 1)
  }

  @Test("a store that is opened again has the same prescription in force")
  func again() throws {
    try enrol()
    _ = try load(clinic.prescription(1))
    let before = store.known.prescribed
    // Only one process at a time may hold the book; this store gives it back when it goes.
    store.close()
    let later = otherStore()
    #expect(later.open() == nil)
    #expect(later.known.prescribed == before)
  }

  @Test("who asked stands in the audit trail, and no name does")
  func audit() throws {
    try enrol()
    _ = try load(clinic.prescription(1, patient: "Zebedee"))
    let report = try ask(BookMethods.ShowAudit(count: 10))
    #expect(report.lines.map(\.action) == ["enrolled", "loaded"])
    #expect(report.lines.allSatisfy { $0.uid == 1000 && $0.pid == 42 && $0.channel == "command" })
    #expect(!report.lines.contains { $0.subject.contains("Zebedee") })
    let verdict = try ask(BookMethods.VerifyAudit())
    #expect(verdict.count == 2 && verdict.problem == nil)
    let head = try #require(verdict.head)
    #expect(try ask(BookMethods.VerifyAudit(head: head)).problem == nil)
    let longer = "3" + head.dropFirst()
    #expect(try ask(BookMethods.VerifyAudit(head: longer)).problem?.contains("its end was cut off") == true)
  }

  @Test("a card is taken in by nobody who has not looked at it: no confirmation, no change")
  func unseen() throws {
    try enrol()
    let card = try clinic.prescription(1)
    for confirmation in [nil, "", "0123456789abcdef0123456789abcdef"] {
      let failure = try #require(throws: Failure.self) {
        try ask(PrescriptionMethods.Load(card: card, confirmation: confirmation))
      }
      #expect(failure.exitStatus == .usage && failure.message.contains("Nobody has confirmed"))
    }
    #expect(try ask(PrescriptionMethods.List()).prescriptions.isEmpty)
    #expect(store.known.prescribed == .byConfiguration)
  }

  @Test("a clinic with the name of another is told apart by its key, and a key whose time is over is told")
  func lookalikes() throws {
    try enrol()
    let other = try CardMaker().key.identity
    let answer = try ask(TrustMethods.Add(card: other.cardText, fingerprint: other.fingerprint.grouped))
    #expect(answer.message.contains("has the same name"))
    #expect(answer.message.contains(clinic.key.identity.fingerprint.grouped.prefix(9)))
    let over = try ClinicKey(new: "Old", created: clinic.now + -9, validUntil: clinic.now + -3).identity
    let message = try ask(TrustMethods.Add(card: over.cardText, fingerprint: over.fingerprint.grouped))
      .message
    #expect(!message.contains("from now on") && message.contains("so its cards are refused"))
  }

  @Test("a revoked clinic's cards are refused, by enough of its fingerprint to mean it")
  func revokes() throws {
    try enrol()
    let beginning = String(clinic.key.identity.fingerprint.grouped.prefix(9)).lowercased()
    _ = try ask(TrustMethods.Revoke(fingerprint: beginning))
    let failure = try #require(throws: Failure.self) {
      try load(clinic.prescription(1))
    }
    #expect(failure.message.contains("withdrawn"))
    #expect(throws: Failure.self) { try ask(TrustMethods.Revoke(fingerprint: "zzzz")) }
    #expect(throws: Failure.self) { try ask(TrustMethods.Revoke(fingerprint: "")) }
  }

  @Test("the clinic's own card is no prescription, and the message says what it is for")
  func clinicCard() throws {
    try enrol()
    let failure = try #require(throws: Failure.self) {
      try load(clinic.key.identity.cardText)
    }
    #expect(failure.message.contains("auricle trust add"))
  }
}
