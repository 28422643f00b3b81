import Base

/// One metric with its samples, in a text that both OpenMetrics 1.0 (prometheus.io/docs/specs/om/open_metrics_spec) and
/// the older Prometheus format 0.0.4 read.
///
/// node_exporter's textfile collector reads the older one, refuses a whole file for a type that it does not know (`info`,
/// `stateset`: prometheus/node_exporter issue 1988) and takes `UNIT` and `EOF` for comments. So there are gauges and counters alone.
struct MetricFamily: Sendable, Equatable {
  enum Kind: String, Sendable {
    case gauge
    /// Grows only; its sample's name ends in `_total`.
    case counter
  }

  /// A value with its labels.
  struct Sample: Sendable, Equatable {
    var labels: [(name: String, value: String)] = []
    let value: Double

    static func == (left: Self, right: Self) -> Bool {
      left.value == right.value && left.labels.map(\.name) == right.labels.map(\.name)
        && left.labels.map(\.value) == right.labels.map(\.value)
    }
  }

  /// Without `auricle_` before it and `_total` behind it; ends with the unit where there is one.
  let name: String
  let kind: Kind
  /// Base unit in the plural, `seconds`; nil: a number.
  var unit: String?
  /// One sentence.
  let help: String
  let samples: [Sample]

  /// A metric with one value; without samples where that is not known.
  init(_ name: String, kind: Kind = .gauge, unit: String? = nil, _ help: String, _ value: Double?) {
    self.init(name, kind: kind, unit: unit, help, samples: value.map { [Sample(value: $0)] } ?? [])
  }

  init(_ name: String, kind: Kind = .gauge, unit: String? = nil, _ help: String, samples: [Sample]) {
    (self.name, self.kind, self.unit, self.help) = (name, kind, unit, help)
    // Neither infinity nor what is not a number says anything of an aid.
    self.samples = samples.filter(\.value.isFinite)
  }

  /// Its lines with their breaks; none without a sample.
  var text: String {
    guard !samples.isEmpty else { return "" }
    let full = "auricle_\(name)"
    let head =
      "# TYPE \(full) \(kind.rawValue)\n" + (unit.map { "# UNIT \(full) \($0)\n" } ?? "")
      + "# HELP \(full) \(Self.escaped(help))\n"
    let sampleName = kind == .counter ? full + "_total" : full
    return samples.reduce(into: head) { text, sample in
      let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
      text += "\(sampleName)\(labels.isEmpty ? "" : "{\(labels)}") \(NumberText.exact(sample.value))\n"
    }
  }

  /// Backslash, quotation mark and line break, as the text of a label and a help want them.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      switch character {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case _ where character.isNewline: escaped += "\\n"
      default: escaped.append(character)
      }
    }
  }
}
