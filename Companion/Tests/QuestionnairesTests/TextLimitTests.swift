import Testing

@testable import Questionnaires

@Suite("Limits of texts") struct TextLimitTests {
  /// Findings on a text that takes so many letters.
  private static func findings(_ letters: Int) -> [Finding] {
    Questionnaire(
      url: "urn:test", version: "1", title: "t", items: [Item("long", "l", .text(maxLength: letters))]
    ).findings()
  }

  @Test("32,000 letters may be allowed; one letter above them the check names the limit")
  func check() {
    #expect(Self.findings(32_000).isEmpty)
    let found = Self.findings(32_001)
    #expect(found.map(\.kind) == [.kind] && found.map(\.item) == ["long"])
    #expect(found.map(\.found) == ["it takes 32001 letters, expected 32000 at most"])
  }

  @Test("the longest text is taken, also where each letter has eight bytes, which are 256,000")
  func longest() throws {
    let item = Item("long", "l", .text(maxLength: 32_000))
    // A flag is one letter of two code points with four bytes each.
    let flags = String(repeating: "🇩🇪", count: 32_000)
    #expect(flags.utf8.count == 256_000 && flags.utf8.count <= Item.mostBytes)
    try item.check(.text(flags))
    #expect(throws: AnswerRefusal.self) { try item.check(.text(flags + "a")) }
  }
}
