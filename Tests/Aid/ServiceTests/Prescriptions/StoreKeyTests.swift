import Base
import CommonTesting
import Control
import Glibc
import Prescriptions
import Testing

@testable import Service

@Suite("Key of a store's book") struct StoreKeyTests: BookSuite {
  let book: TrustingBook

  init() throws { book = try TrustingBook(isEnrolled: false) }

  @Test("a lost key file is reported, and nothing is amplified that nobody can verify")
  func lostKey() throws {
    try enrol()
    _ = try load(clinic.prescription(1))
    store.close()
    #expect(unlink(folder.path + "/book.key") == 0)
    let later = otherStore()
    let failure = try #require(later.open())
    #expect(failure.exitStatus == .configuration)
    #expect(later.known.prescribed == .nothing)
    #expect(access(folder.path + "/book.key", F_OK) != 0, "no new key is made over an old book")
  }

  @Test("a restoration beside a book whose key is not here says that the key is new")
  func restoredWithoutKey() throws {
    try enrol()
    _ = try load(clinic.prescription(1))
    let backup = folder.file("backups/kept.book")
    _ = try ask(BookMethods.BackUp(path: backup, passphrase: "four words are enough"))
    store.close()
    let later = otherStore()
    func restore() throws -> String {
      try later.restore(from: backup, passphrase: "four words are enough", byUser: 1000, process: 42)
    }
    let beside = try restore()
    #expect(!beside.contains("book.key is new"))
    #expect(unlink(folder.path + "/book.key") == 0)
    let without = try restore()
    #expect(without.contains("\(folder.path)/book.key is new"))
    #expect(later.open() == nil)
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
    let later = otherStore()
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
    let later = otherStore()
    #expect(later.open() == nil)
    #expect(later.known.prescribed == .byConfiguration)
    let clinics = try later.answer(TrustMethods.List(), fromUser: 1000, process: 42)
    #expect(clinics == ClinicsReport(clinics: []))
    later.close()
    try enrol()
    _ = try load(clinic.prescription(1))
  }

  @Test(
    "a disk with too little room for the first book refuses it as often as it is asked, and what the configuration says stays, after a start too",
    .enabled(if: SmallDisk.isPossible), arguments: [1, 2, 3, 4, 5, 6, 8, 12])
  func almostFull(pages: Int) throws {
    let disk = try #require(SmallDisk(size: "256k"))
    defer { withExtendedLifetime(disk) {} }
    let state = TemporaryFolder(in: disk.path)
    #expect(disk.fill(leaving: pages))
    let identity = clinic.key.identity
    let trust = TrustMethods.Add(card: identity.cardText, fingerprint: identity.fingerprint.grouped)
    for _ in 0..<2 {
      let store = PrescriptionStore(folder: state.file("book"))
      _ = store.open()
      for _ in 0..<2 {
        let failure = try #require(throws: Failure.self) {
          try store.answer(trust, fromUser: 1000, process: 42)
        }
        #expect(failure.exitStatus == .inputOutput)
        #expect(store.known.prescribed == .byConfiguration)
        let standing = store.known.standing
        #expect(standing == nil || standing?.notes.isEmpty == true)
      }
    }
    #expect(unlink(disk.filling) == 0)
    let later = PrescriptionStore(folder: state.file("book"))
    _ = try later.answer(trust, fromUser: 1000, process: 42)
    #expect(later.known.prescribed == .byConfiguration)
  }

  @Test(
    "on a disk that can only be read by now a book that could not be begun changes nothing in what is heard, with its lock or without; one that was begun amplifies nothing",
    .enabled(if: SmallDisk.isPossible), arguments: [(false, true), (false, false), (true, true)])
  func readOnly(isBegun: Bool, hasLock: Bool) throws {
    let disk = try #require(SmallDisk(size: "256k"))
    defer { withExtendedLifetime(disk) {} }
    let state = TemporaryFolder(in: disk.path)
    let identity = clinic.key.identity
    let trust = TrustMethods.Add(card: identity.cardText, fingerprint: identity.fingerprint.grouped)
    do {
      let store = PrescriptionStore(folder: state.file("book"))
      defer { store.close() }
      if isBegun {
        _ = try store.answer(trust, fromUser: 1000, process: 42)
      } else {
        let isFull = disk.fill(leaving: 1)
        try #require(isFull)
        #expect(throws: Failure.self) { try store.answer(trust, fromUser: 1000, process: 42) }
      }
    }
    if !hasLock { try #require(unlink(state.file("book/book.lock")) == 0) }
    let isReadOnly = disk.makeReadOnly()
    try #require(isReadOnly)
    let later = PrescriptionStore(folder: state.file("book"))
    #expect(later.open()?.exitStatus == .cannotCreate)
    #expect(later.known.prescribed == (isBegun ? .nothing : .byConfiguration))
    let failure = try #require(throws: Failure.self) {
      try later.answer(trust, fromUser: 1000, process: 42)
    }
    #expect(failure.exitStatus == .cannotCreate)
    #expect(later.known.prescribed == (isBegun ? .nothing : .byConfiguration))
  }

  @Test(
    "where no book was begun its damaged key changes nothing in what is heard, unless others could have emptied the folder"
  )
  func damagedKeyOfNone() throws {
    try enrol()
    store.close()
    #expect(unlink(folder.file("book/book.head")) == 0)
    folder.write("", to: "book/book.sqlite")
    folder.write([1, 2, 3], to: "book.key")
    let later = otherStore()
    #expect(later.open()?.exitStatus == .badData)
    #expect(later.known.prescribed == .byConfiguration && later.known.standing == nil)
    chmod(folder.file("book"), 0o755)
    let opened = otherStore()
    #expect(opened.open() != nil && opened.known.prescribed == .nothing)
  }

  @Test(
    "a book with a card that cannot be opened amplifies nothing, though the note of its head and its key are taken away"
  )
  func withoutNote() throws {
    try enrol()
    _ = try load(clinic.prescription(1))
    store.close()
    #expect(unlink(folder.file("book/book.head")) == 0)
    folder.write([1, 2, 3], to: "book.key")
    let later = otherStore()
    #expect(later.open() != nil && later.known.prescribed == .nothing)
    #expect(unlink(folder.file("book.key")) == 0)
    for store in [later, otherStore()] {
      #expect(store.open() != nil && store.known.prescribed == .nothing)
    }
  }

  @Test("a key without any file of a book is that of a lost one, and no new one is begun")
  func lostBook() throws {
    try enrol()
    _ = try load(clinic.prescription(1))
    store.close()
    for name in ["book.sqlite", "book.head"] { #expect(unlink(folder.path + "/book/" + name) == 0) }
    let later = otherStore()
    let failure = try #require(later.open())
    #expect(failure.exitStatus == .noInput)
    #expect(later.known.prescribed == .nothing)
    #expect(access(folder.path + "/book/book.sqlite", F_OK) != 0)
    // Begun anew, as the message advises: the configuration decides, as before any book.
    #expect(unlink(folder.path + "/book.key") == 0)
    #expect(later.advance() == nil)
    #expect(later.known.prescribed == .byConfiguration && later.known.standing == nil)
  }
}
