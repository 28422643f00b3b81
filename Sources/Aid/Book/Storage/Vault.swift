import Crypto
import FoundationEssentials

/// Sealing of rows under the book's own key. Book, table and row are authenticated with each row, so that
/// it opens only in its place.
struct Vault {
  /// Random, 16 bytes, never changed.
  let bookID: [UInt8]
  private let dataKey: SymmetricKey
  private let rows: SymmetricKey
  private let audit: SymmetricKey

  init(bookID: [UInt8], dataKey: SymmetricKey) {
    self.bookID = bookID
    self.dataKey = dataKey
    func derived(_ purpose: String) -> SymmetricKey {
      HKDF<SHA256>.deriveKey(
        inputKeyMaterial: dataKey, salt: bookID, info: Array("auricle.\(purpose).1".utf8),
        outputByteCount: 32)
    }
    rows = derived("rows")
    audit = derived("audit")
  }

  /// A new book's.
  static func random() -> Vault {
    var generator = SystemRandomNumberGenerator()
    return Vault(
      bookID: (0..<16).map { _ in generator.next() }, dataKey: SymmetricKey(size: .bits256))
  }

  /// AES-256-GCM, nonce · ciphertext · tag. A random nonce is safe for 2³² rows (NIST SP 800-38D, 8.3).
  func seal(_ bytes: [UInt8], row: Int) throws(BookError) -> [UInt8] {
    try Self.seal(bytes, with: rows, bound: place(row))
  }

  /// - Throws: ``BookError/alteredRow(_:)``.
  func open(_ sealed: [UInt8], row: Int) throws(BookError) -> [UInt8] {
    guard let bytes = Self.open(sealed, with: rows, bound: place(row)) else { throw .alteredRow(row) }
    return bytes
  }

  private func place(_ row: Int) -> [UInt8] { Array("auricle.event.1".utf8) + bookID + row.bytes }

  /// A tag that only the key's holder can make (HMAC-SHA256).
  func tag(_ hash: [UInt8]) -> [UInt8] { Array(HMAC<SHA256>.authenticationCode(for: hash, using: audit)) }

  func isTag(_ tag: [UInt8], of hash: [UInt8]) -> Bool {
    HMAC<SHA256>.isValidAuthenticationCode(tag, authenticating: hash, using: audit)
  }

  // MARK: - The data key

  /// The data key under a sealing key, and a value that tells whether a sealing key is the right one.
  func wrapped(by key: SealingKey) throws(BookError) -> (key: [UInt8], check: [UInt8]) {
    let sealed = try Self.seal(
      rawKey, with: key.derived("wrap", salt: bookID), bound: Array("auricle.key.1".utf8) + bookID)
    return (sealed, Self.check(key, bookID: bookID))
  }

  /// - Throws: ``BookError/wrongKey(path:)``; ``BookError/alteredRow(_:)`` with row 0 when the key is right
  ///   and what it opens was altered.
  init(
    bookID: [UInt8], wrapped: [UInt8], check: [UInt8], key: SealingKey, path: String
  ) throws(BookError) {
    guard Self.check(key, bookID: bookID) == check else { throw .wrongKey(path: path) }
    guard
      let bytes = Self.open(
        wrapped, with: key.derived("wrap", salt: bookID), bound: Array("auricle.key.1".utf8) + bookID),
      bytes.count == SealingKey.size
    else { throw .alteredRow(0) }
    self.init(bookID: bookID, dataKey: SymmetricKey(data: bytes))
  }

  /// The data key itself, for a backup that seals it again.
  var rawKey: [UInt8] { dataKey.withUnsafeBytes { Array($0) } }

  private static func check(_ key: SealingKey, bookID: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: bookID, using: key.derived("check", salt: bookID)))
  }

  // MARK: - AES-GCM

  static func seal(
    _ bytes: [UInt8], with key: SymmetricKey, bound: [UInt8]
  ) throws(BookError) -> [UInt8] {
    do {
      let box = try AES.GCM.seal(bytes, using: key, authenticating: bound)
      return Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
    } catch {
      throw .inputOutput(path: "AES-GCM", reason: "\(error)")
    }
  }

  static func open(_ sealed: [UInt8], with key: SymmetricKey, bound: [UInt8]) -> [UInt8]? {
    guard let box = try? AES.GCM.SealedBox(combined: sealed),
      let bytes = try? AES.GCM.open(box, using: key, authenticating: bound)
    else { return nil }
    return Array(bytes)
  }
}

extension FixedWidthInteger {
  /// Most significant byte first.
  var bytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
