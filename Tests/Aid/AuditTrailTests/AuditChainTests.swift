import AuditTrail
import Base
import Sealing
import Testing

@Suite("AuditChain") struct AuditChainTests {
  /// A row as a book keeps it.
  struct Row {
    var fields: [AuditField?]
    var link: AuditLink
  }

  static let bookID = [UInt8](0..<16)
  static let vault = Vault("test", bookID: bookID, dataKey: Array(32..<64))
  let chain = AuditChain("test.trail.1", vault: vault)

  static let contents: [[AuditField?]] = [
    [.number(1), .text("begun"), nil, .digest(of: Array("one".utf8))],
    [.number(2), .text("answered"), .text("é"), .digest(of: Array("two".utf8))],
    [.number(3), .text("ended"), nil, .digest(of: [])],
  ]

  /// By Python's `hashlib` and `hmac`: each hash is SHA-256 over "test.trail.1", the former hash, the book's number and the four
  /// fields, each with its length before it as eight bytes, −1 for an absent one; each tag HMAC-SHA256 under
  /// HKDF(data key, salt: the book's number, info: "test.audit.1").
  static let vectors = [
    (
      "1c52254c70c1749d5518d210cc35fbba74e9274d0a01d518115d94fcd356f4d6",
      "84fd749402eae367497a0d5a990fd21c4ed1dda2f9a2ad991c5188c6a28c1b49"
    ),
    (
      "3ca1c120be7dc2bfb79b63ba62cf4c5d4af16a803f55ee423b96e86846ba6969",
      "021360423d8b2896672834d360f9639095788a049c84d1e47d0b0730b0fdcbbc"
    ),
    (
      "90a3da1c4e52df1ee1f3e1ac9d45253d282794d63fb8e8bce680143877c0d441",
      "03ba983dd439bcd74781bba66f76d2ac5776444c623e0197d9170bbeb71cc2be"
    ),
  ]

  func rows() -> [Row] {
    var (head, rows) = (AuditHead.empty, [Row]())
    for fields in Self.contents {
      let link = chain.link(fields, after: head)
      head = AuditHead(count: link.number, hash: link.hash)
      rows.append(Row(fields: fields, link: link))
    }
    return rows
  }

  func followed(_ rows: [Row], by chain: AuditChain? = nil) throws -> AuditHead {
    try rows.reduce(.empty) { head, row in
      try (chain ?? self.chain).head(following: head, by: row.link, of: row.fields)
    }
  }

  @Test("three rows have the hashes and tags that another implementation computes")
  func vector() throws {
    let rows = rows()
    #expect(rows.map(\.link.number) == [1, 2, 3])
    for (row, vector) in zip(rows, Self.vectors) {
      #expect(Hexadecimal.text(row.link.hash) == vector.0)
      #expect(Hexadecimal.text(row.link.tag) == vector.1)
    }
    #expect(try followed(rows).text == "3:" + Self.vectors[2].0)
    #expect(try followed([]) == .empty)
  }

  @Test("the first row in which any field was altered is named", arguments: 0..<3, 0..<4)
  func altered(row: Int, field: Int) throws {
    var rows = rows()
    // Empty, zero and absent are three things, and none of them is what was written; only the third field was absent, twice.
    var values: [AuditField?] = [.bytes([]), .number(0), .text("other")]
    if field != 2 || row == 1 { values.append(nil) }
    for value in values {
      rows[row].fields[field] = value
      #expect(throws: AuditTrailError(row: row + 1, reason: "its content does not fit its hash")) {
        try followed(rows)
      }
    }
  }

  @Test("what moves from one field to the next is found: each has its length before it")
  func boundary() {
    let former = AuditHead.empty.hash
    let hashes = [
      chain.hash(of: [.text("ab"), .text("c")], after: former),
      chain.hash(of: [.text("a"), .text("bc")], after: former),
      chain.hash(of: [.text("abc"), .text("")], after: former),
      chain.hash(of: [.text("abc"), nil], after: former), chain.hash(of: [.text("abc")], after: former),
    ]
    #expect(Set(hashes).count == hashes.count)
  }

  @Test("a row that is missing, doubled or out of its order is named")
  func order() throws {
    let rows = rows()
    let orders: [([Int], Int)] = [
      ([1, 2], 1), ([0, 2], 2), ([0, 0], 2), ([0, 2, 1], 2), ([0, 1, 1], 3),
    ]
    for (order, row) in orders {
      #expect(throws: AuditTrailError(row: row, reason: "it is missing")) {
        try followed(order.map { rows[$0] })
      }
    }
  }

  @Test("a hash rebuilt without the key is found by its tag")
  func rebuilt() throws {
    var rows = rows()
    rows[2].fields[1] = .text("forged")
    let hash = chain.hash(of: rows[2].fields, after: rows[1].link.hash)
    for tag in [rows[2].link.tag, [], [UInt8](repeating: 0, count: 32)] {
      rows[2].link = AuditLink(number: 3, hash: hash, tag: tag)
      #expect(throws: AuditTrailError(row: 3, reason: "its hash was not made by this book")) {
        try followed(rows)
      }
    }
  }

  @Test("rows of another trail, another book or another kind of book do not fit")
  func others() {
    let others = [
      AuditChain("test.trail.2", vault: Self.vault),
      AuditChain("test.trail.1", vault: Vault("test", bookID: Array(1...16), dataKey: Array(32..<64))),
      AuditChain("test.trail.1", vault: Vault("tess", bookID: Self.bookID, dataKey: Array(32..<64))),
      AuditChain("test.trail.1", vault: Vault("test", bookID: Self.bookID, dataKey: Array(0..<32))),
    ]
    for other in others {
      #expect(throws: AuditTrailError.self) { try followed(rows(), by: other) }
    }
  }
}
