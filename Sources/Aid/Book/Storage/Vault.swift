import Base
import Crypto
import FoundationEssentials
import Glibc

/// The secret that opens a book: 32 bytes from a systemd credential or from a file of mode 600.
///
/// It seals only the book's own data key and the note of its head, so that a backup can be restored under
/// another machine's key.
package struct SealingKey: Sendable {
  /// Size, bytes: AES-256.
  package static let size = 32
  /// Name of the credential: `LoadCredentialEncrypted=book-key` in the unit.
  package static let credentialName = "book-key"

  let key: SymmetricKey

  /// Key file of a book when nothing else is said: beside its folder, not in it, so that a copy of the
  /// folder does not carry its key, and a restored folder does not take it away.
  package static func standardFile(for bookFolder: String) -> String {
    BookFolder(bookFolder).path + ".key"
  }

  /// A key from memory.
  ///
  /// - Throws: ``BookError/keySize(file:found:)``.
  package init(bytes: [UInt8], from file: String = "key") throws(BookError) {
    guard bytes.count == Self.size else { throw .keySize(file: file, found: bytes.count) }
    key = SymmetricKey(data: bytes)
  }

  private init(key: SymmetricKey) { self.key = key }

  /// The key of the book in `bookFolder`.
  ///
  /// - Parameters:
  ///   - credentialsFolder: `$CREDENTIALS_DIRECTORY`; its file `book-key` comes first.
  ///   - file: Key file to use otherwise, made when there is neither a key nor a book.
  /// - Throws: ``BookError/keyLost(file:book:)`` when there is a book and no key;
  ///   ``BookError/unsafeFile(path:found:expected:)`` when others can read it;
  ///   ``BookError/keySize(file:found:)``.
  package init(credentialsFolder: String?, file: String, bookFolder: String) throws(BookError) {
    let credential = credentialsFolder.map { $0 + "/" + Self.credentialName }
    // systemd owns the folder and keeps others out of it; its files need not be this user's.
    if let credential, let bytes = try PrivateFile.bytes(of: credential, limit: 4096, checked: false) {
      try self.init(bytes: bytes, from: credential)
    } else if let bytes = try PrivateFile.bytes(of: file, limit: 4096) {
      try self.init(bytes: bytes, from: file)
    } else {
      try self.init(making: file, bookFolder: bookFolder)
    }
  }

  private init(making file: String, bookFolder: String) throws(BookError) {
    guard FilePath.folder(of: file) != BookFolder(bookFolder).path else {
      throw .unsafeFile(
        path: file, found: "the key in the folder of the book", expected: "another folder for it")
    }
    let book = BookFolder(bookFolder)
    guard book.isUnbegun else { throw .keyLost(file: file, book: book.database) }
    try BookFolder.make(FilePath.folder(of: file))
    let made = SymmetricKey(size: .bits256)
    do throws(BookError) {
      try PrivateFile.write(made.withUnsafeBytes { Array($0) }, to: file, replacing: false)
      self.init(key: made)
    } catch .fileExists {
      // Another process made it in the meantime.
      try self.init(bytes: try PrivateFile.bytes(of: file, limit: 4096) ?? [], from: file)
    }
  }
}

extension SymmetricKey {
  /// A key for one purpose (HKDF, RFC 5869).
  func derived(_ purpose: String, salt: [UInt8] = []) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: self, salt: salt, info: Array("auricle.\(purpose).1".utf8), outputByteCount: 32)
  }
}

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
    rows = dataKey.derived("rows", salt: bookID)
    audit = dataKey.derived("audit", salt: bookID)
  }

  /// A new book's.
  static func random() -> Vault {
    Vault(bookID: (0..<16).map { _ in .random(in: 0...255) }, dataKey: SymmetricKey(size: .bits256))
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

  /// Digest of what a person confirms, 32 hexadecimal digits.
  func confirmation(_ fields: [[UInt8]]) -> String {
    var code = HMAC<SHA256>(key: dataKey.derived("confirmation", salt: bookID))
    for field in fields {
      code.update(data: field.count.bytes)
      code.update(data: field)
    }
    return Hexadecimal.text(code.finalize().prefix(16))
  }

  // MARK: - The data key

  /// The data key under a sealing key, and a value that tells whether a sealing key is the right one.
  func wrapped(by key: SealingKey) throws(BookError) -> BookDatabase.WrappedKey {
    let sealed = try Self.seal(rawKey, with: Self.wrapping(key, bookID), bound: Self.keyPlace(bookID))
    return BookDatabase.WrappedKey(bookID: bookID, key: sealed, check: Self.check(key, bookID: bookID))
  }

  /// - Throws: ``BookError/wrongKey(path:)``; ``BookError/alteredRow(_:)`` with row 0 when the key is right
  ///   and what it opens was altered.
  init(_ kept: BookDatabase.WrappedKey, key: SealingKey, path: String) throws(BookError) {
    let bookID = kept.bookID
    guard Self.check(key, bookID: bookID) == kept.check else { throw .wrongKey(path: path) }
    guard
      let bytes = Self.open(kept.key, with: Self.wrapping(key, bookID), bound: Self.keyPlace(bookID)),
      bytes.count == SealingKey.size
    else { throw .alteredRow(0) }
    self.init(bookID: bookID, dataKey: SymmetricKey(data: bytes))
  }

  private static func wrapping(_ key: SealingKey, _ bookID: [UInt8]) -> SymmetricKey {
    key.key.derived("wrap", salt: bookID)
  }

  private static func keyPlace(_ bookID: [UInt8]) -> [UInt8] { Array("auricle.key.1".utf8) + bookID }

  /// The data key itself, for a backup that seals it again.
  var rawKey: [UInt8] { dataKey.withUnsafeBytes { Array($0) } }

  private static func check(_ key: SealingKey, bookID: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: bookID, using: key.key.derived("check", salt: bookID)))
  }

  // MARK: - AES-GCM

  static func seal(_ bytes: [UInt8], with key: SymmetricKey, bound: [UInt8]) throws(BookError) -> [UInt8] {
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
