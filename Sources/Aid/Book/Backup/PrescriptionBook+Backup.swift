import Base
import Crypto
import Glibc
import Prescriptions

extension PrescriptionBook {
  /// Writes the whole book to one file of mode 600, then reads the file back, opens it and follows its
  /// chain.
  ///
  /// - Parameters:
  ///   - path: Absolute, outside the book's folder, without control characters. Must not exist.
  ///   - passphrase: At least 8 characters; restoring needs it, and nothing else.
  /// - Returns: The head of the trail in the backup.
  /// - Throws: ``BookError/unsafeFile(path:found:expected:)``, ``BookError/fileExists(path:)``,
  ///   ``BookError/passphraseTooShort(least:)``; those of the disk. No file is left then.
  @discardableResult package func backup(
    to path: String, passphrase: String, by actor: Actor
  ) throws(BookError) -> AuditHead {
    try folder.checkOutside(path)
    guard !PrivateFile.exists(path) else { throw .fileExists(path: path) }
    guard passphrase.count >= BackupFile.shortestPassphrase else {
      throw .passphraseTooShort(least: BackupFile.shortestPassphrase)
    }
    try transact { memory throws(BookError) in try append(.backedUp, by: actor, to: &memory) }
    let copy = try Staging(beside: folder.path)
    defer { withExtendedLifetime(copy) {} }
    try database.copy(to: copy.database)
    let bytes =
      try PrivateFile.bytes(of: copy.database, limit: BackupFile.greatestSize, checked: false) ?? []
    let key = try BackupFile.newKey(passphrase)
    let sealed = try BackupFile.sealed(dataKey: vault.rawKey, database: bytes, with: key)
    try PrivateFile.write(sealed, to: path, replacing: false)
    do throws(BookError) {
      return try Self.inspect(Self.content(ofBackup: path), with: key, path: path).head
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Verified content of a backup.
  struct Inspection {
    let head: AuditHead
    let dataKey: [UInt8]
    let database: [UInt8]
    let vault: Vault
  }

  private static func content(ofBackup path: String) throws(BookError) -> [UInt8] {
    guard let file = try PrivateFile.bytes(of: path, limit: BackupFile.greatestSize, checked: false) else {
      throw .inputOutput(path: path, reason: "there is no such file")
    }
    return file
  }

  /// Opens a backup and follows its chain, in a folder that is gone afterwards.
  private static func inspect(
    _ file: [UInt8], with key: BackupFile.Key, path: String
  ) throws(BookError) -> Inspection {
    let (dataKey, bytes) = try BackupFile.opened(file, with: key, path: path)
    let copy = try Staging(beside: path)
    defer { withExtendedLifetime(copy) {} }
    try PrivateFile.write(bytes, to: copy.database, replacing: false)
    let database = try BookDatabase(copy.database)
    defer { database.close() }
    guard let kept = try database.wrappedKey() else { throw .notABackup(path: path) }
    let vault = Vault(bookID: kept.bookID, dataKey: SymmetricKey(data: dataKey))
    let rows = try database.rows()
    let head = try AuditChain(bookID: kept.bookID, vault: vault).verified(rows)
    for row in rows { _ = try vault.open(row.sealed, row: row.audit.number) }
    return Inspection(head: head, dataKey: dataKey, database: bytes, vault: vault)
  }

  /// Puts a backup in the place of a book. The backup is opened and verified whole before anything is
  /// moved; a book that stood there is kept beside.
  ///
  /// - Parameters:
  ///   - key: This machine's key; the restored book is opened with it from now on.
  /// - Throws: ``BookError/notABackup(path:)``, ``BookError/backupDoesNotOpen(path:)``,
  ///   ``BookError/lockedBy(process:path:)`` while the book is open; those of the disk. Nothing is changed
  ///   then.
  /// - Threads: control.
  package static func restore(
    from path: String, passphrase: String, into folder: String, key: SealingKey, by actor: Actor,
    clock: BookClock = .system
  ) throws(BookError) -> RestoredBook {
    let folder = BookFolder(folder).path
    let file = try content(ofBackup: path)
    let found = try inspect(file, with: BackupFile.key(of: file, passphrase, path: path), path: path)
    try BookFolder.make(FilePath.folder(of: folder))
    var lock: FolderLock?
    if PrivateFile.exists(folder) { lock = try FolderLock(BookFolder(folder).lock) }
    defer { withExtendedLifetime(lock) {} }
    let staging = try Staging(beside: folder)
    defer { withExtendedLifetime(staging) {} }
    try PrivateFile.write(found.database, to: staging.database, replacing: false)
    let wrapped = try found.vault.wrapped(by: key)
    let database = try BookDatabase(staging.database)
    do throws(BookError) {
      try database.append(
        BookDatabase.WrappedKey(bookID: found.vault.bookID, key: wrapped.key, check: wrapped.check))
      database.close()
    } catch {
      database.close()
      throw error
    }
    try HeadNote(head: found.head, state: BookState(moment: clock.wall()), latest: Instant(seconds: 0))
      .write(to: BookFolder(staging.path).head, key: key)
    // Opened as it will be, with all its cards, and its first act noted.
    do {
      let book = try PrescriptionBook(at: staging.path, key: key, clock: clock)
      try book.transact { memory throws(BookError) in try book.append(.restored, by: actor, to: &memory) }
      try book.verifyAudit()
    }
    unlink(BookFolder(staging.path).lock)
    var aside: String?
    if lock != nil {
      let kept = try unusedName(folder + ".before-restore")
      guard rename(folder, kept) == 0 else { throw PrivateFile.failure(errno, folder) }
      aside = kept
    }
    guard rename(staging.path, folder) == 0 else {
      let code = errno
      if let aside { rename(aside, folder) }
      throw PrivateFile.failure(code, folder)
    }
    PrivateFile.synchronize(folder: FilePath.folder(of: folder))
    return RestoredBook(head: found.head, keptAside: aside)
  }

  private static func unusedName(_ name: String) throws(BookError) -> String {
    for number in 1..<1000 where !PrivateFile.exists("\(name)-\(number)") { return "\(name)-\(number)" }
    throw .fileExists(path: name)
  }
}

extension PrescriptionBook {
  /// Files without any of which a folder holds no book, and opening it begins a new one.
  package static func files(in folder: String) -> [String] {
    let folder = BookFolder(folder)
    return [folder.database, folder.head]
  }
}
