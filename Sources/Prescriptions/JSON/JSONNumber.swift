/// The text of a number as JSON allows it. Swift would also read "0x10", "+1", ".5", "01" and "nan".
enum JSONNumber {
  /// Most characters; the longest exact double has 24 ("-2.2250738585072014e-308").
  static let greatestSize = 24

  /// Nil when `text` is not a JSON number, too long, or beyond a double.
  static func value(of text: some Collection<UInt8>) -> Double? {
    guard text.count <= greatestSize else { return nil }
    var rest = Array(text)[...]
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    let isZero = rest.first == UInt8(ascii: "0")
    let whole = digits(&rest)
    guard whole > 0, !isZero || whole == 1 else { return nil }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard digits(&rest) > 0 else { return nil }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      guard digits(&rest) > 0 else { return nil }
    }
    guard rest.isEmpty, let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value
  }

  /// Drops the leading digits and counts them.
  private static func digits(_ rest: inout ArraySlice<UInt8>) -> Int {
    let before = rest.count
    rest = rest.drop { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    return before - rest.count
  }
}
