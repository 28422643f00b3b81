import Base
import Crypto
import CryptoExtras
import Glibc

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
    var generator = SystemRandomNumberGenerator()
    let salt: [UInt8] = (0..<saltSize).map { _ in generator.next() }
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
    else {
      throw .backupDoesNotOpen(path: path)
    }
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
