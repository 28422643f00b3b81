import Acoustics
import Base
import Book
import CommonTesting
import Control
import Glibc
import Prescriptions
import Testing

@testable import Service

@Suite struct PrescriptionStoreTests {
  private let folder: TemporaryFolder
  private let clinic: CardMaker
  private let store: PrescriptionStore

  init() throws {
    folder = TemporaryFolder()
    clinic = try CardMaker()
    store = PrescriptionStore(folder: folder.path + "/book")
  }

  private func ask<Method: BookMethod>(_ method: Method) throws -> Method.Reply {
    try store.answer(method, fromUser: 1000, process: 42)
  }

  /// As `auricle rx scan` does it: looked at, confirmed, taken in.
  @discardableResult private func load(_ card: String) throws -> BookAnswer {
    let preview = try ask(PrescriptionMethods.Look(card: card))
    return try ask(PrescriptionMethods.Load(card: card, confirmation: preview.confirmation))
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
    let later = PrescriptionStore(folder: folder.path + "/book")
    #expect(later.open() == nil)
    #expect(later.known.prescribed == before)
  }

  @Test("a book that is damaged is reported, and the last prescription stays in force")
  func damaged() throws {
    try enrol()
    _ = try load(clinic.prescription(1))
    let before = store.known.prescribed
    store.close()
    folder.write(String(repeating: "no database ", count: 400), to: "book/book.sqlite")
    let later = PrescriptionStore(folder: folder.path + "/book")
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
    let later = PrescriptionStore(folder: folder.path + "/book")
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

  @Test("a lost key file is reported, and nothing is amplified that nobody can verify")
  func lostKey() throws {
    try enrol()
    _ = try load(clinic.prescription(1))
    store.close()
    #expect(unlink(folder.path + "/book.key") == 0)
    let later = PrescriptionStore(folder: folder.path + "/book")
    let failure = try #require(later.open())
    #expect(failure.exitStatus == .configuration)
    #expect(later.known.prescribed == .nothing)
    #expect(access(folder.path + "/book.key", F_OK) != 0, "no new key is made over an old book")
  }

  @Test(
    "a damaged key is reported with its remedy; a restore keeps it aside, and one that fails puts it back")
  func damagedKey() throws {
    try enrol()
    _ = try load(clinic.prescription(1))
    let backup = folder.file("backups/kept.book")
    _ = try ask(BookMethods.BackUp(path: backup, passphrase: "four words are enough"))
    store.close()
    folder.write([1, 2, 3], to: "book.key")
    let later = PrescriptionStore(folder: folder.path + "/book")
    let failure = try #require(later.open())
    #expect(failure.exitStatus == .badData)
    #expect(failure.message.hasSuffix("Put the right one back, or restore a backup."))
    #expect(later.known.prescribed == .nothing)
    func restore(_ passphrase: String) throws -> String {
      try later.restore(from: backup, passphrase: passphrase, byUser: 1000, process: 42)
    }
    #expect(throws: Failure.self) { try restore("other words than those") }
    #expect(folder.bytes(of: "book.key") == [1, 2, 3])
    #expect(access(folder.file("book.key.before-restore-1"), F_OK) != 0)
    // One that an earlier restore has kept stays.
    folder.write([9], to: "book.key.before-restore-1")
    #expect(try restore("four words are enough").contains("book.key.before-restore-2"))
    #expect(folder.bytes(of: "book.key.before-restore-1") == [9])
    #expect(folder.bytes(of: "book.key.before-restore-2") == [1, 2, 3])
    #expect(folder.bytes(of: "book.key").count == 32)
    #expect(later.open() == nil)
    guard case .card = later.known.prescribed else {
      Issue.record("expected the card of the restored book")
      return
    }
  }

  @Test(
    "the key of a restoration that the next opening finishes stays, and one of a restoration that failed is taken back",
    arguments: [true, false])
  func keyOfRestoration(isLeft: Bool) {
    let aside = folder.file("book.key.before-restore-1")
    if isLeft { folder.write("{\"moves\":[]}", to: "book.restoring") }
    // A damaged one, which was kept.
    folder.write([1, 2, 3], to: "book.key.before-restore-1")
    folder.write([7], to: "book.key")
    store.takeBackKey(keptAside: aside, hadKey: true)
    #expect(folder.bytes(of: "book.key") == (isLeft ? [7] : [1, 2, 3]))
    #expect((access(aside, F_OK) == 0) == isLeft)
    // A lost one.
    folder.write([8], to: "book.key")
    store.takeBackKey(keptAside: nil, hadKey: false)
    #expect((access(folder.file("book.key"), F_OK) == 0) == isLeft)
    // One that was good.
    folder.write([8], to: "book.key")
    store.takeBackKey(keptAside: nil, hadKey: true)
    #expect(folder.bytes(of: "book.key") == [8])
  }

  @Test("a damaged credential is not moved: the service manager's key is the service manager's to replace")
  func damagedCredential() throws {
    try enrol()
    let backup = folder.file("backups/kept.book")
    _ = try ask(BookMethods.BackUp(path: backup, passphrase: "four words are enough"))
    store.close()
    mkdir(folder.file("credentials"), 0o700)
    folder.write([1, 2, 3], to: "credentials/book-key")
    let key = folder.bytes(of: "book.key")
    let later = PrescriptionStore(
      folder: folder.path + "/book", credentials: folder.file("credentials"))
    #expect(throws: Failure.self) {
      try later.restore(from: backup, passphrase: "four words are enough", byUser: 0, process: 1)
    }
    #expect(folder.bytes(of: "credentials/book-key") == [1, 2, 3])
    #expect(folder.bytes(of: "book.key") == key)
    #expect(access(folder.file("book.key.before-restore-1"), F_OK) != 0)
  }

