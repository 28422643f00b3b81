extension ConfigurationReader {
  /// A value as it is shown in a message: the number with its unit, the string in quotation marks, or the
  /// kind of value.
  static func describe(_ value: TOMLValue, _ quantity: Quantity? = nil) -> String {
    switch value {
    case .integer(let integer): quantity?.text(Double(integer)) ?? String(integer)
    case .float(let float): quantity?.text(float) ?? Quantity.number(float)
    case .string(let text): literal(String(text.prefix(80)))
    case .boolean(let boolean): boolean ? "true" : "false"
    case .array: "an array"
    case .table: "a table"
    case .day(let day): day.description
    case .moment(let text): text
    }
  }

  /// `text` as a TOML basic string.
  static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
