extension AudiogramCSV {
  static let conductions: [(words: [String], meaning: Conduction)] = [
    (["air", "ac", "a"], .air), (["bone", "bc", "b"], .bone),
  ]

  static let answers: [(words: [String], meaning: Bool)] = [
    (["yes", "true", "1", "y", "x"], true), (["no", "false", "0", "n"], false),
  ]

  static func ear(_ field: String) throws(AudiogramCSVError.Reason) -> Ear {
    switch field.lowercased() {
    case "left", "l": .left
    case "right", "r": .right
    default: throw .notAnEar(field)
    }
  }

  /// Hz of "1000", "1000 Hz", "1k", "1.5 kHz"; nil for anything else.
  static func frequency(_ field: String) -> Double? {
    var text = Substring(field.lowercased())
    if text.hasSuffix("hz") { text = text.dropLast(2) }
    var factor = 1.0
    if text.hasSuffix("k") {
      factor = 1000
      text = text.dropLast()
    }
    return number(CSVRows.trimmed(String(text))).map { $0 * factor }
  }

  /// dB HL of "40", or of ">110" that went unheard.
  static func threshold(
    _ field: String, frequency: Double
  ) throws(AudiogramCSVError.Reason) -> (value: Double, isHeard: Bool) {
    let isHeard = !field.hasPrefix(">")
    guard let value = number(CSVRows.trimmed(String(isHeard ? Substring(field) : field.dropFirst()))) else {
      throw .notAThreshold(field, frequency: frequency.shortText)
    }
    return (value, isHeard)
  }

  /// A number in digits, with a point or a comma; no exponent, no "nan".
  static func number(_ text: String) -> Double? {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : Substring(text)
    let isPlain = digits.allSatisfy { ("0"..."9").contains($0) || $0 == "." || $0 == "," }
    // A longer one is no frequency and no level.
    guard isPlain, let first = digits.first, ("0"..."9").contains(first), digits.count <= 12 else {
      return nil
    }
    return Double(String(text.map { $0 == "," ? "." : $0 }))
  }
}
