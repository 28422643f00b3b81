/// A text of metrics, read by the grammar of OpenMetrics 1.0 (prometheus.io/docs/specs/om/open_metrics_spec, "ABNF") as far as gauges
/// and counters without exemplars go, and by what node_exporter's older format allows of it. Written from the specification, without
/// anything of the program's.
struct Exposition {
  struct Family: Equatable {
    var type = "unknown"
    var unit = ""
    var help = ""
    var samples: [(name: String, labels: [String: String], value: Double)] = []

    static func == (left: Self, right: Self) -> Bool {
      left.type == right.type && left.unit == right.unit && left.help == right.help
        && left.samples.map(\.name) == right.samples.map(\.name)
    }
  }

  struct Fault: Error, CustomStringConvertible {
    let description: String

    init(_ line: Substring, _ reason: String) { description = "\(line): \(reason)" }
  }

  private(set) var families: [String: Family] = [:]

  init(_ text: String) throws(Fault) {
    guard text.hasSuffix("# EOF\n") else { throw Fault("", "the end is missing") }
    let lines = text.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
    var current: String?
    for line in lines.dropLast() {
      guard line != "# EOF", !line.isEmpty else {
        throw Fault(line, "an end or an empty line before the end")
      }
      if line.hasPrefix("# ") {
        current = try metadata(line, after: current)
      } else {
        guard let name = current else { throw Fault(line, "a sample before its metric") }
        try sample(line, of: name)
      }
    }
    for (name, family) in families where family.samples.isEmpty {
      throw Fault(Substring(name), "no sample")
    }
  }

  /// Value of a sample; nil: there is none such.
  func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
    families.values.flatMap(\.samples).first { $0.name == name && $0.labels == labels }?.value
  }

  private mutating func metadata(_ line: Substring, after current: String?) throws(Fault) -> String {
    let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    guard words.count == 4, Self.isName(words[2]) else { throw Fault(line, "no metadata") }
    let name = String(words[2])
    // Of one metric all lines stand together.
    guard name == current || families[name] == nil else { throw Fault(line, "a metric in two places") }
    var family = families[name] ?? Family()
    guard family.samples.isEmpty else { throw Fault(line, "metadata behind samples") }
    switch words[1] {
    case "TYPE" where ["gauge", "counter"].contains(words[3]) && family.type == "unknown":
      family.type = String(words[3])
    case "UNIT" where family.unit.isEmpty && name.hasSuffix("_" + words[3]): family.unit = String(words[3])
    case "HELP" where family.help.isEmpty: family.help = String(words[3])
    default: throw Fault(line, "metadata of another kind, twice, or a unit that the name does not end with")
    }
    families[name] = family
    return name
  }

  private mutating func sample(_ line: Substring, of family: String) throws(Fault) {
    guard let end = line.firstIndex(where: { $0 == "{" || $0 == " " }), Self.isName(line[..<end]) else {
      throw Fault(line, "no name")
    }
    let name = String(line[..<end])
    let type = families[family]?.type
    guard name == (type == "counter" ? family + "_total" : family) else {
      throw Fault(line, "a name of another metric")
    }
    var rest = line[end...]
    var labels: [String: String] = [:]
    if rest.first == "{" { (labels, rest) = try Self.labels(rest.dropFirst(), in: line) }
    guard rest.first == " ", let value = Double(String(rest.dropFirst())), value.isFinite else {
      throw Fault(line, "no number, or a time behind it, which node_exporter refuses")
    }
    guard type != "counter" || value >= 0 else { throw Fault(line, "a counter below 0") }
    guard self.value(name, labels) == nil else { throw Fault(line, "the same sample twice") }
    families[family]?.samples.append((name, labels, value))
  }

  private static func labels(
    _ text: Substring, in line: Substring
  ) throws(Fault) -> (labels: [String: String], rest: Substring) {
    var (labels, rest): ([String: String], Substring) = ([:], text)
    while true {
      guard let equals = rest.firstIndex(of: "="), isName(rest[..<equals]) else {
        throw Fault(line, "no label")
      }
      let name = String(rest[..<equals])
      rest = rest[rest.index(after: equals)...]
      guard rest.popFirst() == "\"" else { throw Fault(line, "a value without quotation marks") }
      var value = ""
      while let sign = rest.popFirst(), sign != "\"" {
        guard sign == "\\" else {
          value.append(sign)
          continue
        }
        switch rest.popFirst() {
        case "n": value += "\n"
        case "\"": value += "\""
        case "\\": value += "\\"
        default: throw Fault(line, "an unknown escape")
        }
      }
      labels[name] = value
      switch rest.popFirst() {
      case "}": return (labels, rest)
      case ",": continue
      default: throw Fault(line, "no end of the labels")
      }
    }
  }

  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty && text.first?.isNumber == false
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ":") }
  }
}
