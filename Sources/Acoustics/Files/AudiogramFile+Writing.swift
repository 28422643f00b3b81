extension AudiogramFile {
  /// The text of the file, ending with a newline; reading it gives the same audiograms.
  public var text: String {
    var lines = ["{", "  \"format\": \(Self.quoted(Self.format)),", "  \"version\": \(Self.version),"]
    if !name.isEmpty { lines.append("  \"name\": \(Self.quoted(name)),") }
    lines.append("  \"left\": \(Self.text(of: ears.left)),")
    lines.append("  \"right\": \(Self.text(of: ears.right))")
    lines.append("}")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func text(of ear: Audiogram) -> String {
    let groups = Group.allCases.compactMap { group -> String? in
      let points = ear.points.filter { ($0.conduction, $0.isMasked) == (group.conduction, group.isMasked) }
      guard !points.isEmpty else { return nil }
      let rows = points.map { point in
        let level = number(point.threshold.decibels)
        let value = point.hasResponse ? level : "{ \"threshold\": \(level), \"response\": false }"
        return "      \"\(number(point.frequency))\": \(value)"
      }
      return "    \"\(group.key)\": {\n\(rows.joined(separator: ",\n"))\n    }"
    }
    return groups.isEmpty ? "{}" : "{\n\(groups.joined(separator: ",\n"))\n  }"
  }

  /// Whole numbers without a decimal point, others with as many digits as it takes to read them back.
  private static func number(_ value: Double) -> String {
    Int(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case _ where scalar.value < 0x20:
        result += "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
