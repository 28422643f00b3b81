/// A match of the tinnitus' bandwidth: a tone, a narrow and a broad noise, each heard several times in a shuffled order, are rated by their
/// likeness to the tinnitus, 0 not at all, 100 just like it.
///
/// Ratings rather than comparisons of two: alike sounds, of which a comparison makes a winner by chance, are told by their spread.
/// All are to be as loud as the tinnitus. State is the seed and the ratings so far; it is kept as these alone.
///
/// - Threads: any.
public struct BandwidthMatch: Sendable, Hashable {
  let seed: UInt64
  /// In the order in which sounds were asked for.
  private(set) var ratings: [Double] = []
  private let order: [Int]

  /// A sound about the pitch of the tinnitus.
  public enum Sound: String, Sendable, Hashable, Codable, CaseIterable {
    case tone
    /// A third of an octave wide.
    case narrowNoise
    case broadNoise
  }

  /// Times that each sound is rated. Own choice: sounds that differ by twice the spread of ratings are told apart.
  static let rounds = 5

  /// - Parameter seed: Of the order.
  init(seed: UInt64) {
    self.seed = seed
    order = RatingRounds.order(of: Sound.allCases.count, rounds: Self.rounds, seed: seed)
  }

  /// The sound to be rated now; nil: finished.
  var next: Sound? { ratings.count < order.count ? Sound.allCases[order[ratings.count]] : nil }

  /// Takes the rating of ``next``.
  ///
  /// - Parameter likeness: 0…100; anything else is refused.
  /// - Returns: False where it was refused, and after the end.
  mutating func rate(_ likeness: Double) -> Bool {
    guard next != nil, RatingRounds.scale.contains(likeness) else { return false }
    ratings.append(likeness)
    return true
  }

  /// Nil until every sound was rated.
  var result: BandwidthMatchResult? {
    guard next == nil else { return nil }
    func of(_ sound: Sound) -> SoundRatings {
      SoundRatings(ratings: zip(order, ratings).filter { Sound.allCases[$0.0] == sound }.map(\.1))
    }
    return BandwidthMatchResult(
      tone: of(.tone), narrowNoise: of(.narrowNoise), broadNoise: of(.broadNoise))
  }
}

extension BandwidthMatch: Codable {
  private enum CodingKeys: CodingKey { case seed, ratings }

  /// A value that is no state of a match is refused.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(seed: try container.decode(UInt64.self, forKey: .seed))
    for rating in try container.decode([Double].self, forKey: .ratings) where !rate(rating) {
      throw DecodingError.dataCorruptedError(
        forKey: .ratings, in: container, debugDescription: "ratings that no match of the bandwidth has")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(seed, forKey: .seed)
    try container.encode(ratings, forKey: .ratings)
  }
}

/// Outcome of a match of the bandwidth.
///
/// - Threads: any.
public struct BandwidthMatchResult: Sendable, Hashable, Codable {
  let tone, narrowNoise, broadNoise: SoundRatings

  /// Difference of means that counts at least, on the scale of ratings. Own choice: less is not felt as a difference.
  static let leastDifference = 5.0
  /// Student's t for 12 degrees of freedom, 95 % of both sides (from memory): three sounds of five ratings each.
  private static let student = 2.18

  /// Ratings of a sound.
  public subscript(sound: BandwidthMatch.Sound) -> SoundRatings {
    switch sound {
    case .tone: tone
    case .narrowNoise: narrowNoise
    case .broadNoise: broadNoise
    }
  }

  /// The sound rated highest; nil where two are rated alike (``isTied``).
  public var sound: BandwidthMatch.Sound? { isTied ? nil : ranked[0] }

  /// True where the two sounds rated highest differ by no more than chance: by 5 of 100, or by what a t-test with the common spread lets
  /// pass.
  public var isTied: Bool {
    let difference = self[ranked[0]].mean - self[ranked[1]].mean
    let all = BandwidthMatch.Sound.allCases.map { self[$0] }
    let count = Double(tone.ratings.count)
    let variance = all.reduce(0) { $0 + $1.squares } / (Double(all.count) * (count - 1))
    return difference <= max(Self.leastDifference, Self.student * (2 * variance / count).squareRoot())
  }

  private var ranked: [BandwidthMatch.Sound] {
    BandwidthMatch.Sound.allCases.sorted { self[$0].mean > self[$1].mean }
  }
}
