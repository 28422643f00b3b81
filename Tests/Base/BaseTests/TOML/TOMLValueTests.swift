import Testing

@testable import Base

@Suite("TOML values") struct TOMLValueTests {
  private func value(_ text: String) throws -> TOMLValue? {
    try TOMLParser.document([UInt8]("a = \(text)".utf8))["a"]?.value
  }

  @Test(
    "integers in every form that TOML has",
    arguments: [
      ("0", 0), ("+99", 99), ("-17", -17), ("1_000_000", 1_000_000), ("0xdead_BEEF", 0xDEAD_BEEF),
      ("0o755", 0o755), ("0b1101", 13), ("9223372036854775807", Int64.max), ("-9223372036854775808", .min),
    ])
  func integers(text: String, number: Int64) throws {
    guard case .integer(number) = try value(text) else {
      Issue.record("\(text)")
      return
    }
  }

  @Test(
    "floats in every form that TOML has",
    arguments: [
      ("+1.0", 1), ("-0.01", -0.01), ("5e+22", 5e22), ("1e06", 1e6), ("-2E-2", -0.02),
      ("6.626e-34", 6.626e-34), ("9_224.5_0", 9224.5), ("inf", Double.infinity), ("-inf", -Double.infinity),
    ])
  func floats(text: String, number: Double) throws {
    guard case .float(number) = try value(text) else {
      Issue.record("\(text)")
      return
    }
  }

  @Test(
    "strings with escapes, over several lines, and as they are",
    arguments: [
      (#""a\tb\u00e9\U0001F600\\\"""#, "a\tbé😀\\\""), (#"'a\tb'"#, #"a\tb"#), ("\"\"", ""),
      ("\"\"\"\na\r\nb\"\"\"", "a\nb"), ("\"\"\"a\\  \n\n  \t b\"\"\"", "ab"),
      ("'''\n'a'''''", "'a''"), ("\"\"\"\"\"\\\"\"\"\"", "\"\"\""),
    ])
  func texts(text: String, string: String) throws {
    guard case .string(let found) = try value(text) else {
      Issue.record("\(text)")
      return
    }
    #expect(found.unicodeScalars.elementsEqual(string.unicodeScalars))
  }

  @Test("a text is written with escapes for all that acts on a terminal, and is read back as it was")
  func literal() throws {
    let text = "a\u{1B}b\u{7F}c\u{9B}d\u{A0}\n\t"
    let literal = TOMLParser.literal(text)
    #expect(literal == "\"a\\u001Bb\\u007Fc\\u009Bd\u{A0}\\n\\t\"")
    guard case .string(text) = try value(literal) else {
      Issue.record("\(literal)")
      return
    }
  }

  @Test(
    "times are recognised in every form that TOML has",
    arguments: [
      "07:32:00", "00:32:00.999999", "1979-05-27T07:32:00Z", "1979-05-27 07:32:00",
      "1979-05-27t00:32:00.5-07:00",
    ])
  func moments(text: String) throws {
    guard case .moment(text) = try value(text) else {
      Issue.record("\(text)")
      return
    }
  }

  private static let escapes = #"\b, \t, \n, \f, \r, \", \\, \uXXXX or \UXXXXXXXX"#
  private static let scalar = "a number, a date, true or false"

  @Test(
    "what is not TOML is refused where it is wrong, with what was found and what was expected",
    arguments: [
      ("a = ", 1, 5, "the end of the file", "a value"),
      ("a = = 1", 1, 5, "\"=\"", "a value"),
      ("a 1", 1, 3, "\"1\"", "="),
      ("\na = 1 b = 2", 2, 7, "\"b\"", "the end of the line"),
      ("a = auto", 1, 5, "auto", "a value; text stands in quotation marks"),
      ("a = 01", 1, 5, "01", scalar),
      ("a = 1__0", 1, 5, "1__0", scalar),
      ("a = 2026-02-30", 1, 5, "2026-02-30", scalar),
      ("a = 24:00:00", 1, 5, "24:00:00", scalar),
      ("a = 9223372036854775808", 1, 5, "9223372036854775808", scalar),
      ("é = 1", 1, 1, "\"é\"", "a key"),
      ("\"é\" = é", 1, 7, "\"é\"", "a value"),
      ("[=", 1, 2, "\"=\"", "a key"),
      ("[[[a]]]", 1, 3, "\"[\"", "a key"),
      ("[a", 1, 3, "the end of the file", "]"),
      ("[[a]", 1, 4, "\"]\"", "]]"),
      ("[.a]", 1, 2, "\".\"", "a key"),
      ("a..b = 1", 1, 3, "\".\"", "a key"),
      ("[a]\n[b]\n[a]", 3, 1, "[a] again (first in line 1)", "each table once"),
      ("a = 1\n\na = 2", 3, 1, "a again (first in line 1)", "each key once"),
      ("a.b = 1\na = 2", 2, 1, "a again (first in line 1)", "each key once"),
      ("a = 1\na.b = 2", 2, 1, "a again (first in line 1)", "each key once"),
      ("[a.b]\n[a]\nb.c = 1", 3, 1, "b again (first in line 1)", "each key once"),
      ("a = {}\n[a.b]", 2, 1, "a header inside a, which is a finished value", "a table"),
      ("a = []\n[[a]]", 2, 1, "[[a]] again (first in line 1)", "each key once"),
      ("a = { b.c = 1 }\na.b.d = 1", 2, 1, "a again (first in line 1)", "each key once"),
      ("a = { b = 1, }", 1, 14, "\"}\"", "a key"),
      ("a = { b = 1\n}", 1, 12, "the end of the line", ", or }"),
      ("a = [1 2]", 1, 8, "\"2\"", ", or ]"),
      ("a = \"b", 1, 5, "a string without an end", "a closing quote"),
      ("a = \"b\nc\"", 1, 5, "a string without an end", "a closing quote on the same line"),
      ("\na = '''b\n\n", 2, 5, "a string without an end", "three closing quotes"),
      ("a = \"\\q\"", 1, 6, "an unknown escape", escapes),
      ("a = \"\\ud800\"", 1, 6, "an escape that is no character", "a Unicode scalar value"),
      ("a = \"\\u00g0\"", 1, 6, "an unfinished escape", "4 hexadecimal digits"),
      ("# \u{07}", 1, 3, "control character 7", "text"),
      ("a = 1\r", 1, 6, "control character 13", "a line end"),
      ("'''a''' = 1", 1, 1, "a string of several lines", "a key on one line"),
      ("a\(String(repeating: ".a", count: 32)) = 1", 1, 64, "more than 32 levels of nesting", "fewer"),
      ("[a\(String(repeating: ".a", count: 3000))]", 1, 65, "more than 32 levels of nesting", "fewer"),
      ("a = \(String(repeating: "[", count: 33))", 1, 37, "more than 32 levels of nesting", "fewer"),
    ])
  func refuses(text: String, line: Int, column: Int, found: String, expected: String) {
    #expect(throws: TOMLError(line: line, column: column, found: found, expected: expected)) {
      try TOMLParser.document([UInt8](text.utf8))
    }
  }
}
