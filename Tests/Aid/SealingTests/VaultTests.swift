import Base
import Sealing
import Testing

/// Vectors: Python's `cryptography` 48.0.0 (HKDF with SHA-256, AESGCM with the nonce 09 × 12) and `hmac`, by the shapes that the
/// doc comments of `Vault` and `DerivedKey` state.
@Suite("Vault") struct VaultTests {
  static let bookID = [UInt8](0..<16)
  static let dataKey = [UInt8](32..<64)
  let key = [UInt8](0..<32)
  let vault = Vault("test", bookID: bookID, dataKey: dataKey)

  /// "a row", sealed as row 3 of test.event.1.
  static let sealed = "0909090909090909090909098e53153316a76c0267f154b8c9cef4c87e918ba339"

  @Test("opens a row that another implementation sealed, in its place alone")
  func vector() throws {
    let sealed = try #require(Hexadecimal.bytes(Self.sealed))
    #expect(try vault.open(sealed, in: "test.event.1", row: 3) == Array("a row".utf8))
    for row in [0, 2, 4, -3, .max] {
      #expect(throws: SealingError.alteredRow(row)) { try vault.open(sealed, in: "test.event.1", row: row) }
    }
    for table in ["test.event.2", "test.event.", "", "test.audit.1"] {
      #expect(throws: SealingError.alteredRow(3)) { try vault.open(sealed, in: table, row: 3) }
    }
    let others = [
      Vault("tess", bookID: Self.bookID, dataKey: Self.dataKey),
      Vault("test", bookID: Self.bookID.reversed(), dataKey: Self.dataKey),
      Vault("test", bookID: Self.bookID, dataKey: Self.dataKey.reversed()), Vault.random("test"),
    ]
    for other in others {
      #expect(throws: SealingError.alteredRow(3)) { try other.open(sealed, in: "test.event.1", row: 3) }
    }
  }

  @Test("a row with any bit flipped, cut off or longer does not open")
  func altered() throws {
    let sealed = try vault.seal(Array("what was said".utf8), in: "test.event.1", row: 1)
    // Nonce 12, text 13, tag 16.
    #expect(sealed.count == 12 + 13 + 16)
    for bit in 0..<sealed.count * 8 {
      var flipped = sealed
      flipped[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: SealingError.alteredRow(1)) { try vault.open(flipped, in: "test.event.1", row: 1) }
    }
    for count in 0..<sealed.count {
      let cut = Array(sealed.prefix(count))
      #expect(throws: SealingError.alteredRow(1)) { try vault.open(cut, in: "test.event.1", row: 1) }
    }
    #expect(throws: SealingError.alteredRow(1)) { try vault.open(sealed + [0], in: "test.event.1", row: 1) }
  }

  @Test("the same row is sealed anew each time, an empty one too")
  func fresh() throws {
    let first = try vault.seal([], in: "test.event.1", row: 1)
    let second = try vault.seal([], in: "test.event.1", row: 1)
    #expect(first != second)
    #expect(try vault.open(first, in: "test.event.1", row: 1).isEmpty)
    #expect(try vault.open(second, in: "test.event.1", row: 1).isEmpty)
  }

  @Test("a data key that another implementation wrapped opens with its sealing key alone")
  func wrapped() throws {
    let check = try #require(
      Hexadecimal.bytes("e63832601747c6f3cc06ac10c971cd718ab6e7dff6e18dd86214df79ae49349b"))
    let bytes = try #require(
      Hexadecimal.bytes(
        "09090909090909090909090900548612850e6abc1ec851dea3c8bc9b199b86d367432006f8da54e5b7593247e8b93261"
          + "ac4726607060e20e46456bed"))
    let kept = Vault.WrappedKey(bookID: Self.bookID, key: bytes, check: check)
    let sealingKey = try SealingKey(bytes: key)
    #expect(try Vault("test", kept, key: sealingKey, path: "p").rawKey == Self.dataKey)
    #expect(try vault.wrapped(by: sealingKey).check == check)
    let wrong = SealingError.wrongKey(path: "p")
    #expect(throws: wrong) {
      try Vault("test", kept, key: SealingKey(bytes: key.reversed()), path: "p")
    }
    // The same key is that of another kind of book no more than any other.
    #expect(throws: wrong) { try Vault("auricle", kept, key: sealingKey, path: "p") }
    var altered = bytes
    altered[20] ^= 1
    for key in [altered, [], Array(bytes.dropLast())] {
      let kept = Vault.WrappedKey(bookID: Self.bookID, key: key, check: check)
      #expect(throws: SealingError.alteredRow(0)) { try Vault("test", kept, key: sealingKey, path: "p") }
    }
  }

  @Test("wrapped by another machine's key it is the same vault")
  func rewrapped() throws {
    let vault = Vault.random("test")
    let sealed = try vault.seal([7], in: "test.event.1", row: 1)
    for bytes in [key, key.reversed()] {
      let key = try SealingKey(bytes: bytes)
      let other = try Vault("test", vault.wrapped(by: key), key: key, path: "p")
      #expect(other.bookID == vault.bookID)
      #expect(try other.open(sealed, in: "test.event.1", row: 1) == [7])
    }
  }

  @Test("a confirmation is the first half of an HMAC over the fields with their lengths")
  func confirmation() {
    #expect(vault.confirmation([[0x61], [], [0x62, 0x63]]) == "35d4e27ab9f4eb678d3773ca309c7c0d")
    #expect(vault.confirmation([[0x61], [0x62, 0x63], []]) != "35d4e27ab9f4eb678d3773ca309c7c0d")
    #expect(vault.confirmation([[0x61, 0x62, 0x63]]) != "35d4e27ab9f4eb678d3773ca309c7c0d")
  }

  @Test(
    "a derived key opens nothing that was sealed for another purpose, with another salt or for another place"
  )
  func purposes() throws {
    let key = try SealingKey(bytes: key)
    let sealed = try key.derived("test.head.1").seal([1], bound: [2])
    #expect(key.derived("test.head.1").open(sealed, bound: [2]) == [1])
    #expect(key.derived("test.head.2").open(sealed, bound: [2]) == nil)
    #expect(key.derived("test.head.1", salt: [0, 1]).open(sealed, bound: [2]) == nil)
    #expect(key.derived("test.head.1").open(sealed, bound: []) == nil)
    let tag = key.derived("test.head.1").tag([1])
    #expect(key.derived("test.head.1").isTag(tag, of: [1]))
    #expect(!key.derived("test.head.1").isTag(tag, of: [2]))
    #expect(!key.derived("test.head.2").isTag(tag, of: [1]))
    #expect(!key.derived("test.head.1").isTag([], of: [1]))
  }
}
