import Crypto
import CryptoExtras
import Sealing
import Testing

@Suite("BackupFile") struct BackupFileTests {
  let form = BackupFile(mark: "test.backup.0002", formerMark: "test.backup.0001")
  static let passphrase = "correct horse battery"
  static let dataKey = [UInt8](0..<32)
  static let database = [UInt8](repeating: 0xDB, count: 600)
  let salt = [UInt8](repeating: 7, count: 16)

  /// A file by its documented shape, without the code under test.
  func file(_ mark: String, _ content: [UInt8]) throws -> [UInt8] {
    let header = Array(mark.utf8) + salt
    let key: SymmetricKey = try KDF.Scrypt.deriveKey(
      from: Array(Self.passphrase.utf8), salt: salt, outputByteCount: 32, rounds: 1 << 15, blockSize: 8,
      parallelism: 3)
    let box = try AES.GCM.seal(content, using: key, authenticating: header)
    return header + Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
  }

  /// A field with its length before it, eight bytes.
  func field(_ bytes: [UInt8]) -> [UInt8] {
    (0..<8).reversed().map { UInt8(bytes.count >> ($0 * 8) & 0xFF) } + bytes
  }

  func opened(_ file: [UInt8], passphrase: String = passphrase) throws -> BackupFile.Content {
    try form.opened(file, with: form.key(of: file, passphrase, path: "p"), path: "p")
  }

  @Test("opens as it was sealed: data key, database, parts in their order")
  func whole() throws {
    let parts = [
      BackupFile.Part(name: "programs.json", bytes: [1, 2]), BackupFile.Part(name: "é", bytes: []),
    ]
    let content = BackupFile.Content(dataKey: Self.dataKey, database: Self.database, parts: parts)
    let key = try form.newKey(Self.passphrase)
    let file = try form.sealed(content, with: key)
    let found = try opened(file)
    #expect(found.dataKey == Self.dataKey && found.database == Self.database && found.parts == parts)
    // The key of the file that it made is the same.
    #expect(try form.opened(file, with: key, path: "p").parts == parts)
  }

  @Test("reads the documented shape, the former one too")
  func shape() throws {
    let fields = field(Self.database) + field(Array("a".utf8)) + field([5])
    let found = try opened(file("test.backup.0002", Self.dataKey + fields))
    #expect(found.dataKey == Self.dataKey && found.database == Self.database)
    #expect(found.parts == [BackupFile.Part(name: "a", bytes: [5])])
    let former = try opened(file("test.backup.0001", Self.dataKey + Self.database))
    #expect(former.dataKey == Self.dataKey && former.database == Self.database && former.parts == nil)
  }

  @Test("a wrong passphrase or a flipped bit opens nothing", arguments: [16, 31, 32, 44, 300, -1])
  func altered(offset: Int) throws {
    var bytes = try file("test.backup.0002", Self.dataKey + field(Self.database))
    #expect(throws: SealingError.backupDoesNotOpen(path: "p")) {
      try opened(bytes, passphrase: "correct horse batterx")
    }
    bytes[offset < 0 ? bytes.count - 1 : offset] ^= 1
    #expect(throws: SealingError.backupDoesNotOpen(path: "p")) { try opened(bytes) }
  }

  @Test("another kind's file, a short one or none at all is no backup")
  func others() throws {
    let bytes = try file("test.backup.0003", Self.dataKey + field(Self.database))
    #expect(throws: SealingError.notABackup(path: "p")) { try opened(bytes) }
    #expect(throws: SealingError.notABackup(path: "p")) { try opened([]) }
    // 16 + 16 + 12 + 32 + 512 + 16 bytes at least: with a database of one page of 512 bytes.
    let short = Array("test.backup.0002".utf8) + [UInt8](repeating: 0, count: 587)
    #expect(throws: SealingError.notABackup(path: "p")) { try opened(short) }
    #expect(throws: SealingError.backupDoesNotOpen(path: "p")) { try opened(short + [0]) }
    // A form without a former one.
    let first = BackupFile(mark: "test.backup.0002")
    let former = try file("test.backup.0001", Self.dataKey + Self.database)
    #expect(throws: SealingError.notABackup(path: "p")) {
      try first.key(of: former, Self.passphrase, path: "p")
    }
  }

  @Test("lengths that do not fit, from somebody who knows the passphrase, are refused and end no process")
  func lengths() throws {
    let most = [UInt8](repeating: 0xFF, count: 8)
    let contents = [
      most + Self.database, field(Self.database) + most, field(Self.database) + [0, 0, 0],
      field(Self.database) + field([0x61]), [0x7F] + most.dropFirst() + Self.database,
      field(Self.database) + [0, 0, 0, 0, 0, 0, 0, 9, 1],
    ]
    for content in contents {
      let bytes = try file("test.backup.0002", Self.dataKey + content)
      #expect(throws: SealingError.notABackup(path: "p")) { try opened(bytes) }
    }
  }

  @Test("a passphrase of fewer than eight characters is refused, characters being what a person counts")
  func short() throws {
    for passphrase in ["", "1234567", "ééééééé"] {
      #expect(throws: SealingError.passphraseTooShort(least: 8)) { try form.newKey(passphrase) }
    }
    _ = try form.newKey("éééééééé")
  }
}
