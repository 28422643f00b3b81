/// Reads numbers and dates in TOML's forms.
enum TOMLScalar {
  /// `+1_000`, `0xFF`, `0o17`, `0b101` (TOML 1.0, "Integer"); nil for anything else and for one that does
  /// not fit.
  static func integer(_ bytes: [UInt8]) -> TOMLValue? {
    let prefixes: [(letter: UInt8, radix: Int)] = [
      (UInt8(ascii: "x"), 16), (UInt8(ascii: "o"), 8), (UInt8(ascii: "b"), 2),
    ]
    if bytes.count > 2, bytes[0] == UInt8(ascii: "0"),
      let radix = prefixes.first(where: { $0.letter == bytes[1] })?.radix
    {
      guard let digits = digits(bytes[2...], radix: radix) else { return nil }
      return Int64(digits, radix: radix).map(TOMLValue.integer)
    }
    let sign = bytes.first.map { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") } ?? false
    let body = bytes.dropFirst(sign ? 1 : 0)
    guard let digits = digits(body, radix: 10), isCanonical(body) else { return nil }
    return Int64((bytes.first == UInt8(ascii: "-") ? "-" : "") + digits).map(TOMLValue.integer)
  }

  /// `-3.14`, `5e+22`, `6.626e-34` (TOML 1.0, "Float"); nil for anything else.
  static func float(_ bytes: [UInt8]) -> TOMLValue? {
    var rest = bytes[...]
    var number = ""
    if let first = rest.first, first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
      if first == UInt8(ascii: "-") { number = "-" }
      rest = rest.dropFirst()
    }
    let whole = rest.prefix { $0.isDigit || $0 == UInt8(ascii: "_") }
    guard let digits = digits(whole, radix: 10), isCanonical(whole) else { return nil }
    number += digits
    rest = rest.dropFirst(whole.count)
    // Without either part it is an integer, perhaps one that does not fit.
    guard !rest.isEmpty else { return nil }
    if rest.first == .dot {
      let fraction = rest.dropFirst().prefix { $0.isDigit || $0 == UInt8(ascii: "_") }
      guard let digits = self.digits(fraction, radix: 10) else { return nil }
      number += "." + digits
      rest = rest.dropFirst(1 + fraction.count)
    }
    if let letter = rest.first, letter == UInt8(ascii: "e") || letter == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      number += "e"
      if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        number += sign == UInt8(ascii: "-") ? "-" : "+"
        rest = rest.dropFirst()
      }
      guard let digits = self.digits(rest, radix: 10) else { return nil }
      number += digits
      rest = []
    }
    guard rest.isEmpty else { return nil }
    return Double(number).map(TOMLValue.float)
  }

  /// A day, a time, or both (RFC 3339, with T, t or a space between); nil for anything else.
  static func date(_ bytes: [UInt8]) -> TOMLValue? {
    let text = String(decoding: bytes, as: UTF8.self)
    if bytes.count >= 3, bytes[2] == UInt8(ascii: ":") {
      return isTime(bytes[...]) ? .moment(text) : nil
    }
    guard bytes.count >= 10,
      let day = CalendarDate(String(decoding: bytes[..<10], as: UTF8.self), years: 0...9999)
    else {
      return nil
    }
    if bytes.count == 10 { return .day(day) }
    guard [UInt8(ascii: "T"), UInt8(ascii: "t"), .space].contains(bytes[10]) else { return nil }
    var time = bytes[11...]
    if let last = time.last, last == UInt8(ascii: "Z") || last == UInt8(ascii: "z") {
      time = time.dropLast()
    } else if time.count > 6, let sign = time.dropLast(5).last,
      sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
    {
      guard isClock(time.suffix(5), parts: 2) else { return nil }
      time = time.dropLast(6)
    }
    return isTime(time) ? .moment(text) : nil
  }

  /// `07:32:00` with any fraction of a second.
  private static func isTime(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard isClock(bytes.prefix(8), parts: 3) else { return false }
    let fraction = bytes.dropFirst(8)
    if fraction.isEmpty { return true }
    return fraction.first == .dot && fraction.count > 1 && fraction.dropFirst().allSatisfy(\.isDigit)
  }

  /// `07:32` or `07:32:00`; a leap second counts as 60.
  private static func isClock(_ bytes: ArraySlice<UInt8>, parts: Int) -> Bool {
    guard bytes.count == parts * 3 - 1 else { return false }
    let limits = [23, 59, 60]
    for (i, part) in bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .enumerated()
    {
      guard i < parts, part.count == 2, part.allSatisfy(\.isDigit),
        let number = Int(String(decoding: part, as: UTF8.self)), number <= limits[i]
      else { return false }
    }
    return true
  }

  /// Digits without their underscores, each of which stands between two; nil when anything else is there.
  private static func digits(_ bytes: ArraySlice<UInt8>, radix: Int) -> String? {
    var digits = ""
    var wasDigit = false
    for byte in bytes {
      if byte == UInt8(ascii: "_") {
        guard wasDigit else { return nil }
        wasDigit = false
      } else {
        let character = Character(Unicode.Scalar(byte))
        guard let value = character.hexDigitValue, value < radix else { return nil }
        digits.append(character)
        wasDigit = true
      }
    }
    return wasDigit ? digits : nil
  }

  /// Without leading zeros.
  private static func isCanonical(_ digits: ArraySlice<UInt8>) -> Bool {
    digits.count == 1 || digits.first != UInt8(ascii: "0")
  }
}
