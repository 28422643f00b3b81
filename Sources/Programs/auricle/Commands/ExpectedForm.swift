import Base

/// Form of a value that the parser of the command line refuses, which it does not tell itself.
enum ExpectedForm {
  /// Names of values that are whole numbers.
  private static let whole: Set<Substring> = ["block", "count", "number", "serial"]

  /// Words on the form, or on the range where a value has the form already; nil where none are known.
  ///
  /// - Parameter name: Of the value in a command's help.
  private static func words(_ name: Substring, _ value: Substring) -> String? {
    switch name {
    case "date":
      let fields = value.split(separator: "-", omittingEmptySubsequences: false)
      let hasForm = fields.map(\.count) == [4, 2, 2] && fields.allSatisfy(isWhole)
      return hasForm
        ? "a day of the calendar, from \(CalendarDate.usualYears.lowerBound) on"
        : "year-month-day, as 1950-02-03"
    case "time":
      let hasForm = isWhole(value.dropLast()) && ["s", "m", "h", "d"].contains(value.suffix(1))
      return hasForm
        ? "\(TimeSpan(seconds: 1)) to \(TimeSpan(seconds: TimeSpan.longest))"
        : "a whole number and a letter, as 90s, 20m, 8h or 14d"
    case "dB..dB":
      let cut = value.firstRange(of: "..")
      let hasForm = cut.map {
        NumberText.value(of: value[..<$0.lowerBound]) != nil
          && NumberText.value(of: value[$0.upperBound...]) != nil
      }
      return hasForm == true ? "the lower number first" : "the lowest and the highest number, as -10..5"
    default: return whole.contains(name) ? nil : pointed(value)
    }
  }

  /// True of digits alone, one at least.
  private static func isWhole(_ text: Substring) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// The parser's message, with the form or the range where it tells none and one is known.
  static func completed(_ message: String) -> String {
    let (beginning, middle) = ("The value '", "' is invalid for '")
    // Behind the name stands a reason, or a list of values, where there is one.
    guard message.hasPrefix(beginning), message.hasSuffix("'"),
      let cut = message.firstRange(of: middle)
    else { return message }
    let value = message[..<cut.lowerBound].dropFirst(beginning.count)
    let name = message[cut.upperBound...].split(separator: "<").last?.prefix { $0 != ">" }
    guard let form = name.flatMap({ words($0, value) }) else { return message }
    return message + ", expected \(form)"
  }

  /// Words on a number with a decimal comma; nil for anything else.
  private static func pointed(_ value: Substring) -> String? {
    let parts = value.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let sign = ["-", "+"].contains(parts[0].prefix(1)) ? 1 : 0
    guard isWhole(parts[0].dropFirst(sign)), isWhole(parts[1]) else { return nil }
    return "a point before the decimals, as \(parts[0]).\(parts[1])"
  }
}
