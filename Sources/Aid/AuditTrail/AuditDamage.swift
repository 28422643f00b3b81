/// Damage of a trail that a note of its head shows.
public enum AuditDamage: Sendable, Hashable {
  /// The note of how long the audit trail is could not be read, so rows cut off its end would not be
  /// seen.
  case headMissing
  /// Rows were cut off the end of the book: it had `found`, and once `expected`.
  case truncated(found: Int, expected: Int)
  /// The row that the note of the head describes was replaced.
  case rewritten(row: Int)

  /// Compares a trail that was followed with the note of its head. A note that is one row behind is right: the process ended
  /// between the row and its note.
  ///
  /// - Parameters:
  ///   - noted: Nil: there is no note, which is right as long as there is no row.
  ///   - count: Rows that were found.
  ///   - hash: Hash of the row of that number.
  public init?(noted: AuditHead?, count: Int, hash: (Int) -> [UInt8]) {
    guard let noted else {
      if count == 0 { return nil }
      self = .headMissing
      return
    }
    if noted.count > count {
      self = .truncated(found: count, expected: noted.count)
    } else if noted.count > 0, hash(noted.count) != noted.hash {
      self = .rewritten(row: noted.count)
    } else {
      return nil
    }
  }
}

extension AuditDamage {
  /// As a book and its audit trail keep it.
  public var text: String {
    switch self {
    case .headMissing: "head missing"
    case .truncated(let found, let expected): "truncated \(found) \(expected)"
    case .rewritten(let row): "rewritten \(row)"
    }
  }

  /// Reads what ``text`` writes; nil for anything else.
  public init?(text: String) {
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
