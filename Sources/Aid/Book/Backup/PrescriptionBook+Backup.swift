import AuditTrail
import Base
import Glibc
import Prescriptions
import Sealing

extension PrescriptionBook {
  /// Writes the whole book to one file of mode 600, then reads the file back, opens it and follows its
  /// chain.
  ///
  /// - Parameters:
  ///   - path: Absolute, outside the book's folder, without control characters. Must not exist.
  ///   - passphrase: At least 8 characters; restoring needs it, and nothing else.
  ///   - files: Kept along with the book; none by default.
  /// - Returns: The head of the trail in the backup.
  /// - Throws: ``SealingError/unsafeFile(path:found:expected:)``, ``SealingError/fileExists(path:)``,
  ///   ``SealingError/passphraseTooShort(least:)``; those of the disk. No file is left then, and of a backup that was begun the
  ///   trail says so.
  @discardableResult package func backup(
    to path: String, passphrase: String, with files: [BackupFile.Part] = [], by actor: Actor
  ) throws(BookError) -> AuditHead {
    try folder.checkOutside(path)
    guard try !BookFile.exists(path) else { throw .sealing(.fileExists(path: path)) }
    let key: BackupFile.Key
    do { key = try BackupFile.book.newKey(passphrase) } catch { throw .sealing(error) }
    // First, for the copy has this row too.
    try transact { memory throws(BookError) in try append(.backedUp, by: actor, to: &memory) }
    do throws(BookError) { return try writeBackup(to: path, with: key, files) } catch {
      // An action of its own would keep former versions from opening the book. A full disk may not hide the reason.
      try? transact { memory throws(BookError) in
        try append(.refused(reason: "backup not written"), by: actor, to: &memory)
      }
      throw error
    }
  }

  private func writeBackup(
    to path: String, with key: BackupFile.Key, _ files: [BackupFile.Part]
  ) throws(BookError) -> AuditHead {
    let copy = try Staging(beside: folder.path)
    defer { withExtendedLifetime(copy) {} }
    try database.copy(to: copy.database)
    let bytes =
      try BookFile.bytes(of: copy.database, limit: BackupFile.greatestSize, checked: false) ?? []
    do throws(SealingError) {
      let content = BackupFile.Content(dataKey: vault.rawKey, database: bytes, parts: files)
      let sealed = try BackupFile.book.sealed(content, with: key)
      try PrivateFile.write(sealed, to: path, replacing: false)
    } catch { throw .sealing(error) }
    do throws(BookError) {
      let read = try Self.inspect(
        Self.content(ofBackup: path), with: key, path: path, beside: folder.path)
      guard read.content.parts == files else { throw .sealing(.backupDoesNotOpen(path: path)) }
      return read.head
    } catch {
      unlink(path)
      throw error
    }
  }

  private static func content(ofBackup path: String) throws(BookError) -> [UInt8] {
    guard let file = try BookFile.bytes(of: path, limit: BackupFile.greatestSize, checked: false) else {
      throw .sealing(.inputOutput(path: path, reason: "there is no such file"))
    }
    return file
  }

  /// Opens a backup and follows its chain, in a folder that is gone afterwards.
  ///
  /// - Parameters:
  ///   - path: Of the backup, for errors. Nothing is written beside it: it may lie where others write, or nobody does.
  ///   - folder: Of the book, beside which the database is unpacked.
  private static func inspect(
    _ file: [UInt8], with key: BackupFile.Key, path: String, beside folder: String
  ) throws(BookError) -> (head: AuditHead, vault: Vault, content: BackupFile.Content) {
    let content: BackupFile.Content
    do { content = try BackupFile.book.opened(file, with: key, path: path) } catch { throw .sealing(error) }
    try BookFile.makeFolder(FilePath.folder(of: folder))
    let copy = try Staging(beside: folder)
    defer { withExtendedLifetime(copy) {} }
    try BookFile.write(content.database, to: copy.database, replacing: false)
    let database = try BookDatabase(copy.database)
    defer { database.close() }
    guard let kept = try database.wrappedKey() else { throw .sealing(.notABackup(path: path)) }
    let vault = Vault(Self.kind, bookID: kept.bookID, dataKey: content.dataKey)
    let rows = try database.rows()
    let head = try vault.auditChain.verified(rows)
    for row in rows { _ = try vault.event(row) }
    return (head, vault, content)
  }

