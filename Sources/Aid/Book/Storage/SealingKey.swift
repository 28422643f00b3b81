import Base
import Crypto
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
  package init(bytes: [UInt8]) throws(BookError) { try self.init(bytes, from: "key") }

  private init(_ bytes: [UInt8], from file: String) throws(BookError) {
    guard bytes.count == Self.size else { throw .keySize(file: file, found: bytes.count) }
    key = SymmetricKey(data: bytes)
  }

  /// A new one.
  package static func random() -> SealingKey { SealingKey(key: SymmetricKey(size: .bits256)) }

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
    if let credentialsFolder {
      let path = credentialsFolder + "/" + Self.credentialName
      // systemd owns the folder and keeps others out of it; its files need not be this user's.
      if let bytes = try PrivateFile.bytes(of: path, limit: 4096, checked: false) {
        try self.init(bytes, from: path)
        return
      }
    }
    if let bytes = try PrivateFile.bytes(of: file, limit: 4096) {
      try self.init(bytes, from: file)
      return
    }
    guard FilePath.folder(of: file) != BookFolder(bookFolder).path else {
      throw .unsafeFile(
        path: file, found: "the key in the folder of the book", expected: "another folder for it")
    }
    let book = BookFolder(bookFolder).database
    guard !PrivateFile.exists(book) else { throw .keyLost(file: file, book: book) }
    try BookFolder.make(FilePath.folder(of: file))
    let made = SymmetricKey(size: .bits256)
    do throws(BookError) {
      try PrivateFile.write(made.withUnsafeBytes { Array($0) }, to: file, replacing: false)
      self.init(key: made)
    } catch .fileExists {
      // Another process made it in the meantime.
      try self.init(try PrivateFile.bytes(of: file, limit: 4096) ?? [], from: file)
    }
  }

  /// A key for one purpose (HKDF, RFC 5869).
  func derived(_ purpose: String, salt: [UInt8] = []) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: key, salt: salt, info: Array("auricle.\(purpose).1".utf8), outputByteCount: 32)
  }
}
