import CommonTesting
import Glibc
import Sealing
import Testing

@Suite("SealingKey of a file or a credential") struct SealingKeyTests {
  let folder = TemporaryFolder()
  var file: String { folder.file("book.key") }
  var book: String { folder.file("book") }

  func key(credential: String? = nil, file: String? = nil, begun: String? = nil) throws -> SealingKey {
    try SealingKey(credential: credential, file: file ?? self.file, outside: book + "/", of: { begun })
  }

  /// Bytes that a key seals for one place, opened with another key.
  func isSame(_ key: SealingKey, _ other: SealingKey) throws -> Bool {
    let sealed = try key.derived("test.file.1").seal([1, 2, 3], bound: [])
    return other.derived("test.file.1").open(sealed, bound: []) == [1, 2, 3]
  }

  @Test("the first use makes a file of 32 bytes that only its owner can read, the second takes it")
  func first() throws {
    let made = try key()
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600 && status.st_size == 32)
    #expect(try isSame(made, key()))
    #expect(try isSame(made, SealingKey(bytes: folder.bytes(of: "book.key"))))
    #expect(try !isSame(made, SealingKey(bytes: [UInt8](repeating: 0, count: 32))))
  }

  @Test("a key that another process makes in the meantime is taken, and stays as it is")
  func meanwhile() throws {
    let others = [UInt8](32..<64)
    let taken = try SealingKey(credential: nil, file: file, outside: book) {
      // Asked once no key was found, before one is made.
      folder.write(others, to: "book.key")
      chmod(file, 0o600)
      return nil
    }
    #expect(try isSame(taken, SealingKey(bytes: others)))
    #expect(folder.bytes(of: "book.key") == others && folder.names == ["book.key"])
  }

  @Test("folders above a key that is made are the owner's alone")
  func folders() throws {
    _ = try key(file: folder.file("a/b/key"))
    var status = stat()
    for name in ["a", "a/b"] {
      #expect(stat(folder.file(name), &status) == 0 && status.st_mode & 0o777 == 0o700)
    }
  }

  @Test("where a book was begun no key is made: the lost one is named with it")
  func lost() throws {
    #expect(throws: SealingError.keyLost(file: file, book: "/some/book")) { try key(begun: "/some/book") }
    #expect(folder.names.isEmpty)
    // A key that is there is taken, whether a book was begun or not.
    _ = try key()
    _ = try key(begun: "/some/book")
  }

  @Test("a key file that others can read is refused", arguments: [0o640, 0o604, 0o660] as [mode_t])
  func readable(mode: mode_t) throws {
    _ = try key()
    chmod(file, mode)
    #expect(
      throws: SealingError.unsafeFile(
        path: file, found: "that others may use it (mode \(String(mode, radix: 8)))", expected: "mode 600")
    ) { try key() }
  }

  @Test("a key of another size is refused, with the size of what was found", arguments: [0, 31, 33, 4096])
  func size(count: Int) throws {
    folder.write([UInt8](repeating: 1, count: count), to: "book.key")
    chmod(file, 0o600)
    #expect(throws: SealingError.keySize(file: file, found: count)) { try key() }
    #expect(SealingKey.damage(of: file) == .keySize(file: file, found: count))
    #expect(throws: SealingError.keySize(file: "key", found: count)) {
      try SealingKey(bytes: [UInt8](repeating: 1, count: count))
    }
  }

  @Test("looking for damage finds none in a key, nor where there is none, and makes none")
  func undamaged() throws {
    #expect(SealingKey.damage(of: file) == nil && folder.names.isEmpty)
    _ = try key()
    #expect(SealingKey.damage(of: file) == nil)
  }

  @Test("what is no file is not read as a key: a folder, a link, a pipe, a file without end")
  func others() throws {
    #expect(symlink("/dev/zero", file) == 0)
    #expect(throws: SealingError.unsafeFile(path: file, found: "a symbolic link", expected: "a file")) {
      try key()
    }
    for path in ["/dev/zero", folder.path] {
      #expect(
        throws: SealingError.unsafeFile(
          path: path, found: "something that is not a file", expected: "a file")
      ) { try key(file: path) }
    }
    unlink(file)
    #expect(mkfifo(file, 0o600) == 0)
    #expect(throws: SealingError.self) { try key() }
  }

  @Test("the credential comes first, whoever may read it; without one the file is taken")
  func credential() throws {
    folder.write(Array(0..<32), to: "credential")
    chmod(folder.file("credential"), 0o440)
    let given = try key(credential: folder.file("credential"))
    #expect(try isSame(given, SealingKey(bytes: Array(0..<32))))
    #expect(access(file, F_OK) != 0)
    _ = try key(credential: folder.file("none"))
    #expect(access(file, F_OK) == 0)
  }

  @Test("a key in the book's own folder is not made")
  func inside() throws {
    let inside = book + "/key"
    #expect(
      throws: SealingError.unsafeFile(
        path: inside, found: "the key in the folder of the book", expected: "another folder for it")
    ) { try key(file: inside) }
    #expect(folder.names.isEmpty)
  }
}
