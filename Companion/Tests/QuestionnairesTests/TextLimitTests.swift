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

  @Test(
    "a control character below 32 but tab and line breaks, and DEL, are refused by their numbers, in a text and in a choice's own words",
    arguments: [
      ("a\0b", "U+0000"), ("\u{1B}[2J", "U+001B"), ("a\u{7F}", "U+007F"), ("\u{1F}", "U+001F"),
      ("a\tb\nc\r\nd", nil), ("Ωμέγα 耳 👂🏽\u{A0}", nil),
      // An apostrophe of Windows-1252 that was read as Latin-1, and a line break of Unicode's.
      ("it\u{92}s", nil), ("a\u{85}b", nil), ("\u{80}\u{9F}", nil),
    ] as [(String, String?)])
  func controlCharacters(text: String, character: String?) {
    /// The expectation that an answer misses.
    func expected(_ kind: ItemKind, _ value: AnswerValue) -> String? {
      do throws(AnswerRefusal) { try Item("i", "I", kind).check(value) } catch { return error.expected }
      return nil
    }
    let words = character.map { "a text without control characters, of which \($0) is one" }
    let options = [Option("a", "A")]
    #expect(expected(.text(maxLength: 40), .text(text)) == words)
    #expect(expected(.single(options, other: true), .choices([], other: text)) == words)
    #expect(expected(.multiple(options, other: true), .choices(["a"], other: text)) == words)
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
