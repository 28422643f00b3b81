import Glibc

/// Outcome of a match by likeness: the tinnitus' spectrum as its owner rates it.
///
/// - Threads: any.
public struct LikenessProfile: Sendable, Hashable, Codable {
  /// By rising frequency.
  public let tones: [Tone]

  /// A tone and how it was rated.
  public struct Tone: Sendable, Hashable, Codable {
    /// Hz.
    public let frequency: Double
    /// Every rating of this tone.
    public let ratings: SoundRatings
  }

  /// A reason for which the pitch is not to be relied on.
  public enum Doubt: String, Sendable, Hashable, Codable {
    /// No frequency is rated much above another: there is no pitch.
    case flat
    /// Ratings of one tone differ as much as those of different tones.
    case unreliable
    /// The peak is the lowest or the highest tone: the pitch may lie beyond.
    case atEdge
    /// The peak lies beside tones that were left out, for the ear does not hear them: the pitch may lie among these.
    case besideGap
  }

  /// Height of a profile over its lowest part below which it is called flat. Own choice.
  static let leastHeight = 20.0
  /// Intraclass correlation below which ratings are called unreliable (Koo & Li 2016: below 0.5 poor; from memory).
  static let leastReliability = 0.5

  /// Means, each with a share of its neighbours' (1, 2, 1), so that one odd rating makes no peak. Own choice. Beside tones that were left
  /// out there is no neighbour.
  public var smoothed: [Double] {
    let (means, gaps) = (tones.map(\.ratings.mean), self.gaps)
    return means.indices.map { index in
      let parts = [(index - 1, 1.0), (index, 2), (index + 1, 1)].filter { place, _ in
        means.indices.contains(place) && (place == index || !gaps.contains(min(place, index)))
      }
      return parts.reduce(0) { $0 + $1.1 * means[$1.0] } / parts.reduce(0) { $0 + $1.1 }
    }
  }

  /// Places of tones behind which others were left out: tones lie evenly over the octaves otherwise.
  private var gaps: Set<Int> {
    let steps = zip(tones, tones.dropFirst()).map { log2($1.frequency / $0.frequency) }
    guard let usual = steps.min() else { return [] }
    // Half way to the distance at which one tone is missing.
    return Set(steps.indices.filter { steps[$0] > 1.5 * usual })
  }

  /// Frequency of the peak of the smoothed means, Hz: the dominant pitch; nil of a flat profile.
  public var pitch: Double? { doubts.contains(.flat) ? nil : peak.map { tones[$0].frequency } }

  /// Correlation of repeated ratings, 1 at best, about 0 at random; nil where all ratings are one number.
  ///
  /// The intraclass correlation of single ratings by tone, ICC(1,1) = (B − W) / (B + (k − 1) W), with the mean squares between and within
  /// tones and k ratings of each (Shrout & Fleiss 1979, from memory).
  public var reliability: Double? {
    guard let count = tones.first?.ratings.ratings.count, count > 1, tones.count > 1 else { return nil }
    let (number, repeats) = (Double(tones.count), Double(count))
    let means = SoundRatings(ratings: tones.map(\.ratings.mean))
    let between = repeats * means.squares / (number - 1)
    let within = tones.reduce(0) { $0 + $1.ratings.squares } / (number * (repeats - 1))
    let whole = between + (repeats - 1) * within
    return whole > 0 ? (between - within) / whole : nil
  }

  /// None: the pitch may be relied on.
  public var doubts: [Doubt] {
    let smoothed = smoothed
    var doubts: [Doubt] = []
    if (smoothed.max() ?? 0) - (smoothed.min() ?? 0) < Self.leastHeight { doubts.append(.flat) }
    if (reliability ?? 1) < Self.leastReliability { doubts.append(.unreliable) }
    if let peak, peak == 0 || peak == tones.count - 1 { doubts.append(.atEdge) }
    if let peak, gaps.contains(peak) || gaps.contains(peak - 1) { doubts.append(.besideGap) }
    return doubts
  }

  private var peak: Int? {
    let smoothed = smoothed
    return smoothed.indices.max { smoothed[$0] < smoothed[$1] }
  }
}
