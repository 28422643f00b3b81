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
  ///   - files: Kept along with the book; none by default.
  /// - Returns: The head of the trail in the backup.
  /// - Throws: ``BookError/unsafeFile(path:found:expected:)``, ``BookError/fileExists(path:)``,
  ///   ``BookError/passphraseTooShort(least:)``; those of the disk. No file is left then.
  @discardableResult package func backup(
    to path: String, passphrase: String, with files: [BackupFile.Part] = [], by actor: Actor
  ) throws(BookError) -> AuditHead {
    try folder.checkOutside(path)
    guard try !PrivateFile.exists(path) else { throw .fileExists(path: path) }
    let key = try BackupFile.newKey(passphrase)
    try transact { memory throws(BookError) in try append(.backedUp, by: actor, to: &memory) }
    let copy = try Staging(beside: folder.path)
    defer { withExtendedLifetime(copy) {} }
    try database.copy(to: copy.database)
    let bytes =
      try PrivateFile.bytes(of: copy.database, limit: BackupFile.greatestSize, checked: false) ?? []
    let sealed = try BackupFile.sealed(
      BackupFile.Content(dataKey: vault.rawKey, database: bytes, parts: files), with: key)
    try PrivateFile.write(sealed, to: path, replacing: false)
    do throws(BookError) {
      let read = try Self.inspect(Self.content(ofBackup: path), with: key, path: path)
      guard read.content.parts == files else { throw .backupDoesNotOpen(path: path) }
      return read.head
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
  ) throws(BookError) -> (head: AuditHead, vault: Vault, content: BackupFile.Content) {
    let content = try BackupFile.opened(file, with: key, path: path)
    let copy = try Staging(beside: path)
    defer { withExtendedLifetime(copy) {} }
    try PrivateFile.write(content.database, to: copy.database, replacing: false)
    let database = try BookDatabase(copy.database)
    defer { database.close() }
    guard let kept = try database.wrappedKey() else { throw .notABackup(path: path) }
    let vault = Vault(bookID: kept.bookID, dataKey: SymmetricKey(data: content.dataKey))
    let rows = try database.rows()
    let head = try AuditChain(vault: vault).verified(rows)
    for row in rows { _ = try vault.open(row.sealed, row: row.audit.number) }
    return (head, vault, content)
  }

  /// Puts a backup in the place of a book, and the files that it holds in theirs: all or none. The backup is
  /// opened and verified whole before anything is moved; what stood in a place is kept beside.
  ///
  /// - Parameters:
  ///   - key: This machine's key; the restored book is opened with it from now on.
  ///   - place: Gives the files of the backup their places. Not called for a backup of the book alone. None
  ///     by default.
  /// - Throws: ``BookError/notABackup(path:)``, ``BookError/backupDoesNotOpen(path:)``,
  ///   ``BookError/lockedBy(process:path:)`` while the book is open; those of the disk. Nothing is changed
  ///   then.
  /// - Threads: control.
  package static func restore(
    from path: String, passphrase: String, into folder: String, key: SealingKey, by actor: Actor,
    clock: BookClock = .system,
    placing place: ([BackupFile.Part]) throws(BookError) -> [Replacement.File] = { _ in [] }
  ) throws(BookError) -> RestoredBook {
    let folder = BookFolder(folder).path
    let file = try content(ofBackup: path)
    let found = try inspect(file, with: BackupFile.key(of: file, passphrase, path: path), path: path)
    let files = try found.content.parts.map(place) ?? []
    try BookFolder.make(FilePath.folder(of: folder))
    var lock: FolderLock?
    if try PrivateFile.exists(folder) { lock = try FolderLock(BookFolder(folder).lock) }
    defer { withExtendedLifetime(lock) {} }
    let staging = try Staging(beside: folder)
    defer { withExtendedLifetime(staging) {} }
    try PrivateFile.write(found.content.database, to: staging.database, replacing: false)
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
      try book.followAudit()
    }
    unlink(BookFolder(staging.path).lock)
    let aside = try Replacement.unusedName(beside: folder)
    var replacement = Replacement()
    replacement.add(staging.path, in: folder, keeping: aside)
    let others = try replacement.add(files)
    let note = Replacement.note(of: folder)
    do throws(BookError) { try replacement.carryOut(notedAt: note) } catch {
      staging.isKept = (try? PrivateFile.exists(note)) != false
      throw error
    }
    return RestoredBook(
      head: found.head, keptAside: lock == nil ? nil : aside, othersKeptAside: others)
  }

  /// Carries out what is left of a restoration that was ended in the middle.
  ///
  /// - Throws: ``BookError`` of the disk; then what is there belongs to two profiles.
  package static func finishRestoration(of folder: String) throws(BookError) {
    try Replacement.finish(notedAt: Replacement.note(of: BookFolder(folder).path))
  }

  /// Makes the files of a book that is to be begun. The key comes after them: one without any is then always that of a lost book.
  package static func makeFiles(in folder: String) throws(BookError) {
    let folder = BookFolder(folder)
    try BookFolder.make(folder.path)
    try folder.check()
    try folder.makeDatabase()
    WholeFile.synchronize(folder: folder.path)
  }

  /// True of a folder in which no book was begun, or only its files were made.
  package static func isUnbegun(in folder: String) -> Bool { BookFolder(folder).isUnbegun }

  /// Files without any of which a folder holds no book, and opening it begins a new one.
  package static func files(in folder: String) -> [String] {
    let folder = BookFolder(folder)
    return [folder.database, folder.head]
  }
}

