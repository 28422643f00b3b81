import Base
import Control
import Glibc
import Prescriptions
import Testing

@testable import Service

@Suite("A store's book that is damaged, taken away, another's or held") struct StoreFaultTests: BookSuite {
  let book: TrustingBook

  init() throws { book = try TrustingBook(isEnrolled: false) }

  @Test("a book that is damaged is reported, and the last prescription stays in force")
  func damaged() throws {
    try enrol()
    _ = try load(clinic.prescription(1))
    let before = store.known.prescribed
    store.close()
    folder.write(String(repeating: "no database ", count: 400), to: "book/book.sqlite")
    let later = otherStore()
    let failure = try #require(later.open())
    #expect(failure.exitStatus == .badData)
    #expect(later.known.prescribed == before)
    #expect(later.known.standing?.notes.isEmpty == false)
    let refused = try #require(throws: Failure.self) {
      try later.answer(PrescriptionMethods.Use("quiet"), fromUser: 0, process: 1)
    }
    #expect(refused.exitStatus == .badData)
  }

  @Test(
    "without the book, another clinic's last prescription is neither heard on a clinic's device nor said to be"
  )
  func damagedOnClinicsDevice() throws {
    try enrol()
    _ = try load(clinic.prescription(1))
    store.close()
    folder.write(String(repeating: "no database ", count: 400), to: "book/book.sqlite")
    let later = otherStore()
    let failure = try #require(later.open())
    let note = "The last prescription that was heard stays in force."
    for (owner, isHeard) in [(clinic, true), (try CardMaker("Other Clinic"), false)] {
      var known = later.known
      known.device = .clinics(
        DeviceMark(clinic: owner.key.identity, device: .drawn, since: owner.now, by: 1000, daemonUser: 900))
      let standing = try #require(known.standing)
      #expect(standing.serial == (isHeard ? 1 : nil))
      #expect(standing.clinic == (isHeard ? "City Hearing Clinic" : nil))
      #expect(standing.notes == [failure.message] + (isHeard ? [note] : []))
      #expect((known.prescribed == .nothing) == !isHeard)
    }
  }

  @Test("a book that is taken away while its last prescription is heard leaves that one in force")
  func takenAway() throws {
    try enrol()
    _ = try load(clinic.prescription(1))
    let before = store.known.prescribed
    store.close()
    folder.write(String(repeating: "no database ", count: 400), to: "book/book.sqlite")
    let later = otherStore()
    let failure = try #require(later.open())
    for name in ["book", "book.key"] {
      #expect(rename(folder.file(name), folder.file(name + ".away")) == 0)
    }
    #expect(later.advance() == failure)
    #expect(later.known.prescribed == before)
    #expect(later.known.standing?.notes.first == failure.message)
  }

  @Test(
    "a book that is taken away while nobody can read what it prescribed leaves nothing amplified",
    arguments: [["book", "book.key"], ["book.key", "book"]])
  func unknownTakenAway(names: [String]) throws {
    try enrol()
    _ = try load(clinic.prescription(1))
    store.close()
    folder.write([1, 2, 3], to: "book.key")
    let later = otherStore()
    #expect(later.open() != nil && later.known.prescribed == .nothing)
    for name in names {
      #expect(rename(folder.file(name), folder.file(name + ".away")) == 0)
      #expect(later.advance() != nil)
      #expect(later.known.prescribed == .nothing)
    }
  }

  @Test("a book that another process has open is not restored, and one that is not there can be")
  func checkClosed() throws {
    try store.checkClosed()
    try enrol()
    let failure = try #require(throws: Failure.self) { try store.checkClosed() }
    #expect(failure.exitStatus == .temporary && failure.message.contains("has the book open"))
    store.close()
    try store.checkClosed()
  }

  @Test(
    "a state folder that others may change is not used: nothing is amplified, with a book in it or without")
  func changeable() throws {
    chmod(folder.path, 0o777)
    let empty = otherStore()
    let failure = try #require(empty.open())
    #expect(failure.subject == folder.path && failure.exitStatus == .noPermission)
    #expect(empty.known.prescribed == .nothing)
    #expect(empty.known.standing?.notes.first == failure.message)
    #expect(throws: Failure.self) { try enrol() }
    // Put right: the next look finds it.
    chmod(folder.path, 0o700)
    #expect(empty.advance() == nil)
    #expect(empty.known.prescribed == .byConfiguration)
    #expect(empty.known.standing == nil)
    try enrol()
    _ = try load(clinic.prescription(1))
    store.close()
    chmod(folder.path, 0o777)
    let later = otherStore()
    #expect(later.open() != nil)
    #expect(later.known.prescribed == .nothing)
    chmod(folder.path, 0o700)
    #expect(later.advance() == nil)
    guard case .card = later.known.prescribed else {
      Issue.record("expected the card of a folder that was put right")
      return
    }
  }

  @Test(
    "a book of another user is not used, nor the note of what it held",
    .enabled(if: geteuid() == 0, "only root can give files away"))
  func otherUsers() throws {
    try enrol()
    _ = try load(clinic.prescription(1))
    store.close()
    #expect(chown(folder.path + "/book", 1, 1) == 0)
    let later = otherStore()
    let failure = try #require(later.open())
    #expect(failure.message.contains("user 1 as its owner"))
    #expect(later.known.prescribed == .nothing)
    #expect(later.known.standing?.notes.isEmpty == false)
  }

  @Test("a book that another process holds for a moment is waited for, and one that it keeps is said")
  func held() throws {
    try enrol()
    store.close()
    let later = otherStore()
    do {
      let lock = try HeldLock(of: folder.path + "/book/book.lock")
      let failure = try #require(later.open())
      #expect(failure.exitStatus == .temporary)
      #expect(later.known.prescribed == .nothing)
      #expect(later.known.standing?.notes.isEmpty == false)
      withExtendedLifetime(lock) {}
    }
    #expect(later.open(patience: 0.5) == nil)
    #expect(later.known.prescribed == .byConfiguration)
  }
}
