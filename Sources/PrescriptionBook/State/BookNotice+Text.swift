extension BookNotice.Damage {
  /// As the book and its audit trail keep it.
  var text: String {
    switch self {
    case .headMissing: "head missing"
    case .truncated(let found, let expected): "truncated \(found) \(expected)"
    case .rewritten(let row): "rewritten \(row)"
    }
  }

  init?(text: String) {
    let words = text.split(separator: " ")
    let numbers = words.dropFirst().compactMap { Int($0) }
    switch (words.first, numbers.count) {
    case ("head", 0): self = .headMissing
    case ("truncated", 2): self = .truncated(found: numbers[0], expected: numbers[1])
    case ("rewritten", 1): self = .rewritten(row: numbers[0])
    default: return nil
    }
  }
}
