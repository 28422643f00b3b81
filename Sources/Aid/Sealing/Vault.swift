import Base
import Crypto

/// Sealing of rows under a book's own data key. Book, table and row are authenticated with each row, so that
/// it opens only in its place.
public struct Vault: Sendable {
  /// The data key as a book keeps it, under its sealing key.
  public struct WrappedKey: Sendable {
    /// The book's number, 16 bytes, as ``Vault/bookID``.
    public let bookID: [UInt8]
    /// The data key, sealed: nonce (12 bytes), ciphertext (32) and tag (16), 60 bytes.
    public let key: [UInt8]
    /// HMAC-SHA256 of the book's number, 32 bytes: tells whether a sealing key is the right one.
    public let check: [UInt8]

    /// A wrapped key as a book has kept it; see the properties for the lengths.
    public init(bookID: [UInt8], key: [UInt8], check: [UInt8]) {
      (self.bookID, self.key, self.check) = (bookID, key, check)
    }
  }

  /// Random, 16 bytes, never changed.
  public let bookID: [UInt8]
  private let kind: String
  private let dataKey: SymmetricKey
  private let rows: DerivedKey
  private let audit: DerivedKey

  /// A vault whose data key is known, as from a backup.
  ///
  /// - Parameter kind: Kind of book, `auricle` for instance. Each key is derived for a purpose that begins with it, so that no
  ///   book opens what another kind has sealed.
  /// - Parameter bookID: Number of the book, 16 bytes.
  /// - Parameter dataKey: 32 bytes.
  public init(_ kind: String, bookID: [UInt8], dataKey: [UInt8]) {
    self.init(kind, bookID: bookID, key: SymmetricKey(data: dataKey))
  }

  private init(_ kind: String, bookID: [UInt8], key: SymmetricKey) {
    (self.kind, self.bookID, dataKey) = (kind, bookID, key)
    rows = DerivedKey("\(kind).rows.1", of: key, salt: bookID)
    audit = DerivedKey("\(kind).audit.1", of: key, salt: bookID)
  }

  /// A new book's.
  public static func random(_ kind: String) -> Vault {
    Vault(kind, bookID: (0..<16).map { _ in .random(in: 0...255) }, key: SymmetricKey(size: .bits256))
  }

  /// - Parameter table: Word for the table that the row is in, with the version of its form: `auricle.event.1`.
  public func seal(_ bytes: [UInt8], in table: String, row: Int) throws(SealingError) -> [UInt8] {
    try rows.seal(bytes, bound: place(table, row))
  }

  /// - Throws: ``SealingError/alteredRow(_:)``.
  public func open(_ sealed: [UInt8], in table: String, row: Int) throws(SealingError) -> [UInt8] {
    guard let bytes = rows.open(sealed, bound: place(table, row)) else { throw .alteredRow(row) }
    return bytes
  }

  private func place(_ table: String, _ row: Int) -> [UInt8] { Array(table.utf8) + bookID + row.bytes }

  /// A tag that only the key's holder can make, 32 bytes.
  public func tag(_ hash: [UInt8]) -> [UInt8] { audit.tag(hash) }

  /// True for the tag that ``tag(_:)`` makes of the hash; compared in constant time.
  public func isTag(_ tag: [UInt8], of hash: [UInt8]) -> Bool { audit.isTag(tag, of: hash) }

  /// Digest of what a person confirms, 32 hexadecimal digits.
  public func confirmation(_ fields: [[UInt8]]) -> String {
    let key = DerivedKey("\(kind).confirmation.1", of: dataKey, salt: bookID)
    return Hexadecimal.text(key.tag(fields.flatMap { $0.count.bytes + $0 }).prefix(16))
  }

  // MARK: - The data key

  /// The data key under a sealing key, and a value that tells whether a sealing key is the right one.
  public func wrapped(by key: SealingKey) throws(SealingError) -> WrappedKey {
    let sealed = try Self.wrapping(kind, key, bookID).seal(rawKey, bound: Self.place(kind, bookID))
    return WrappedKey(bookID: bookID, key: sealed, check: Self.check(kind, key, bookID))
  }

  /// - Throws: ``SealingError/wrongKey(path:)``; ``SealingError/alteredRow(_:)`` with row 0 when the key is right
  ///   and what it opens was altered.
  public init(_ kind: String, _ kept: WrappedKey, key: SealingKey, path: String) throws(SealingError) {
    let bookID = kept.bookID
    guard Self.check(kind, key, bookID) == kept.check else { throw .wrongKey(path: path) }
    guard
      let bytes = Self.wrapping(kind, key, bookID).open(kept.key, bound: Self.place(kind, bookID)),
      bytes.count == SealingKey.size
    else { throw .alteredRow(0) }
    self.init(kind, bookID: bookID, dataKey: bytes)
  }

  private static func wrapping(_ kind: String, _ key: SealingKey, _ bookID: [UInt8]) -> DerivedKey {
    key.derived("\(kind).wrap.1", salt: bookID)
  }

  private static func place(_ kind: String, _ bookID: [UInt8]) -> [UInt8] {
    Array("\(kind).key.1".utf8) + bookID
  }

  private static func check(_ kind: String, _ key: SealingKey, _ bookID: [UInt8]) -> [UInt8] {
    key.derived("\(kind).check.1", salt: bookID).tag(bookID)
  }

  /// The data key itself, 32 bytes, for a backup that seals it again.
  public var rawKey: [UInt8] { dataKey.withUnsafeBytes { Array($0) } }
}
