import Acoustics
import Base
import CommonTesting
import Control
import Glibc
import Prescriptions
import Testing

@testable import Service

@Suite("Prescription desk") struct PrescriptionDeskTests {
  private let folder: TemporaryFolder
  private let clinic: CardMaker
  private let desk: PrescriptionDesk

  init() throws {
    folder = TemporaryFolder()
    clinic = try CardMaker()
    desk = PrescriptionDesk(folder: folder.path + "/book")
  }

  private func ask<Method: BookMethod>(_ method: Method) throws -> Method.Reply {
    try desk.answer(method, fromUser: 1000, process: 42)
  }

  private func refusal(_ method: some BookMethod) throws { _ = try ask(method) }

  private func enrol() throws {
    let identity = clinic.key.identity
    _ = try ask(TrustMethods.Add(card: identity.cardText, fingerprint: identity.fingerprint.grouped))
  }

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
    #expect(desk.prescribed == .byConfiguration)
    #expect(desk.standing == nil)
    #expect(access(folder.path + "/book", F_OK) != 0)
  }

  @Test("a card of a clinic that nobody enrolled is refused, with what to do")
  func unknown() throws {
    let card = try clinic.prescription(1)
    let failure = try #require(throws: Failure.self) { try ask(PrescriptionMethods.Load(card: card)) }
    #expect(failure.exitStatus == .badData)
    #expect(failure.message.contains("auricle trust add"))
    #expect(desk.prescribed == .byConfiguration)
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
    let quiet = try ask(PrescriptionMethods.Load(card: clinic.prescription(1))).book
    #expect(quiet.inForce?.environment == "quiet")
    #expect(quiet.isBound)
    let music = try ask(PrescriptionMethods.Load(card: clinic.prescription(2, for: .music, audiogram: .n4)))
      .book
    #expect(music.inForce?.number == 2)
    #expect(try ask(PrescriptionMethods.Use("quiet")).book.inForce?.number == 1)
    #expect(try ask(PrescriptionMethods.Use("2")).book.inForce?.environment == "music")
    guard case .card(let signed) = desk.prescribed else {
      Issue.record("expected a card")
      return
    }
    #expect(signed.content.audiograms.left == StandardAudiogram.n4.audiogram)
  }

  @Test("a trial is told, accepting makes it final, reverting brings the former one back")
  func tries() throws {
    try enrol()
    _ = try ask(PrescriptionMethods.Load(card: clinic.prescription(1)))
    _ = try ask(PrescriptionMethods.Load(card: clinic.prescription(2, audiogram: .n4)))
    let trial = try ask(PrescriptionMethods.Try("1", seconds: 600)).book
    #expect(trial.inForce?.number == 1)
    #expect(trial.inForce?.trialEnds != nil)
    #expect(try ask(PrescriptionMethods.Revert()).book.inForce?.number == 2)
    _ = try ask(PrescriptionMethods.Try("1", seconds: 600))
    let kept = try ask(PrescriptionMethods.Accept()).book
    #expect(kept.inForce?.number == 1)
    #expect(kept.inForce?.trialEnds == nil)
  }

  @Test("a desk that is opened again hears by the same prescription")
  func again() throws {
    try enrol()
    _ = try ask(PrescriptionMethods.Load(card: clinic.prescription(1)))
    let before = desk.prescribed
    // Only one process at a time may hold the book; this desk gives it back when it goes.
    desk.close()
    let later = PrescriptionDesk(folder: folder.path + "/book")
    #expect(later.open() == nil)
    #expect(later.prescribed == before)
  }

  @Test("a book that is damaged is reported, and the last prescription stays in force")
  func damaged() throws {
    try enrol()
    _ = try ask(PrescriptionMethods.Load(card: clinic.prescription(1)))
    let before = desk.prescribed
    desk.close()
    folder.write(String(repeating: "no database ", count: 400), to: "book/book.sqlite")
    let later = PrescriptionDesk(folder: folder.path + "/book")
    let failure = try #require(later.open())
    #expect(failure.exitStatus == .badData)
    #expect(later.prescribed == before)
    #expect(later.standing?.notes.isEmpty == false)
    let refused = try #require(throws: Failure.self) {
      try later.answer(PrescriptionMethods.Use("quiet"), fromUser: 0, process: 1)
    }
    #expect(refused.exitStatus == .badData)
  }

  @Test("a lost key file is reported, and nothing is amplified that nobody can verify")
  func lostKey() throws {
    try enrol()
    _ = try ask(PrescriptionMethods.Load(card: clinic.prescription(1)))
    desk.close()
    #expect(unlink(folder.path + "/book.key") == 0)
    let later = PrescriptionDesk(folder: folder.path + "/book")
    let failure = try #require(later.open())
    #expect(failure.exitStatus == .configuration)
    #expect(later.prescribed == .nothing)
    #expect(access(folder.path + "/book.key", F_OK) != 0, "no new key is made over an old book")
  }

  @Test(
    "a state folder that others may change is not used: nothing is amplified, with a book in it or without")
  func changeable() throws {
    chmod(folder.path, 0o777)
    let empty = PrescriptionDesk(folder: folder.path + "/book")
    let failure = try #require(empty.open())
    #expect(failure.subject == folder.path && failure.exitStatus == .noPermission)
    #expect(empty.prescribed == .nothing)
    #expect(empty.standing?.notes.first == failure.message)
    #expect(throws: Failure.self) { try enrol() }
    // Mended: the next look finds it.
    chmod(folder.path, 0o700)
    #expect(empty.advance() == nil)
    #expect(empty.prescribed == .byConfiguration)
    #expect(empty.standing == nil)
    try enrol()
    _ = try ask(PrescriptionMethods.Load(card: clinic.prescription(1)))
    desk.close()
    chmod(folder.path, 0o777)
    let later = PrescriptionDesk(folder: folder.path + "/book")
    #expect(later.open() != nil)
    #expect(later.prescribed == .nothing)
    chmod(folder.path, 0o700)
    #expect(later.advance() == nil)
    guard case .card = later.prescribed else {
      Issue.record("expected the card of a folder that was mended")
      return
    }
  }

  @Test("a book of another user is not used, nor the note of what it held")
  func otherUsers() throws {
    // Only root can give files away.
    guard geteuid() == 0 else { return }
    try enrol()
    _ = try ask(PrescriptionMethods.Load(card: clinic.prescription(1)))
    desk.close()
    #expect(chown(folder.path + "/book", 1, 1) == 0)
    let later = PrescriptionDesk(folder: folder.path + "/book")
    let failure = try #require(later.open())
    #expect(failure.message.contains("user 1 as its owner"))
    #expect(later.prescribed == .nothing)
    #expect(later.standing?.notes.isEmpty == false)
  }

  @Test("a book that another process holds for a moment is waited for, and one that it keeps is said")
  func held() throws {
    try enrol()
    desk.close()
    let later = PrescriptionDesk(folder: folder.path + "/book")
    do {
      let lock = try HeldLock(of: folder.path + "/book/book.lock")
      let failure = try #require(later.open())
      #expect(failure.exitStatus == .temporary)
      #expect(later.prescribed == .nothing)
      #expect(later.standing?.notes.isEmpty == false)
      withExtendedLifetime(lock) {}
    }
    #expect(later.open(patience: 0.5) == nil)
    #expect(later.prescribed == .byConfiguration)
  }

  @Test("what is to be heard and reported is told while the book is being opened")
  func opening() throws {
    try enrol()
    desk.close()
    let later = PrescriptionDesk(folder: folder.path + "/book")
    let lock = try HeldLock(of: folder.path + "/book/book.lock")
    let disk = DiskThread()
    // Longer than the questions below take on the busiest machine; the lock ends it.
    disk.submit { _ = later.open(patience: 600) }
    #expect(eventually { later.standing != nil })
    #expect(later.prescribed == .nothing)
    lock.release()
    #expect(eventually { later.prescribed == .byConfiguration && later.standing?.notes.isEmpty == true })
  }

  @Test("who asked stands in the audit trail, and no name does")
  func audit() throws {
    try enrol()
    _ = try ask(PrescriptionMethods.Load(card: clinic.prescription(1, patient: "Zebedee")))
    let report = try ask(BookMethods.ShowAudit(count: 10))
    #expect(report.lines.map(\.action) == ["enrolled", "loaded"])
    #expect(report.lines.allSatisfy { $0.userID == 1000 && $0.processID == 42 && $0.channel == "command" })
    #expect(!report.lines.contains { $0.subject.contains("Zebedee") })
    #expect(try ask(BookMethods.VerifyAudit()) == AuditVerdict(count: 2, problem: nil))
  }

  @Test("a revoked clinic's cards are refused, by enough of its fingerprint to mean it")
  func revokes() throws {
    try enrol()
    let beginning = String(clinic.key.identity.fingerprint.grouped.prefix(9)).lowercased()
    _ = try ask(TrustMethods.Revoke(fingerprint: beginning))
    let failure = try #require(throws: Failure.self) {
      try ask(PrescriptionMethods.Load(card: clinic.prescription(1)))
    }
    #expect(failure.message.contains("withdrawn"))
    #expect(throws: Failure.self) { try ask(TrustMethods.Revoke(fingerprint: "zzzz")) }
    #expect(throws: Failure.self) { try ask(TrustMethods.Revoke(fingerprint: "")) }
  }

  @Test("the clinic's own card is no prescription, and the message says what it is for")
  func clinicCard() throws {
    try enrol()
    let failure = try #require(throws: Failure.self) {
      try ask(PrescriptionMethods.Load(card: clinic.key.identity.cardText))
    }
    #expect(failure.message.contains("auricle trust add"))
  }
}
