public import Acoustics
import Base
import Glibc

/// A pitch match with everything that is settled before it begins.
///
/// - Threads: any.
public struct PitchPlan: Sendable, Hashable, Codable {
  /// Ear that hears the tones.
  public let ear: Ear
  /// Levels of tones that are as loud as the tinnitus. The pitch is searched between the ends of the curve.
  public let curve: LevelCurve

  /// - Parameter curve: Level at each frequency, at which a tone is as loud as the tinnitus. Its ends are those of the match.
  public init(ear: Ear, curve: LevelCurve) { (self.ear, self.curve) = (ear, curve) }

  /// Range below which there is no match, octaves. Own choice: it takes four comparisons, while a twelfth of an octave takes none and
  /// would be called the pitch at once.
  private static let leastRange = 1.0

  /// True of a range in which a pitch can be searched.
  public var isWideEnough: Bool { log2(curve.range.upperBound / curve.range.lowerBound) >= Self.leastRange }

  /// True of a pitch within a twelfth of an octave, the error of a match, of an end of the range: the true one may lie beyond.
  public func isAtEdge(_ result: PitchMatchResult) -> Bool {
    [curve.range.lowerBound, curve.range.upperBound].contains {
      abs(log2(result.frequency / $0)) <= PitchMatch.enough
    }
  }

  /// Octaves beside ``PitchMatchResult/comparedFrequency`` that were not compared with it, for they lie outside the range.
  public func uncomparedOctaves(_ result: PitchMatchResult) -> [PitchMatchResult.Octave] {
    PitchMatchResult.Octave.allCases.filter { !curve.range.contains(result.neighbour($0)) }
  }
}

/// Levels of equal loudness over frequency, and the loudest that may sound. Between points: linear in dB over log2 of frequency.
///
/// - Threads: any.
public struct LevelCurve: Sendable, Hashable, Codable {
  /// Levels at one frequency.
  public struct Point: Sendable, Hashable, Codable {
    /// Hz.
    public let frequency: Double
    /// As loud as at the other points.
    public let level: HearingLevel
    /// Loudest that may sound here.
    public let ceiling: HearingLevel

    /// Checks nothing; ``LevelCurve/init(_:)`` does.
    public init(frequency: Double, level: HearingLevel, ceiling: HearingLevel) {
      (self.frequency, self.level, self.ceiling) = (frequency, level, ceiling)
    }
  }

  /// Two or more, by rising frequency.
  public let points: [Point]
  /// Frequencies at which the ear hears no tone that may sound, Hz, rising: between two points, where the curve has a gap, or beyond its
  /// ends.
  public let unheard: [Double]
  /// Those of ``unheard`` that a doubt of the hearing test is about, Hz, rising.
  public let unheardInDoubt: [Double]
  /// Frequencies of points whose level goes by a threshold with a ``ThresholdReservation``, their own or that of the loudness
  /// match, or is that of the softest tone, above what the others have, Hz, rising.
  public let uncertain: [Double]

  /// - Parameters:
  ///   - points: In rising order of frequency.
  ///   - unheard: Frequencies that are no points', in rising order.
  ///   - unheardInDoubt: Some of these, in rising order.
  ///   - uncertain: Frequencies of points, in rising order.
  /// - Returns: Nil of fewer than two points, of frequencies that do not rise, and of levels that are no numbers.
  public init?(
    _ points: [Point], unheard: [Double] = [], unheardInDoubt: [Double] = [], uncertain: [Double] = []
  ) {
    guard points.count > 1, zip(points, points.dropFirst()).allSatisfy({ $0.frequency < $1.frequency }),
      points.allSatisfy({ $0.frequency > 0 && $0.level.decibels.isFinite && $0.ceiling.decibels.isFinite }),
      [unheard, unheardInDoubt, uncertain].allSatisfy(Self.areRising)
    else { return nil }
    (self.points, self.unheard, self.unheardInDoubt) = (points, unheard, unheardInDoubt)
    self.uncertain = uncertain
  }

  private static func areRising(_ frequencies: [Double]) -> Bool {
    zip(frequencies, frequencies.dropFirst()).allSatisfy(<) && frequencies.allSatisfy(\.isFinite)
  }

  /// Hz.
  public var range: ClosedRange<Double> { points[0].frequency...points[points.count - 1].frequency }

