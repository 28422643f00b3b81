/// The most that a band may amplify before the ear whistles, and what that takes from it.
///
/// - Threads: `any`.
public struct GainLimit: Sendable, Equatable {
  /// Hz.
  public let centre: Double
  /// Greatest insertion gain, dB.
  public let limit: Double
  /// Most that is not given at any level, dB; not negative.
  public let reduction: Double
  /// Whether feedback was found there; else noise ended what could be seen, and less gain was never tried.
  public let isFound: Bool

  /// Less than this nobody hears, dB: half of the least difference in level that is told apart in speech (1 dB, from
  /// memory).
  private static let leastTold = 0.5

  /// Whether it takes something worth telling.
  public var isHolding: Bool { reduction >= Self.leastTold }
}