  /// The same by a passphrase. One that begins with a byte order mark counts without it too: files of passphrases have it, and
  /// backups were sealed with it.
  private static func inspect(
    _ file: [UInt8], by passphrase: String, path: String, beside folder: String
  ) throws(BookError) -> (head: AuditHead, vault: Vault, content: BackupFile.Content) {
    let key: BackupFile.Key
    do { key = try BackupFile.book.key(of: file, passphrase, path: path) } catch { throw .sealing(error) }
    do throws(BookError) { return try inspect(file, with: key, path: path, beside: folder) } catch {
      guard case .sealing(.backupDoesNotOpen) = error, let plain = passphrase.withoutByteOrderMark else {
        throw error
      }
      return try inspect(file, by: plain, path: path, beside: folder)
    }
  }

  /// Puts a backup in the place of a book, and the files that it holds in theirs: all or none. The backup is
  /// opened and verified whole before anything is moved; what stood in a place is kept beside.
  ///
  /// - Parameters:
  ///   - key: This machine's key; the restored book is opened with it from now on.
  ///   - place: Gives the files of the backup their places. Not called for a backup of the book alone. None
  ///     by default.
  ///   - check: Refuses to go on, once all is ready and before anything is moved. Nothing by default.
  /// - Throws: ``SealingError/notABackup(path:)``, ``SealingError/backupDoesNotOpen(path:)``,
  ///   ``BookError/lockedBy(process:path:)`` while the book is open; those of the disk. Nothing is changed
  ///   then.
  /// - Threads: control.
  package static func restore(
    from path: String, passphrase: String, into folder: String, key: SealingKey, by actor: Actor,
    clock: BookClock = .system,
    placing place: ([BackupFile.Part]) throws(BookError) -> [Replacement.File] = { _ in [] },
    checking check: () throws(BookError) -> Void = {}
  ) throws(BookError) -> RestoredBook {
    let folder = BookFolder(folder).path
    let file = try content(ofBackup: path)
    let found = try inspect(file, by: passphrase, path: path, beside: folder)
    let files = try found.content.parts.map(place) ?? []
    var lock: LockFile?
    if try BookFile.exists(folder) { lock = try BookFolder(folder).locked() }
    defer { withExtendedLifetime(lock) {} }
    let isUnbegun = BookFolder(folder).isUnbegun
    let staging = try Staging(beside: folder)
    defer { withExtendedLifetime(staging) {} }
    try BookFile.write(found.content.database, to: staging.database, replacing: false)
    do {
      let database = try BookDatabase(staging.database)
      defer { database.close() }
      try database.append(try found.vault.kept(by: key))
    }
    try HeadNote(head: found.head, state: BookState(moment: clock.wall()), latest: Instant(seconds: 0))
      .write(to: BookFolder(staging.path).head, key: key)
    // Opened as it will be, with all its cards, and its first act noted.
    do {
      let book = try PrescriptionBook(at: staging.path, key: key, clock: clock)
      try book.transact { memory throws(BookError) in try book.append(.restored, by: actor, to: &memory) }
      try book.followAudit()
    }
    unlink(BookFolder(staging.path).lock)
    let aside = try Replacement.unusedName(beside: folder)
    var replacement = Replacement()
    replacement.add(staging.path, in: folder, keeping: aside)
    let others = try replacement.add(files)
    let note = Replacement.note(of: folder)
    do throws(BookError) { try replacement.carryOut(notedAt: note, checking: check) } catch {
      staging.isKept = isRestorationLeft(of: folder)
      throw error
    }
    // Files of a book that was not begun are nothing to be kept.
    let isGone = lock == nil || isUnbegun && BookFolder(aside).removeUnbegun()
    return RestoredBook(head: found.head, keptAside: isGone ? nil : aside, othersKeptAside: others)
  }

  /// Carries out what is left of a restoration that was ended in the middle.
  ///
  /// - Throws: ``BookError`` of the disk; then what is there belongs to two profiles.
  package static func finishRestoration(of folder: String) throws(BookError) {
    try Replacement.finish(notedAt: Replacement.note(of: BookFolder(folder).path))
  }

  /// True where a restoration was ended in the middle, or nobody can tell: what it needs to be finished stays.
  package static func isRestorationLeft(of folder: String) -> Bool {
    (try? BookFile.exists(Replacement.note(of: BookFolder(folder).path))) != false
  }