  /// Remains of a process that ends while it begins a book.
  enum Begun: CaseIterable {
    case folder, database, key
  }

  @Test(
    "a book that was being begun when the process ended, or the disk was full, is begun by the next one",
    arguments: Begun.allCases)
  func begun(as far: Begun) throws {
    try enrol()
    store.close()
    #expect(unlink(folder.path + "/book/book.head") == 0)
    folder.write("", to: "book/book.sqlite")
    if far == .folder { #expect(unlink(folder.path + "/book/book.sqlite") == 0) }
    if far != .key { #expect(unlink(folder.path + "/book.key") == 0) }
    let later = PrescriptionStore(folder: folder.path + "/book")
    #expect(later.open() == nil)
    #expect(later.known.prescribed == .byConfiguration)
    let clinics = try later.answer(TrustMethods.List(), fromUser: 1000, process: 42)
    #expect(clinics == ClinicsReport(clinics: []))
    later.close()
    try enrol()
    _ = try load(clinic.prescription(1))
  }

  @Test("a key without any file of a book is that of a lost one, and no new one is begun")
  func lostBook() throws {
    try enrol()
    _ = try load(clinic.prescription(1))
    store.close()
    for name in ["book.sqlite", "book.head"] { #expect(unlink(folder.path + "/book/" + name) == 0) }
    let later = PrescriptionStore(folder: folder.path + "/book")
    let failure = try #require(later.open())
    #expect(failure.exitStatus == .noInput)
    #expect(later.known.prescribed == .nothing)
    #expect(access(folder.path + "/book/book.sqlite", F_OK) != 0)
    // Begun anew, as the message advises: the configuration decides, as before any book.
    #expect(unlink(folder.path + "/book.key") == 0)
    #expect(later.advance() == nil)
    #expect(later.known.prescribed == .byConfiguration && later.known.standing == nil)
  }

  @Test("a book that is taken away while its last prescription is heard leaves that one in force")
  func takenAway() throws {
    try enrol()
    _ = try load(clinic.prescription(1))
    let before = store.known.prescribed
    store.close()
    folder.write(String(repeating: "no database ", count: 400), to: "book/book.sqlite")
    let later = PrescriptionStore(folder: folder.path + "/book")
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
    let later = PrescriptionStore(folder: folder.path + "/book")
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
    let empty = PrescriptionStore(folder: folder.path + "/book")
    let failure = try #require(empty.open())
    #expect(failure.subject == folder.path && failure.exitStatus == .noPermission)
    #expect(empty.known.prescribed == .nothing)
    #expect(empty.known.standing?.notes.first == failure.message)
    #expect(throws: Failure.self) { try enrol() }
    // Mended: the next look finds it.
    chmod(folder.path, 0o700)
    #expect(empty.advance() == nil)
    #expect(empty.known.prescribed == .byConfiguration)
    #expect(empty.known.standing == nil)
    try enrol()
    _ = try load(clinic.prescription(1))
    store.close()
    chmod(folder.path, 0o777)
    let later = PrescriptionStore(folder: folder.path + "/book")
    #expect(later.open() != nil)
    #expect(later.known.prescribed == .nothing)
    chmod(folder.path, 0o700)
    #expect(later.advance() == nil)
    guard case .card = later.known.prescribed else {
      Issue.record("expected the card of a folder that was mended")
      return
    }
  }

  @Test("a book of another user is not used, nor the note of what it held")
  func otherUsers() throws {
    // Only root can give files away.
    guard geteuid() == 0 else { return }
    try enrol()
    _ = try load(clinic.prescription(1))
    store.close()
    #expect(chown(folder.path + "/book", 1, 1) == 0)
    let later = PrescriptionStore(folder: folder.path + "/book")
    let failure = try #require(later.open())
    #expect(failure.message.contains("user 1 as its owner"))
    #expect(later.known.prescribed == .nothing)
    #expect(later.known.standing?.notes.isEmpty == false)
  }

  @Test("a book that another process holds for a moment is waited for, and one that it keeps is said")
  func held() throws {
    try enrol()
    store.close()
    let later = PrescriptionStore(folder: folder.path + "/book")
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
