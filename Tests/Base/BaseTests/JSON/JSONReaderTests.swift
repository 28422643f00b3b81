import Testing

@testable import Base

@Suite("JSON") struct JSONReaderTests {
  private func error(_ text: String, depth: Int = 24, count: Int = 20_000) -> JSONError? {
    do throws(JSONError) {
      _ = try JSONValue(Array(text.utf8), depth: depth, count: count)
      return nil
    } catch {
      return error
    }
  }

  @Test("numbers, escapes and words are read as RFC 8259 says")
  func values() throws {
    let text = #"[-0.5e+1, 1E2, 0, "\"\\\/\n\u00e9\ud83d\udc42", true, false, null, {}]"#
    let expected: JSONValue = [
      .number(-5), .number(100), .number(0), "\"\\/\né👂", true, false, JSONValue(.null), [:],
    ]
    #expect(try JSONValue(Array(text.utf8)) == expected)
  }

  @Test("each value and each key has its line and its byte")
  func positions() throws {
    let root = try JSONValue(Array("{\n  \"a\": 1,\n  \"b\": [\n    2]\n}".utf8))
    guard case .object(let members) = root.content, case .array(let elements) = members[1].value.content
    else {
      Issue.record("found \(root.kind)")
      return
    }
    #expect(root.position == TextPosition(line: 1, offset: 0))
    #expect(members.map(\.position.line) == [2, 3])
    #expect(members.map(\.position.offset) == [4, 14])
    #expect(elements[0].position == TextPosition(line: 4, offset: 25))
  }

  @Test("a member given twice is refused with its key and its line")
  func repeated() {
    let error = error("{\"left\": 1,\n\"left\": 2}")
    #expect(error?.kind == .repeatedKey)
    #expect(error?.position.line == 2)
    #expect(error?.words == "\"left\" given twice")
  }

  @Test(
    "what is not JSON is refused with the reason",
    arguments: [
      ("", "the text ends where a value is expected"), ("[1,]", "a value is missing"),
      ("{\"a\" 1}", "expected a colon after \"a\""), ("{a: 1}", "expected a key in double quotes"),
      ("{\"a\": 1 \"b\": 2}", "expected a comma or } after the value of \"a\""),
      ("[1 2]", "expected a comma or ] after a value"), ("1 2", "something follows the end"),
      ("\"a", "a text is not closed"), ("\"a\n\"", "a text is not closed on its line"),
      (#""\x""#, "an unknown escape"), (#""\ud83d""#, "half a surrogate pair"),
      (#""\u12""#, "expected four hexadecimal digits after \\u"),
      ("nan", "\"nan\" is not a value"),
      ("0x10", "\"0x10\" is not a value"), ("+1", "\"+1\" is not a value"),
      ("01", "\"01\" is not a value"), (".5", "\".5\" is not a value"),
      ("1e999", "\"1e999\" is not a value"),
    ])
  func refused(text: String, words: String) {
    #expect(error(text)?.words == words)
  }

  @Test("bytes that are not UTF-8 are refused, and a message holds nothing that steers a terminal")
  func bytes() throws {
    let error = #expect(throws: JSONError.self) { try JSONValue([0x22, 0xFF, 0x22]) }
    #expect(error?.words == "a text is not UTF-8")
    #expect(self.error("{\"\u{1B}[2J\" 1}")?.words == "a text is not closed on its line")
    #expect(self.error("{\"\\u001b[2J\" 1}")?.words == "expected a colon after \"?[2J\"")
  }

  @Test("nesting and values have a bound, on it and beyond it")
  func bounds() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(error(nested(25)) == nil)
    #expect(error(nested(26))?.words == "nested more than 24 deep")
    #expect(error("[1, 2, 3]", depth: 3, count: 4) == nil)
    #expect(error("[1, 2, 3, 4]", depth: 3, count: 4)?.words == "more than 4 values")
  }

  @Test("the shortest text is read back as the same value, members in their order")
  func written() throws {
    let value: JSONValue = [
      "b": [.number(35), .number(22.5), .number(-3.1), .number(1e16)], "a": "\"\\\u{1}é",
      "c": JSONValue(.null),
    ]
    #expect(value.minified == #"{"b":[35,22.5,-3.1,1e+16],"a":"\"\\\u0001é","c":null}"#)
    #expect(try JSONValue(Array(value.minified.utf8)) == value)
  }

  @Test("DEL and the control characters of C1 are written as escapes, and their neighbours as they are")
  func controls() throws {
    let value: JSONValue = ["a\u{9B}": "~\u{7F}\u{80}\u{9F}\u{A0}°"]
    #expect(value.minified == #"{"a\u009b":"~\u007f\u0080\u009f"# + "\u{A0}°\"}")
    #expect(try JSONValue(Array(value.minified.utf8)) == value)
  }
}
