import AuditTrail
import Testing

@Suite("A head noted elsewhere") struct AuditHeadTests {
  let hashes = (1...4).map { [UInt8](repeating: $0, count: 32) }

  func damage(_ noted: AuditHead?, count: Int) -> AuditDamage? {
    AuditDamage(noted: noted, count: count) { hashes[$0 - 1] }
  }

  @Test("is a text that can be kept on paper, and nothing else is read as one")
  func text() {
    let head = AuditHead(count: 12, hash: [UInt8](repeating: 0xAB, count: 32))
    #expect(head.text == "12:" + String(repeating: "ab", count: 32))
    #expect(AuditHead(text: head.text) == head && AuditHead(text: head.text.uppercased()) == head)
    let others = [
      "", "12", "12:", "12:ab", "-" + head.text, head.text + "0", "x" + head.text, ":" + head.text,
      head.text + ":",
      "99999999999999999999:" + String(repeating: "ab", count: 32),
      "12:" + String(repeating: "zz", count: 32),
    ]
    for text in others { #expect(AuditHead(text: text) == nil, "\(text)") }
  }

  @Test("shows no damage where it is the last row, the one before, or of an empty trail")
  func sound() {
    for count in 0...4 {
      #expect(damage(AuditHead(count: count, hash: count == 0 ? [] : hashes[count - 1]), count: 4) == nil)
    }
    #expect(damage(.empty, count: 0) == nil)
    #expect(damage(nil, count: 0) == nil)
  }

  @Test("shows rows that were cut off the end, a row that was replaced, and its own absence")
  func shown() {
    #expect(damage(AuditHead(count: 4, hash: hashes[3]), count: 3) == .truncated(found: 3, expected: 4))
    #expect(damage(AuditHead(count: 4, hash: hashes[3]), count: 0) == .truncated(found: 0, expected: 4))
    #expect(damage(AuditHead(count: 2, hash: hashes[3]), count: 4) == .rewritten(row: 2))
    #expect(damage(AuditHead(count: 1, hash: []), count: 1) == .rewritten(row: 1))
    #expect(damage(nil, count: 1) == .headMissing)
  }

  @Test("damage has a text of its own, which is read again, and nothing else is")
  func words() {
    let texts: [AuditDamage: String] = [
      .headMissing: "head missing", .truncated(found: 3, expected: 4): "truncated 3 4",
      .rewritten(row: 2): "rewritten 2",
    ]
    for (damage, text) in texts {
      #expect(damage.text == text && AuditDamage(text: text) == damage)
    }
    for text in ["", "truncated", "truncated 3", "truncated 3 x", "rewritten", "rewritten 1 2", "lost 1"] {
      #expect(AuditDamage(text: text) == nil, "\(text)")
    }
  }
}