  /// Makes the files of a book that is to be begun. The key comes after them: one without any is then always that of a lost book.
  package static func makeFiles(in folder: String) throws(BookError) {
    let folder = BookFolder(folder)
    try BookFile.makeFolder(folder.path)
    try folder.check()
    try folder.makeDatabase()
    WholeFile.synchronize(folder: folder.path)
  }

  /// Takes back the files of ``makeFiles(in:)``: no book was begun after all. One that another process has begun meanwhile stays, with its
  /// key, and so does what a restoration needs that is to be finished.
  ///
  /// - Parameter takeBackKey: Takes back the key that was made after them, and therefore goes before them.
  package static func takeBackFiles(in folder: String, _ takeBackKey: () -> Void) {
    let book = BookFolder(folder)
    guard !isRestorationLeft(of: folder), let lock = try? book.locked() else { return }
    defer { withExtendedLifetime(lock) {} }
    guard book.isUnbegun else { return }
    takeBackKey()
    _ = book.removeUnbegun()
  }

  /// Refuses a book that another process has open.
  ///
  /// - Throws: ``BookError/lockedBy(process:path:)``; those of the disk.
  package static func checkClosed(in folder: String) throws(BookError) {
    let book = BookFolder(folder)
    if try BookFile.exists(book.path) { _ = try book.locked() }
  }

  /// True of a folder in which no book was begun, or only its files were made.
  package static func isUnbegun(in folder: String) -> Bool { BookFolder(folder).isUnbegun }

  /// True of a folder of this user's alone in which no book was ever begun, though its tables and its key may have been made: there is
  /// neither a note of its head, which comes before the first row, nor a row. So nothing that hinders a book there hides a prescription.
  /// False where another process has it open, and where nobody can tell, as of tables on a disk that can only be read by now.
  ///
  /// - Threads: control.
  package static func isWithoutRows(in folder: String) -> Bool {
    let book = BookFolder(folder)
    // A folder out of which others may have taken something says nothing.
    guard (try? book.check()) != nil else { return false }
    var lock: LockFile?
    do throws(LockFile.Refusal) {
      let held = try LockFile(book.lock)
      held.note([getpid()])
      lock = held
    } catch {
      // Where nothing can be written nobody has begun one since either.
      guard case .system(let problem) = error, [EROFS, ENOSPC, EDQUOT].contains(problem.code),
        book.isDatabaseGone
      else { return false }
    }
    defer { withExtendedLifetime(lock) {} }
    guard (try? BookFile.exists(book.head)) == false else { return false }
    return book.isDatabaseGone || BookDatabase.isWithoutRows(book.database)
  }

  /// Files without any of which a folder holds no book, and opening it begins a new one.
  package static func files(in folder: String) -> [String] {
    let folder = BookFolder(folder)
    return [folder.database, folder.head]
  }
}

extension BackupFile {
  /// Files of this book; the first form has the book alone.
  static let book = BackupFile(mark: "auricle.backup.2", formerMark: "auricle.backup.1")
}

/// A folder of mode 700 for a database that is not in its place yet; goes away with what is still in it.
final class Staging {
  let path: String
  /// True: it stays, for whoever finishes a restoration.
  var isKept = false
  var database: String { BookFolder(path).database }

  /// On the disk of `neighbour`, so that it can be renamed.
  init(beside neighbour: String) throws(BookError) {
    let folder = FilePath.folder(of: neighbour)
    var template = Array("\(folder)/.\(FilePath.name(of: neighbour)).XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw BookFile.failure(errno, folder) }
    path = String(cString: made)
  }

  deinit {
    guard !isKept else { return }
    let book = BookFolder(path)
    for file in [book.database, book.database + "-wal", book.database + "-journal", book.head, book.lock] {
      unlink(file)
    }
    rmdir(path)
  }
}

/// A book that was put back.
package struct RestoredBook: Sendable, Hashable {
  /// The head of the trail in the backup; the book itself has one row more, which says that it was
  /// restored, and before it one more where a trial has ended since the backup.
  package let head: AuditHead
  /// Path of the former book; nil when there was none.
  package let keptAside: String?
  /// Paths of other files that gave way.
  package var othersKeptAside: [String] = []
}
