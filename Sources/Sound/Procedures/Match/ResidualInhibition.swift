import Acoustics

/// Residual inhibition: noise 10 dB above the minimum masking level for a minute, then the tinnitus' loudness in per cent of the usual, asked
/// again and again until it is back (Feldmann 1971, Vernon, from memory; docs/sources.md).
///
/// - Threads: any.
public struct ResidualInhibition: Sendable, Hashable, Codable {
  /// Next thing to do.
  enum Step: Sendable, Hashable {
    /// Play noise of this level for this long, s.
    case noise(HearingLevel, seconds: Double)
    /// Ask for the loudness this long after the noise has ended, s.
    case ask(after: Double)
    case finished
  }

  /// Loudness at a time after the noise, per cent of the usual.
  public struct Rating: Sendable, Hashable, Codable {
    /// s.
    public let time: Double
    /// 0 gone, 100 as usual.
    public let loudness: Double
  }

  /// Kinds of outcome.
  public enum Kind: String, Sendable, Hashable, Codable {
    case complete, partial, none, rebound
  }

  let level: HearingLevel
  /// True where the noise is softer than 10 dB above the masking level, for safety.
  let isHeldBack: Bool
  private(set) var ratings: [Rating] = []
  private var hasSounded = false

  /// dB above the minimum masking level, and time of the noise, s.
  static let (excess, duration) = (10.0, 60.0)
  /// Time between questions, and after which none is asked any longer, s. Own choices.
  private static let (interval, longest) = (10.0, 300.0)
  /// Loudness from which the tinnitus counts as it usually is, and above which as louder, per cent. Own choices.
  private static let (usual, louder) = (95.0, 105.0)

  /// - Parameters:
  ///   - masking: Minimum masking level, dB HL.
  ///   - range: With the loudest noise that may sound.
  init(masking: HearingLevel, range: MatchRange) {
    let wanted = masking + Self.excess
    level = min(wanted, range.ceiling)
    isHeldBack = level < wanted
  }

  var next: Step {
    guard hasSounded else { return .noise(level, seconds: Self.duration) }
    guard let last = ratings.last else { return .ask(after: 0) }
    let isBack = ratings.count > 1 && ratings.suffix(2).allSatisfy { $0.loudness >= Self.usual }
    let time = last.time + Self.interval
    return isBack || time > Self.longest ? .finished : .ask(after: time)
  }

  /// The noise has sounded to its end.
  mutating func noiseEnded() { hasSounded = true }

  /// Takes a rating.
  ///
  /// - Parameters:
  ///   - loudness: Per cent of the usual, 0…200; anything else is refused.
  ///   - time: After the noise, s; later than the one before.
  /// - Returns: False where it was refused.
  mutating func rate(_ loudness: Double, at time: Double) -> Bool {
    guard case .ask = next, (0...200).contains(loudness), time.isFinite, time >= (ratings.last?.time ?? 0)
    else {
      return false
    }
    ratings.append(Rating(time: time, loudness: loudness))
    return true
  }

  /// Nil before the end.
  var kind: Kind? {
    guard next == .finished, let least = ratings.map(\.loudness).min() else { return nil }
    if least == 0 { return .complete }
    if least < Self.usual { return .partial }
    return ratings.contains { $0.loudness > Self.louder } ? .rebound : Kind.none
  }

  /// Time after the noise at which the tinnitus was first as usual again, s; where it was so at first and grew softer then, behind that.
  /// Nil: it was not within the time asked for.
  var recovery: Double? {
    let begin = ratings.firstIndex { $0.loudness < Self.usual } ?? 0
    return ratings.dropFirst(begin).first { $0.loudness >= Self.usual }?.time
  }
}
