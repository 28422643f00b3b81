import Glibc

/// A pitch match by comparisons: of two tones the listener says which is closer to their tinnitus. The interval in which the pitch lies
/// is halved with each answer; at the end an octave above and one below are compared with what was found, for octaves are confused
/// (Vernon & Fenwick 1984, from memory; docs/sources.md).
///
/// Tones are to be as loud as the tinnitus, each at its frequency, and which of the two sounds first is for a random source to say.
///
/// - Threads: any.
struct PitchMatch: Sendable, Hashable, Codable {
  /// Two tones to be compared, Hz.
  struct Pair: Sendable, Hashable, Codable {
    let lower: Double
    let upper: Double
  }

  /// Frequencies that may sound, Hz.
  let range: ClosedRange<Double>
  /// Comparisons that were answered.
  private(set) var comparisonCount = 0
  /// Octaves above the lowest frequency between which the pitch lies.
  private var low = 0.0
  private var high: Double
  /// Comparisons of octaves that were answered, and how many chose the tone that had been found.
  private var octaves: [OctaveTest] = []
  private var octaveIndex = 0

  private struct OctaveTest: Hashable, Codable {
    /// Of the found frequency, octaves: −1 or 1.
    let shift: Double
    var presented = 0
    var kept = 0
  }

  /// Width at which the search ends, octaves: half the error that a match may have.
  static let enough = 1.0 / 12
  /// Presentations of each octave; own choice (at least two: from memory).
  private static let presentations = 3

  init(range: ClosedRange<Double>) {
    self.range = range
    high = log2(range.upperBound / range.lowerBound)
  }

  // MARK: - What is asked

  /// The next comparison; nil: finished.
  var next: Pair? {
    if high - low > Self.enough {
      // Half an interval apart, about its middle: both answers leave half of it.
      let (middle, half) = ((low + high) / 2, (high - low) / 4)
      return Pair(lower: frequency(middle - half), upper: frequency(middle + half))
    }
    guard octaveIndex < octaves.count else { return nil }
    let other = found * exp2(octaves[octaveIndex].shift)
    return Pair(lower: min(found, other), upper: max(found, other))
  }

  /// The frequency that was found, before and after octaves were compared, Hz.
  private var found: Double { frequency((low + high) / 2) }

  private func frequency(_ octaves: Double) -> Double { range.lowerBound * exp2(octaves) }

  // MARK: - Answers

  /// Takes the answer to ``next``.
  mutating func answer(isUpperCloser: Bool) {
    guard next != nil else { return }
    comparisonCount += 1
    guard high - low > Self.enough else { return answerOctave(isUpperCloser) }
    let middle = (low + high) / 2
    if isUpperCloser { low = middle } else { high = middle }
    guard high - low <= Self.enough else { return }
    let top = log2(range.upperBound / range.lowerBound)
    let place = (low + high) / 2
    octaves = [-1.0, 1].filter { 0...top ~= place + $0 }.map { OctaveTest(shift: $0) }
  }

  private mutating func answerOctave(_ isUpperCloser: Bool) {
    let isKept = isUpperCloser == (octaves[octaveIndex].shift < 0)
    octaves[octaveIndex].presented += 1
    if isKept { octaves[octaveIndex].kept += 1 }
    if octaves[octaveIndex].presented >= Self.presentations { octaveIndex += 1 }
  }

  // MARK: - The outcome

  /// Nil until everything was answered.
  var result: PitchMatchResult? {
    guard high - low <= Self.enough, octaveIndex >= octaves.count else { return nil }
    // The octave that was chosen most, where it was more often than what had been found.
    let rejected = octaves.filter { 2 * $0.kept < $0.presented }.min { $0.kept < $1.kept }
    return PitchMatchResult(
      frequency: found * exp2(rejected?.shift ?? 0), comparedFrequency: found,
      isOctaveConfused: rejected != nil || octaves.contains { 0 < $0.kept && $0.kept < $0.presented })
  }
}

/// Outcome of a pitch match.
///
/// - Threads: any.
public struct PitchMatchResult: Sendable, Hashable, Codable {
  /// Pitch of the tinnitus, Hz.
  public let frequency: Double
  /// The same before octaves were compared, Hz.
  public let comparedFrequency: Double
  /// True where an octave above or below was chosen once or more often.
  public let isOctaveConfused: Bool

  /// An octave beside a pitch.
  public enum Octave: String, Sendable, Hashable, Codable, CaseIterable { case below, above }

  /// Tone an octave beside ``comparedFrequency``, Hz.
  public func neighbour(_ octave: Octave) -> Double {
    switch octave {
    case .below: comparedFrequency / 2
    case .above: 2 * comparedFrequency
    }
  }
}
