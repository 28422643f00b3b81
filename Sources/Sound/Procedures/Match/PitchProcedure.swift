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

  /// - Parameter points: In rising order of frequency.
  /// - Returns: Nil of fewer than two, of frequencies that do not rise, and of levels that are no numbers.
  public init?(_ points: [Point]) {
    guard points.count > 1, zip(points, points.dropFirst()).allSatisfy({ $0.frequency < $1.frequency }),
      points.allSatisfy({ $0.frequency > 0 && $0.level.decibels.isFinite && $0.ceiling.decibels.isFinite })
    else { return nil }
    self.points = points
  }

  /// Hz.
  public var range: ClosedRange<Double> { points[0].frequency...points[points.count - 1].frequency }

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
  public init(from decoder: any Decoder) throws {
    let points = try decoder.container(keyedBy: CodingKeys.self).decode([Point].self, forKey: .points)
    guard let curve = LevelCurve(points) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "levels that make no curve")
      )
    }
    self = curve
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
