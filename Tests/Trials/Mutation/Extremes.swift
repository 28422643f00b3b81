/// The ends of what a field can hold, as they are written.
enum Extremes {
  /// Numbers as JSON, TOML or a table may write them: ends of the integer and floating-point types, the first
  /// whole number that a double cannot hold, numbers that are none, other bases, too many digits.
  static let numbers: [[UInt8]] =
    [
      "0", "-0", "-1", "1", "2", "3", "7", "16", "20", "9223372036854775807", "9223372036854775806",
      "-9223372036854775808", "9223372036854775808", "18446744073709551615", "18446744073709551616",
      "9007199254740991", "9007199254740993", "2147483647", "-2147483648", "4294967295", "4294967296",
      "1000000000", "4000000000000", "1e308", "-1e308", "1e-320", "1e999",
      "1e9223372036854775807", "1e-9223372036854775808", "-1e999", "0.5", "1.00000001",
      "NaN", "Infinity", "-Infinity", "nan", "inf", "-inf", "0x7fffffffffffffff", "007", "1_000", "+1",
      "1e",
      ".5", "1979-05-27T07:32:00Z",
    ].map { Array($0.utf8) } + [
      [UInt8](repeating: UInt8(ascii: "9"), count: 400),
      Array("0.".utf8) + [UInt8](repeating: UInt8(ascii: "0"), count: 400) + [UInt8(ascii: "1")],
    ]

  /// Strings, with their quotes: empty, long, with characters that control a terminal or the direction of writing,
  /// halves of surrogates, bytes that are not UTF-8.
  static let strings: [[UInt8]] =
    [
      "\"\"", "\" \"", "\"\\u0000\"", "\"\\u001b[2J\"", "\"\u{202E}abc\"", "\"\\ud800\"",
      "\"\\udc00\\ud800\"", "\"\\uD83C\\uDFB5\"", "\"\\n\\r\\t\"", "\"\n\"", "\"%s%n%00\"",
      "\"../../../etc/passwd\"", "\"\u{0}\"", "\"e\u{301}\u{301}\"", "\"9223372036854775807\"", "\"nan\"",
      "\"a\\\"b\"", "\"unfinished", "'", "\"\"\"", "\"2026-02-30\"", "\"9999-12-31T23:59:59Z\"",
      "\"-0001-01-01\"",
    ].map { Array($0.utf8) } + [
      [0x22, 0xFF, 0xFE, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
      quoted(300), quoted(5000), quoted(70_000),
    ]

  /// Values of another type, and some that nest deeply.
  static let values: [[UInt8]] =
    ["null", "true", "false", "[]", "{}", "[[]]", "[1,2]", "{\"a\":1}", "[null]", ""].map { Array($0.utf8) }
    + [
      nested("[", "]", 15), nested("[", "]", 60), nested("[", "]", 20_000), nested("{\"a\":", "}", 15),
      nested("{\"a\":", "}", 5000), [UInt8](repeating: UInt8(ascii: "["), count: 20_000),
    ]

  /// All of them.
  static let all = numbers + strings + values

  private static func quoted(_ count: Int) -> [UInt8] {
    [0x22] + [UInt8](repeating: UInt8(ascii: "x"), count: count) + [0x22]
  }

  private static func nested(_ open: String, _ close: String, _ depth: Int) -> [UInt8] {
    let opening = (0..<depth).flatMap { _ in Array(open.utf8) }
    return opening + [UInt8(ascii: "1")] + (0..<depth).flatMap { _ in Array(close.utf8) }
  }
}
