import Glibc

/// A pitch match by rating: tones of many frequencies, each heard three times in a shuffled order, are rated by their
/// likeness to the tinnitus, 0 not at all, 100 just like it (Norena et al. 2002 and Roberts et al. 2006, from memory;
/// docs/sources.md).
///
/// Tones are to be as loud as the tinnitus, each at its frequency. State is the frequencies, the seed and the ratings so far; it is kept as
/// these alone.
///
/// - Threads: any.
public struct LikenessRating: Sendable, Hashable {
  /// Rising, Hz.
  let frequencies: [Double]
  let seed: UInt64
  /// In the order in which tones were asked for.
  private(set) var ratings: [Double] = []
  /// Indices of the tones in their order.
  private let order: [Int]

  /// Distance of neighbouring tones.
  public enum Spacing: String, Sendable, Hashable, Codable {
    case thirdOctave, halfOctave

    /// Octaves.
    public var octaves: Double { self == .thirdOctave ? 1.0 / 3 : 1.0 / 2 }
  }

  /// Range of a usual match, Hz (from memory).
  static let usualRange = 500.0...16_000.0
  /// Tones that make a profile: half octaves to 8 kHz are 9, thirds of an octave to 16 kHz are 16 (about 11 to 25: from
  /// memory; fewer: own choice).
  static let counts = 9...25
  /// Times that each tone is rated (from memory).
  static let rounds = 3

  /// Creates a match at its beginning.
  ///
  /// - Parameters:
  ///   - frequencies: As many as ``counts`` allows, rising, Hz.
  ///   - seed: Of the order.
  /// - Returns: Nil for frequencies that are not of this kind.
  init?(frequencies: [Double], seed: UInt64) {
    guard Self.counts.contains(frequencies.count), frequencies[0] > 0, frequencies.allSatisfy(\.isFinite),
      zip(frequencies, frequencies.dropFirst()).allSatisfy(<)
    else { return nil }
    (self.frequencies, self.seed) = (frequencies, seed)
    order = RatingRounds.order(of: frequencies.count, rounds: Self.rounds, seed: seed)
  }

  /// Tones from the bottom of the usual range upwards, as far as the earphones allow, Hz.
  ///
  /// - Parameter range: In which the earphones play at the level of a match, Hz.
  static func frequencies(_ spacing: Spacing, within range: ClosedRange<Double>) -> [Double] {
    let top = log2(usualRange.upperBound / usualRange.lowerBound)
    return (0...Int((top / spacing.octaves).rounded(.down)))
      .map { usualRange.lowerBound * exp2(Double($0) * spacing.octaves) }
      .filter(range.contains)
  }

  /// Frequency of the tone to be rated now, Hz; nil: finished.
  var next: Double? { ratings.count < order.count ? frequencies[order[ratings.count]] : nil }

  /// Share of the ratings that were given, 0…1.
  var progress: Double { Double(ratings.count) / Double(order.count) }

  /// Takes the rating of ``next``.
  ///
  /// - Parameter likeness: 0…100; anything else is refused.
  /// - Returns: False where it was refused, and after the end.
  mutating func rate(_ likeness: Double) -> Bool {
    guard next != nil, RatingRounds.scale.contains(likeness) else { return false }
    ratings.append(likeness)
    return true
  }

  /// Nil until every tone was rated.
  var result: LikenessProfile? {
    guard next == nil else { return nil }
    var byTone = [[Double]](repeating: [], count: frequencies.count)
    for (index, rating) in zip(order, ratings) { byTone[index].append(rating) }
    return LikenessProfile(
      tones: zip(frequencies, byTone).map { .init(frequency: $0, ratings: SoundRatings(ratings: $1)) })
  }
}

extension LikenessRating: Codable {
  private enum CodingKeys: CodingKey { case frequencies, seed, ratings }

  /// A value that is no state of a match is refused.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let ratings = try container.decode([Double].self, forKey: .ratings)
    let made = LikenessRating(
      frequencies: try container.decode([Double].self, forKey: .frequencies),
      seed: try container.decode(UInt64.self, forKey: .seed))
    guard var match = made, ratings.allSatisfy({ match.rate($0) }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .ratings, in: container,
        debugDescription: "frequencies or ratings that no match by likeness has")
    }
    self = match
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(frequencies, forKey: .frequencies)
    try container.encode(seed, forKey: .seed)
    try container.encode(ratings, forKey: .ratings)
  }
}
