import Base
import Crypto

/// The secret that opens a book: 32 bytes from a systemd credential or from a file of mode 600.
///
/// It seals only the book's own data key and what lies beside the book, so that a backup can be restored under
/// another machine's key.
public struct SealingKey: Sendable {
  /// Size, bytes: AES-256.
  public static let size = 32
  /// Most bytes of a file that is read to be told its size.
  private static let mostRead = 4096

  private let key: SymmetricKey

  /// A key from memory.
  ///
  /// - Throws: ``SealingError/keySize(file:found:)``.
  public init(bytes: [UInt8], from file: String = "key") throws(SealingError) {
    guard bytes.count == Self.size else { throw .keySize(file: file, found: bytes.count) }
    key = SymmetricKey(data: bytes)
  }

  private init(key: SymmetricKey) { self.key = key }

  /// The key of a book.
  ///
  /// - Parameters:
  ///   - credential: File that comes first; of a folder that systemd keeps others out of.
  ///   - file: Key file to use otherwise, made when there is neither a key nor a book.
  ///   - folder: Of the book; the key may not lie in it, so that a copy of the folder does not carry its key.
  ///   - book: Path of the book that was begun, nil where none was; asked when there is no key.
  /// - Throws: ``SealingError/keyLost(file:book:)`` when there is a book and no key;
  ///   ``SealingError/unsafeFile(path:found:expected:)`` when others can read it;
  ///   ``SealingError/keySize(file:found:)``.
  public init(
    credential: String?, file: String, outside folder: String, of book: () -> String?
  ) throws(SealingError) {
    // systemd owns the folder and keeps others out of it; its files need not be this user's.
    if let credential,
      let bytes = try PrivateFile.bytes(of: credential, limit: Self.mostRead, checked: false)
    {
      try self.init(bytes: bytes, from: credential)
    } else if let bytes = try PrivateFile.bytes(of: file, limit: Self.mostRead) {
      try self.init(bytes: bytes, from: file)
    } else {
      guard FilePath.folder(of: file) != FilePath.withoutLastSlashes(folder) else {
        throw .unsafeFile(
          path: file, found: "the key in the folder of the book", expected: "another folder for it")
      }
      if let book = book() { throw .keyLost(file: file, book: book) }
      try self.init(making: file)
    }
  }

  /// Damage of a key file, found without making one; nil: it has the size of a key, is not there, or cannot be
  /// looked at.
  package static func damage(of file: String) -> SealingError? {
    guard let bytes = try? PrivateFile.bytes(of: file, limit: mostRead), bytes.count != size else {
      return nil
    }
    return .keySize(file: file, found: bytes.count)
  }

  private init(making file: String) throws(SealingError) {
    try PrivateFolder.make(FilePath.folder(of: file))
    let made = SymmetricKey(size: .bits256)
    do throws(SealingError) {
      try PrivateFile.write(made.withUnsafeBytes { Array($0) }, to: file, replacing: false)
      self.init(key: made)
    } catch .fileExists {
      // Another process made it in the meantime.
      try self.init(bytes: try PrivateFile.bytes(of: file, limit: Self.mostRead) ?? [], from: file)
    }
  }

  /// A key for one purpose, which tells the kind of book too: `auricle.head.1`.
  public func derived(_ purpose: String, salt: [UInt8] = []) -> DerivedKey {
    DerivedKey(purpose, of: key, salt: salt)
  }
}