  /// Parts of the range in which tones are heard, Hz, rising: all of it but for the gaps.
  public var parts: [ClosedRange<Double>] {
    var (parts, start) = ([ClosedRange<Double>](), points[0].frequency)
    for (a, b) in zip(points, points.dropFirst())
    where unheard.contains(where: { a.frequency < $0 && $0 < b.frequency }) {
      parts.append(start...a.frequency)
      start = b.frequency
    }
    return parts + [start...points[points.count - 1].frequency]
  }

  /// True of a frequency in one of the ``parts``, Hz.
  public func isHeard(_ frequency: Double) -> Bool { parts.contains { $0.contains(frequency) } }

  /// dB HL; held to the ceiling.
  public func level(at frequency: Double) -> HearingLevel {
    min(HearingLevel(value(at: frequency) { $0.level.decibels }), ceiling(at: frequency))
  }

  /// Loudest that may sound at a frequency, dB HL.
  func ceiling(at frequency: Double) -> HearingLevel {
    HearingLevel(value(at: frequency) { $0.ceiling.decibels })
  }

  private func value(at frequency: Double, _ value: (Point) -> Double) -> Double {
    guard let next = points.firstIndex(where: { $0.frequency >= frequency }) else {
      return value(points[points.count - 1])
    }
    guard next > 0 else { return value(points[0]) }
    let (a, b) = (points[next - 1], points[next])
    let share = log2(frequency / a.frequency) / log2(b.frequency / a.frequency)
    return value(a) + share * (value(b) - value(a))
  }
}

extension LevelCurve {
  private enum CodingKeys: CodingKey { case points, unheard, unheardInDoubt, uncertain }

  /// Records of older versions name no frequency that is not heard, or is in doubt, and none whose threshold has a reservation.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let points = try container.decode([Point].self, forKey: .points)
    let unheard = try container.decodeIfPresent([Double].self, forKey: .unheard) ?? []
    let doubted = try container.decodeIfPresent([Double].self, forKey: .unheardInDoubt) ?? []
    let uncertain = try container.decodeIfPresent([Double].self, forKey: .uncertain) ?? []
    let read = LevelCurve(points, unheard: unheard, unheardInDoubt: doubted, uncertain: uncertain)
    guard let curve = read else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "levels that make no curve")
      )
    }
    self = curve
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(points, forKey: .points)
    if !unheard.isEmpty { try container.encode(unheard, forKey: .unheard) }
    if !unheardInDoubt.isEmpty { try container.encode(unheardInDoubt, forKey: .unheardInDoubt) }
    if !uncertain.isEmpty { try container.encode(uncertain, forKey: .uncertain) }
  }
}

/// A pitch match by comparisons, step by step: two tones as loud as the tinnitus, in random order.
///
/// - Threads: any.
struct PitchProcedure: Procedure {
  let plan: PitchPlan
  private var match: PitchMatch
  private var random: SeededNumbers
  /// True when the lower tone of the pair sounds first.
  private var isLowerFirst = true
  private var count = 0

  /// Time of a tone, and of the silence before it, s. Own choices.
  private static let (length, gap) = (1.0, 0.5)
  /// Comparisons of a match over five octaves: six halvings, and six of octaves.
  private static let usualCount = 12.0

  init(_ plan: PitchPlan, seed: UInt64) {
    self.plan = plan
    match = PitchMatch(range: plan.curve.range)
    random = SeededNumbers(seed: seed)
    draw()
  }

  private mutating func draw() { isLowerFirst = Bool.random(using: &random) }

  var nextStep: ProcedureStep? {
    match.next.map { pair in
      let order = isLowerFirst ? [pair.lower, pair.upper] : [pair.upper, pair.lower]
      let cues = order.map { frequency in
        let tone = Stimulus(
          .tone, plan.ear, frequency: frequency, level: plan.curve.level(at: frequency),
          duration: Self.length)
        return ProcedureStep.Cue(gap: Self.gap, tone)
      }
      return ProcedureStep(count + 1, cues, .comparison)
    }
  }

  mutating func take(_ answer: ProcedureAnswer) -> Bool {
    guard match.next != nil else { return false }
    switch answer {
    case .first: match.answer(isUpperCloser: !isLowerFirst)
    case .second: match.answer(isUpperCloser: isLowerFirst)
    case .interrupted: break
    default: return false
    }
    count += 1
    draw()
    return true
  }

  var progress: Double {
    match.next == nil ? 1 : min(0.95, Double(match.comparisonCount) / Self.usualCount)
  }

  var trial: ProcedureTrial? {
    match.next.map { _ in ProcedureTrial(match.comparisonCount + 1, of: nil) }
  }

  var result: ProcedureResult? { match.result.map { ProcedureResult(pitch: $0) } }
}
