import Prescriptions

/// A warning that stops nothing.
package enum BookNotice: Sendable, Hashable {
  /// The entry in force expired. It stays in force, so that nobody is left without amplification at
  /// midnight.
  case expiredInForce(entry: Int, at: Instant)
  /// Trust in the clinic of the entry in force was withdrawn after it was loaded.
  case clinicRevoked(entry: Int, at: Instant)
  /// The system's clock lies this many seconds behind the latest moment the book has seen; the book goes on
  /// from that moment.
  case clockBehind(seconds: Int)
  case damage(Damage)

  /// Damage found when the book was opened.
  package enum Damage: Sendable, Hashable {
    /// The note of how long the audit trail is could not be read, so rows cut off its end would not be
    /// seen.
    case headMissing
    /// Rows were cut off the end of the book: it had `found`, and once `expected`.
    case truncated(found: Int, expected: Int)
    /// The row that the note of the head describes was replaced.
    case rewritten(row: Int)
  }
}

extension BookNotice: CustomStringConvertible {
  package var description: String {
    switch self {
    case .expiredInForce(let entry, let moment):
      "Prescription \(entry) expired on \(moment.localText) and stays in force until another one is loaded; ask the"
        + " clinic for a new one."
    case .clinicRevoked(let entry, let moment):
      "Trust in the clinic of prescription \(entry) was withdrawn on \(moment.localText); it stays in force until"
        + " another one is loaded."
    case .clockBehind(let seconds):
      "The system's clock is \(seconds) s behind the latest moment in the book. The book goes on from that"
        + " moment; set the clock, or, if it is right: auricle book correct-clock."
    case .damage(.headMissing):
      "The note of the audit trail's length is missing or damaged: rows cut off its end would not be seen."
    case .damage(.truncated(let found, let expected)):
      "The book had \(found) rows, expected \(expected): its end was cut off. Restore a backup."
    case .damage(.rewritten(let row)):
      "Row \(row) of the audit trail is not the one noted when it was written. Restore a backup."
    }
  }
}

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