/// A whole book in one file under a passphrase: data key and database, and files that are kept with it, so
/// that it can be restored on another machine.
///
/// - Shape: mark (16 bytes) · salt (16) · nonce · AES-256-GCM of { data key (32) · database · parts } · tag,
///   database, names and contents of parts each with its length before it, 8 bytes. Mark and salt are
///   authenticated too. The first form has the database to its end, without a length, and no parts. The key
///   is scrypt (RFC 7914) of the passphrase with N = 2¹⁵, r = 8, p = 3: OWASP Password Storage Cheat Sheet,
///   the choice of least memory, 32 MiB, for small devices.
package enum BackupFile {
  /// Shortest passphrase, characters, as for clinic keys.
  static let shortestPassphrase = 8
  /// Largest file read, bytes.
  static let greatestSize = 1 << 28

  private static let mark = Array("auricle.backup.2".utf8)
  private static let formerMark = Array("auricle.backup.1".utf8)
  private static let saltSize = 16
  /// A database is at least one page of 512 bytes; with less the file was never a backup.
  private static let leastSize = 16 + saltSize + 12 + 32 + 512 + 16

  /// A file that is kept along with the book.
  package struct Part: Sendable, Hashable {
    package let name: String
    package let bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  struct Content {
    let dataKey: [UInt8]
    let database: [UInt8]
    /// Nil: a backup of the first form, which keeps the book alone.
    let parts: [Part]?
  }

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
    guard file.count >= leastSize, file.starts(with: mark) || file.starts(with: formerMark) else {
      throw .notABackup(path: path)
    }
    let header = Array(file.prefix(mark.count + saltSize))
    return Key(header: header, key: try key(passphrase, salt: Array(header.suffix(saltSize))))
  }

  static func sealed(_ content: Content, with key: Key) throws(BookError) -> [UInt8] {
    let fields = [content.database] + (content.parts ?? []).flatMap { [Array($0.name.utf8), $0.bytes] }
    let bytes = content.dataKey + fields.flatMap { $0.count.bytes + $0 }
    return key.header + (try Vault.seal(bytes, with: key.key, bound: key.header))
  }

  static func opened(_ file: [UInt8], with key: Key, path: String) throws(BookError) -> Content {
    guard file.starts(with: key.header),
      let content = Vault.open(Array(file.dropFirst(key.header.count)), with: key.key, bound: key.header)
    else { throw .backupDoesNotOpen(path: path) }
    let (dataKey, rest) = (Array(content.prefix(SealingKey.size)), content.dropFirst(SealingKey.size))
    if file.starts(with: formerMark) {
      return Content(dataKey: dataKey, database: Array(rest), parts: nil)
    }
    guard let fields = fields(rest), fields.count % 2 == 1 else { throw .notABackup(path: path) }
    let parts = stride(from: 1, to: fields.count, by: 2).map {
      Part(name: String(decoding: fields[$0], as: UTF8.self), bytes: fields[$0 + 1])
    }
    return Content(dataKey: dataKey, database: fields[0], parts: parts)
  }

  /// Fields with their lengths before them; nil when a length does not fit.
  private static func fields(_ bytes: ArraySlice<UInt8>) -> [[UInt8]]? {
    var (fields, rest) = ([[UInt8]](), bytes)
    while !rest.isEmpty {
      guard rest.count >= 8 else { return nil }
      let length = rest.prefix(8).reduce(UInt64()) { $0 << 8 | UInt64($1) }
      rest = rest.dropFirst(8)
      guard let count = Int(exactly: length), count <= rest.count else { return nil }
      fields.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return fields
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
  /// True: it stays, for whoever finishes a restoration.
  var isKept = false
  var database: String { BookFolder(path).database }

  /// On the disk of `neighbour`, so that it can be renamed.
  init(beside neighbour: String) throws(BookError) {
    let folder = FilePath.folder(of: neighbour)
    var template = Array("\(folder)/.\(FilePath.name(of: neighbour)).XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw PrivateFile.failure(errno, folder) }
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
  /// restored.
  package let head: AuditHead
  /// Path of the former book; nil when there was none.
  package let keptAside: String?
  /// Paths of other files that gave way.
  package var othersKeptAside: [String] = []
}
