public import Acoustics

/// A search for the threshold of one ear at one frequency: it asks for a tone of a level, is told whether the tone was heard, and
/// asks for the next, until it knows. A pure value: the same answers lead to the same tones.
///
/// - Threads: any.
public protocol ThresholdSearch: Sendable {
  /// Level of the next tone; nil: the search has ended, and ``outcome`` is there.
  var next: HearingLevel? { get }
  /// Nil until the search has ended.
  var outcome: ThresholdOutcome? { get }
  /// Tones that were answered.
  var toneCount: Int { get }

  /// Takes the answer to the tone of ``next``. Does nothing once the search has ended.
  mutating func answer(isHeard: Bool)
}

/// End of a search for a threshold.
///
/// - Threads: any.
public enum ThresholdOutcome: Sendable, Hashable {
  /// The softest tone that is heard half of the time or more.
  case threshold(HearingLevel)
  /// The softest tone that can be asked for is heard: the threshold lies there or below.
  case atFloor(HearingLevel)
  /// The loudest tone that may be played was not heard: the threshold lies above.
  case noResponse(upTo: HearingLevel)
  /// The answers contradict each other for so long that nothing can be said.
  case unsettled

  /// The level it tells; nil: none.
  public var level: HearingLevel? {
    switch self {
    case .threshold(let level), .atFloor(let level), .noResponse(let level): level
    case .unsettled: nil
    }
  }
}
