import Crypto
import CryptoExtras

/// Form of a whole book in one file under a passphrase: data key and database, and files that are kept with it, so
/// that it can be restored on another machine.
///
/// - Shape: mark (16 bytes) · salt (16) · nonce · AES-256-GCM of { data key (32) · database · parts } · tag,
///   database, names and contents of parts each with its length before it, 8 bytes. Mark and salt are
///   authenticated too. The former form has the database to its end, without a length, and no parts. The key
///   is scrypt (RFC 7914) of the passphrase with N = 2¹⁵, r = 8, p = 3: OWASP Password Storage Cheat Sheet,
///   the choice of least memory, 32 MiB, for small devices.
public struct BackupFile: Sendable {
  /// Shortest passphrase, characters, as for clinic keys.
  public static let shortestPassphrase = 8
  /// Largest file read, bytes.
  public static let greatestSize = 1 << 28

  private static let saltSize = 16
  /// A database is at least one page of 512 bytes; with less the file was never a backup.
  private static let leastSize = 16 + saltSize + 12 + 32 + 512 + 16

  /// A file that is kept along with the book.
  public struct Part: Sendable, Hashable {
    /// Name by which it is found again, UTF-8 of any length.
    public let name: String
    /// Content, of any length.
    public let bytes: [UInt8]

    /// A part of a name and its content.
    public init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// The content of a backup in plain text.
  public struct Content: Sendable {
    /// Data key of the book, 32 bytes (``Vault/rawKey``).
    public let dataKey: [UInt8]
    /// File of the book's database, byte for byte; one page, 512 bytes, or more.
    public let database: [UInt8]
    /// Nil: a backup of the former form, which keeps the book alone.
    public let parts: [Part]?

    /// A content to be sealed, or one that was opened.
    public init(dataKey: [UInt8], database: [UInt8], parts: [Part]?) {
      (self.dataKey, self.database, self.parts) = (dataKey, database, parts)
    }
  }

  /// Mark and salt of one file, and the key that a passphrase makes with them: half a second of work.
  public struct Key: Sendable {
    fileprivate let header: [UInt8]
    fileprivate let key: DerivedKey
  }

  private let mark: [UInt8]
  private let formerMark: [UInt8]?

  /// - Parameters:
  ///   - mark: First 16 bytes of such a file, of one kind of book and one version: `auricle.backup.2`.
  ///   - formerMark: First 16 bytes of the former form, where there was one.
  public init(mark: String, formerMark: String? = nil) {
    self.mark = Array(mark.utf8)
    self.formerMark = formerMark.map { Array($0.utf8) }
  }

  private func isFormer(_ file: [UInt8]) -> Bool { formerMark.map(file.starts) ?? false }

  /// The key of a file that is to be made.
  public func newKey(_ passphrase: String) throws(SealingError) -> Key {
    guard passphrase.count >= Self.shortestPassphrase else {
      throw .passphraseTooShort(least: Self.shortestPassphrase)
    }
    let salt: [UInt8] = (0..<Self.saltSize).map { _ in .random(in: 0...255) }
    return Key(header: mark + salt, key: try Self.key(passphrase, salt: salt))
  }

  /// The key of a file that was made.
  public func key(of file: [UInt8], _ passphrase: String, path: String) throws(SealingError) -> Key {
    guard file.count >= Self.leastSize, file.starts(with: mark) || isFormer(file) else {
      throw .notABackup(path: path)
    }
    let header = Array(file.prefix(mark.count + Self.saltSize))
    return Key(header: header, key: try Self.key(passphrase, salt: Array(header.suffix(Self.saltSize))))
  }

  /// Seals a content as a file.
  ///
  /// - Returns: Bytes of the file: 60, 8 for each length, the data key's 32, and those of database, names and parts.
  /// - Throws: ``SealingError/inputOutput(path:reason:)`` when AES-GCM fails.
  public func sealed(_ content: Content, with key: Key) throws(SealingError) -> [UInt8] {
    let fields = [content.database] + (content.parts ?? []).flatMap { [Array($0.name.utf8), $0.bytes] }
    let bytes = content.dataKey + fields.flatMap { $0.count.bytes + $0 }
    return key.header + (try key.key.seal(bytes, bound: key.header))
  }

  /// - Throws: ``SealingError/backupDoesNotOpen(path:)``, ``SealingError/notABackup(path:)``.
  public func opened(_ file: [UInt8], with key: Key, path: String) throws(SealingError) -> Content {
    guard file.starts(with: key.header),
      let content = key.key.open(Array(file.dropFirst(key.header.count)), bound: key.header)
    else { throw .backupDoesNotOpen(path: path) }
    let (dataKey, rest) = (Array(content.prefix(SealingKey.size)), content.dropFirst(SealingKey.size))
    if isFormer(file) { return Content(dataKey: dataKey, database: Array(rest), parts: nil) }
    guard let fields = Self.fields(rest), fields.count % 2 == 1 else { throw .notABackup(path: path) }
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

  private static func key(_ passphrase: String, salt: [UInt8]) throws(SealingError) -> DerivedKey {
    do {
      return DerivedKey(
        try KDF.Scrypt.deriveKey(
          from: Array(passphrase.utf8), salt: salt, outputByteCount: SealingKey.size, rounds: 1 << 15,
          blockSize: 8, parallelism: 3))
    } catch { throw .inputOutput(path: "scrypt", reason: "\(error)") }
  }
}
