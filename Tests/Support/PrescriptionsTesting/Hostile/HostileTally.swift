/// What became of many payloads.
package struct HostileTally: Sendable {
  package private(set) var counts: [HostileLayer: [String: Int]] = [:]
  package private(set) var faults: [(index: Int, text: String)] = []
  /// Longest time that one payload took, s.
  package private(set) var slowest = (index: 0, time: 0.0)
  package private(set) var count = 0

  package init() {}

  /// Tries payloads and notes what became of them.
  package mutating func run(_ trial: HostileTrial, _ payloads: HostilePayloads, _ indices: Range<Int>) {
    let clock = ContinuousClock()
    for index in indices {
      let (layer, bytes) = payloads.payload(index)
      let start = clock.now
      let outcome = trial.outcome(layer, bytes, looks: index % 4 == 0)
      let parts = (clock.now - start).components
      let time = Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
      if time > slowest.time { slowest = (index, time) }
      switch outcome {
      case .accepted where layer == .text && !payloads.isSigned(bytes):
        faults.append((index, "a changed card was accepted"))
      case .accepted: counts[layer, default: [:]]["accepted", default: 0] += 1
      case .refused(let name): counts[layer, default: [:]][name, default: 0] += 1
      case .fault(let text): faults.append((index, text))
      }
      count += 1
    }
  }

  /// Payloads with this outcome at all layers; "accepted", or the name of a refusal.
  package func total(_ name: String) -> Int { counts.values.reduce(0) { $0 + ($1[name] ?? 0) } }

  /// A line for each layer.
  package var lines: [String] {
    HostileLayer.allCases.map { layer in
      let found = (counts[layer] ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      return "\(layer): " + found.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
  }
}
