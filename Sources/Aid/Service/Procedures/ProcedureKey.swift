import Base

/// A key that a person presses during a procedure.
///
/// - Threads: any.
package struct ProcedureKey: Sendable, Hashable, Codable {
  package enum Name: String, Codable, CaseIterable, Sendable {
    /// The one key of a hearing test.
    case heard
    /// Louder or softer, with its number.
    case turn
    case accept, first, second
    /// The tinnitus is heard, or is not.
    case present, absent
    /// The tone beside the tinnitus.
    case softer, louder, equal
    /// Loudness or likeness, with its number.
    case rate
    /// Both sounds once more.
    case again
    case pause, resume

    /// True of a key that says nothing without a number.
    var hasValue: Bool { self == .turn || self == .rate }
  }

  package let name: Name
  /// dB of a turn, + is louder; per cent of the usual or likeness of a rating.
  package let value: Double?

  private enum CodingKeys: String, CodingKey {
    case name = "key"
    case value
  }

  /// - Returns: Nil for a turn and a rating without its number.
  package init?(_ name: Name, value: Double? = nil) {
    guard !name.hasValue || value?.isFinite == true else { return nil }
    (self.name, self.value) = (name, name.hasValue ? value : nil)
  }
}
