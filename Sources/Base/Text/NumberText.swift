/// Numbers for people: rounded, with a unit, the same in every language.
public enum NumberText {
  /// `value` with `places` decimals, rounded half away from zero; a dash for nil and for what is not
  /// finite.
  public static func fixed(_ value: Double?, _ places: Int = 1) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    // Whatever another program's answer says: 64 bits hold it.
    guard let value, value.isFinite, abs(value) * scale < 1e18 else { return "–" }
    let units = Int64((abs(value) * scale).rounded())
    let sign = value < 0 && units > 0 ? "−" : ""
    guard places > 0 else { return "\(sign)\(units)" }
    let fraction = String(units % Int64(scale))
    return
      "\(sign)\(units / Int64(scale)).\(String(repeating: "0", count: places - fraction.count))\(fraction)"
  }

  /// The shortest decimal that reads back as `value`, without a trailing `.0`; zero has no sign.
  public static func exact(_ value: Double) -> String {
    // −0 is what rounding makes of a small negative number.
    let text = "\(value == 0 ? 0 : value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A change with its sign, at most two decimals: `+2`, `−3.25`, `0`.
  package static func signed(_ value: Double) -> String { (value > 0 ? "+" : "") + value.readText }

  /// A decimal number as people type it.
  ///
  /// - Parameter allowsComma: True where a comma stands for the point.
  /// - Returns: Nil for anything but at most 12 characters: a sign, digits, and a point between them; not
  ///   what a programming language would read besides, such as `0x1p3`, `1e5` or `nan`.
  public static func value(of text: some StringProtocol, allowsComma: Bool = false) -> Double? {
    let hasSign = text.hasPrefix("-") || text.hasPrefix("+")
    let digits = text.utf8.dropFirst(hasSign ? 1 : 0)
    guard text.utf8.count <= 12, digits.first?.isDigit == true,
      digits.allSatisfy({ $0.isDigit || $0 == .dot || (allowsComma && $0 == .comma) })
    else { return nil }
    return Double(String(text.map { $0 == "," ? "." : $0 }))
  }

  /// `12 %`, below ten with one decimal.
  package static func percent(_ share: Double) -> String {
    let percent = share * 100
    return fixed(percent, percent < 10 ? 1 : 0) + " %"
  }

  /// `5.2 ms`.
  package static func milliseconds(_ seconds: Double?) -> String {
    fixed(seconds.map { $0 * 1000 }, 2) + " ms"
  }

  /// The next longer time that ``duration(_:)`` tells: ten minutes, of which a moment is over, are `10 min` as a longest time.
  package static func longestDuration(_ seconds: Double) -> String {
    let unit = seconds > 59 ? 60.0 : 1
    return duration((seconds / unit).rounded(.up) * unit)
  }

  /// `3 h 12 min`, `12 min`, `5 s`.
  package static func duration(_ seconds: Double) -> String {
    let total = Int64(max(0, min(seconds, 1e12)))
    if total >= 86_400 { return "\(total / 86_400) d \(total % 86_400 / 3600) h" }
    if total >= 3600 { return "\(total / 3600) h \(total % 3600 / 60) min" }
    if total >= 60 { return "\(total / 60) min" }
    return "\(total) s"
  }
}

extension Double {
  /// The number for a message: at most two decimals, none where there are none: `1000`, `62.5`, `-3.25`.
  package var shortText: String {
    let hundredths = (self * 100).rounded()
    // Beyond this a double has no hundredths, and 64 bits may not hold them.
    guard hundredths.isFinite, abs(hundredths) < 1e15 else { return "\(self)" }
    return NumberText.exact(hundredths / 100)
  }

  /// As ``shortText``, with a minus sign instead of the hyphen of what is typed: `−3.25`.
  package var readText: String {
    let text = abs(self).shortText
    return self < 0 && text != "0" ? "−" + text : text
  }
}

/// Plurals and lists in messages.
package enum English {
  /// `a, b and c`.
  package static func list(_ items: [String], _ conjunction: String) -> String {
    guard items.count > 1, let last = items.last else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }

  /// A text as lines, broken between words.
  ///
  /// - Parameter width: Most characters of a line; a longer word stands alone.
  package static func lines(_ text: String, of width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// A text of several lines, those that are too long broken between words; others, such as rows of a table, stay as they are.
  ///
  /// - Parameter width: Most columns of a line; marks for a terminal take none.
  package static func wrapped(_ text: String, to width: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { part in
      let line = String(part)
      return TextTable.width(of: line) <= width ? line : lines(line, of: width).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// `1 xrun`, `2 xruns`.
  package static func count(_ count: some BinaryInteger, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }
}

/// Text from outside as a message may show it.
package enum PrintableText {
  /// True for text without control characters, line breaks and marks that turn its direction.
  package static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
      switch $0.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: false
      default: true
      }
    }
  }

  /// At most 40 characters, without anything that steers a terminal: what is not printable ASCII becomes
  /// `?`.
  package static func short(_ text: String) -> String {
    String(text.unicodeScalars.prefix(40).map { " "..."~" ~= $0 ? Character($0) : "?" })
  }
}
