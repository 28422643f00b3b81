import Base
import Crypto
import CryptoExtras
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
    let key = try BackupFile.newKey(passphrase)
    try transact { memory throws(BookError) in try append(.backedUp, by: actor, to: &memory) }
    let copy = try Staging(beside: folder.path)
    defer { withExtendedLifetime(copy) {} }
    try database.copy(to: copy.database)
    let bytes =
      try PrivateFile.bytes(of: copy.database, limit: BackupFile.greatestSize, checked: false) ?? []
    let sealed = try BackupFile.sealed(dataKey: vault.rawKey, database: bytes, with: key)
    try PrivateFile.write(sealed, to: path, replacing: false)
    do throws(BookError) {
      return try Self.inspect(Self.content(ofBackup: path), with: key, path: path).head
    } catch {
      unlink(path)
      throw error
    }
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
  ) throws(BookError) -> (head: AuditHead, vault: Vault, database: [UInt8]) {
    let (dataKey, bytes) = try BackupFile.opened(file, with: key, path: path)
    let copy = try Staging(beside: path)
    defer { withExtendedLifetime(copy) {} }
    try PrivateFile.write(bytes, to: copy.database, replacing: false)
    let database = try BookDatabase(copy.database)
    defer { database.close() }
    guard let kept = try database.wrappedKey() else { throw .notABackup(path: path) }
    let vault = Vault(bookID: kept.bookID, dataKey: SymmetricKey(data: dataKey))
    let rows = try database.rows()
    let head = try AuditChain(vault: vault).verified(rows)
    for row in rows { _ = try vault.open(row.sealed, row: row.audit.number) }
    return (head, vault, bytes)
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
    do {
      let database = try BookDatabase(staging.database)
      defer { database.close() }
      try database.append(try found.vault.wrapped(by: key))
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
    WholeFile.synchronize(folder: FilePath.folder(of: folder))
    return RestoredBook(head: found.head, keptAside: aside)
  }

  private static func unusedName(_ name: String) throws(BookError) -> String {
    for number in 1..<1000 where !PrivateFile.exists("\(name)-\(number)") { return "\(name)-\(number)" }
    throw .fileExists(path: name)
  }

  /// Files without any of which a folder holds no book, and opening it begins a new one.
  package static func files(in folder: String) -> [String] {
    let folder = BookFolder(folder)
    return [folder.database, folder.head]
  }
}

/// A whole book in one file under a passphrase: data key and database, so that it can be restored on
/// another machine.
///
/// - Shape: mark (16 bytes) · salt (16) · nonce · AES-256-GCM of { data key (32) · database } · tag. Mark
///   and salt are authenticated too. The key is scrypt (RFC 7914) of the passphrase with N = 2¹⁵, r = 8, p
///   = 3: OWASP Password Storage Cheat Sheet, the choice of least memory, 32 MiB, for small devices.
enum BackupFile {
  /// Shortest passphrase, characters, as for clinic keys.
  static let shortestPassphrase = 8
  /// Largest file read, bytes.
  static let greatestSize = 1 << 28

  private static let mark = Array("auricle.backup.1".utf8)
  private static let saltSize = 16
  /// A database is at least one page of 512 bytes; with less the file was never a backup.
  private static let leastSize = 16 + saltSize + 12 + 32 + 512 + 16

  /// Mark and salt of one file, and the key that a passphrase makes with them: half a second of work.
  struct Key {
    fileprivate let header: [UInt8]
    fileprivate let key: SymmetricKey
  }

  /// The key of a file that is to be made.
  static func newKey(_ passphrase: String) throws(BookError) -> Key {
    guard passphrase.count >= shortestPassphrase else {
      throw .passphraseTooShort(least: shortestPassphrase)
    }
    let salt: [UInt8] = (0..<saltSize).map { _ in .random(in: 0...255) }
    return Key(header: mark + salt, key: try key(passphrase, salt: salt))
  }

  /// The key of a file that was made.
  static func key(of file: [UInt8], _ passphrase: String, path: String) throws(BookError) -> Key {
    guard file.count >= leastSize, file.starts(with: mark) else { throw .notABackup(path: path) }
    let header = Array(file.prefix(mark.count + saltSize))
    return Key(header: header, key: try key(passphrase, salt: Array(header.suffix(saltSize))))
  }

  static func sealed(dataKey: [UInt8], database: [UInt8], with key: Key) throws(BookError) -> [UInt8] {
    key.header + (try Vault.seal(dataKey + database, with: key.key, bound: key.header))
  }

  static func opened(
    _ file: [UInt8], with key: Key, path: String
  ) throws(BookError) -> (dataKey: [UInt8], database: [UInt8]) {
    guard file.starts(with: key.header),
      let content = Vault.open(Array(file.dropFirst(key.header.count)), with: key.key, bound: key.header)
    else { throw .backupDoesNotOpen(path: path) }
    return (Array(content.prefix(SealingKey.size)), Array(content.dropFirst(SealingKey.size)))
  }

  private static func key(_ passphrase: String, salt: [UInt8]) throws(BookError) -> SymmetricKey {
    do {
      return try KDF.Scrypt.deriveKey(
        from: Array(passphrase.utf8), salt: salt, outputByteCount: 32, rounds: 1 << 15, blockSize: 8,
        parallelism: 3)
    } catch { throw .inputOutput(path: "scrypt", reason: "\(error)") }
  }
}

/// A folder of mode 700 for a database that is not in its place yet; goes away with what is still in it.
final class Staging {
  let path: String
  var database: String { BookFolder(path).database }

  /// On the disk of `neighbour`, so that it can be renamed.
  init(beside neighbour: String) throws(BookError) {
    let folder = FilePath.folder(of: neighbour)
    var template = Array("\(folder)/.\(FilePath.name(of: neighbour)).XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw PrivateFile.failure(errno, folder) }
    path = String(cString: made)
  }

  deinit {
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
  /// restored.
  package let head: AuditHead
  /// Path of the former book; nil when there was none.
  package let keptAside: String?
}
