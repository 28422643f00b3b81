public import Prescriptions

/// An entry worn for a while: when the trial ends, the former one is in force again.
public struct BookTrial: Sendable, Hashable {
  /// Trials that a person may begin, s: one minute to 14 days.
  public static let durations = 60...14 * 86_400

  /// Number of the entry.
  public let entry: Int
  public let began: Instant
  /// The first moment at which it is no longer in force.
  public internal(set) var ends: Instant
  /// What was selected before the trial selected its own environment; nil when the person has chosen since.
  var formerSelection: ListeningEnvironment?

  init(entry: Int, began: Instant, ends: Instant, formerSelection: ListeningEnvironment?) {
    self.entry = entry
    self.began = began
    self.ends = ends
    self.formerSelection = formerSelection
  }
}
