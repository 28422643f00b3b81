public import Acoustics

/// A pitch match by likeness with everything that is settled before it begins.
///
/// - Threads: any.
public struct LikenessPlan: Sendable, Hashable, Codable {
  /// Ear that hears the tones.
  public let ear: Ear
  /// Levels of tones that are as loud as the tinnitus. Tones beyond the ends of the curve and in its gaps are left out.
  public let curve: LevelCurve
  /// Distance of neighbouring tones, from 500 Hz upwards.
  public let spacing: LikenessRating.Spacing

  /// - Parameter curve: Level at each frequency, at which a tone is as loud as the tinnitus.
  public init(ear: Ear, curve: LevelCurve, spacing: LikenessRating.Spacing = .thirdOctave) {
    (self.ear, self.curve, self.spacing) = (ear, curve, spacing)
  }

  /// Tones that are rated, Hz; nil: earphone and ear reach too few.
  public var frequencies: [Double]? {
    let all = LikenessRating.frequencies(spacing, within: curve.range).filter(curve.isHeard)
    return LikenessRating.counts.contains(all.count) ? all : nil
  }
}

/// A pitch match by likeness step by step: one tone, one rating.
///
/// - Threads: any.
struct LikenessProcedure: Procedure {
  let plan: LikenessPlan
  private var rating: LikenessRating?
  private var count = 0

  /// Time of a tone, and of the silence before it, s. Own choices.
  private static let (length, gap) = (1.5, 0.4)

  init(_ plan: LikenessPlan, seed: UInt64) {
    self.plan = plan
    rating = plan.frequencies.flatMap { LikenessRating(frequencies: $0, seed: seed) }
  }

  var nextStep: ProcedureStep? {
    rating?.next.map { frequency in
      let tone = Stimulus(
        .tone, plan.ear, frequency: frequency, level: plan.curve.level(at: frequency), duration: Self.length
      )
      return ProcedureStep(count + 1, [ProcedureStep.Cue(gap: Self.gap, tone)], .likeness)
    }
  }

  mutating func take(_ answer: ProcedureAnswer) -> Bool {
    guard rating?.next != nil else { return false }
    switch answer {
    case .rate(let likeness, _): guard rating?.rate(likeness) == true else { return false }
    case .interrupted: break
    default: return false
    }
    count += 1
    return true
  }

  var progress: Double { rating?.progress ?? 1 }

  var trial: ProcedureTrial? {
    rating.flatMap {
      ProcedureTrial(after: $0.ratings.count, of: $0.frequencies.count * LikenessRating.rounds)
    }
  }

  var result: ProcedureResult? {
    rating?.result.map { ProcedureResult(likeness: LikenessSummary(plan.ear, $0)) }
  }
}

/// A rated profile as it is kept and told.
///
/// - Threads: any.
public struct LikenessSummary: Sendable, Hashable, Codable {
  /// Ear that heard the tones.
  public let ear: Ear
  /// Every tone with its ratings, from which the rest is worked out.
  public let profile: LikenessProfile
  /// Hz; nil: no frequency stands out.
  public let pitch: Double?
  /// Correlation of repeated ratings; nil: they are all one number.
  public let reliability: Double?
  /// Reasons for which ``pitch`` is not to be relied on; none: it may be.
  public let doubts: [LikenessProfile.Doubt]

  init(_ ear: Ear, _ profile: LikenessProfile) {
    (self.ear, self.profile, pitch) = (ear, profile, profile.pitch)
    (reliability, doubts) = (profile.reliability, profile.doubts)
  }
}

/// A bandwidth match with everything that is settled before it begins.
///
/// - Threads: any.
public struct BandwidthPlan: Sendable, Hashable, Codable {
  /// Ear that hears the sounds.
  public let ear: Ear
  /// Pitch of the tinnitus, Hz.
  public let frequency: Double
  /// Each as loud as the tinnitus.
  public let tone, narrowNoise, broadNoise: Level
  /// Reservations about a threshold that the levels go by, the one at ``frequency`` or that of the loudness match; nil: there
  /// is none, or they were given, or a match at that frequency alone makes the levels.
  public let reservation: ThresholdReservation?

  /// Level of one of the three sounds.
  public struct Level: Sendable, Hashable, Codable {
    /// As loud as the tinnitus. A plan that was read may have one above ``ceiling``, which holds it.
    public let level: HearingLevel
    /// Loudest that the sound may be.
    public let ceiling: HearingLevel

    /// - Parameter level: Held to the ceiling.
    public init(_ level: HearingLevel, ceiling: HearingLevel) {
      (self.level, self.ceiling) = (min(level, ceiling), ceiling)
    }
  }

  /// - Parameters:
  ///   - frequency: Pitch of the tinnitus, Hz: of the tone, and of the middle of the narrow noise.
  ///   - reservation: About the threshold at that frequency, or that of the loudness match.
  public init(
    ear: Ear, frequency: Double, tone: Level, narrowNoise: Level, broadNoise: Level,
    reservation: ThresholdReservation? = nil
  ) {
    (self.ear, self.frequency, self.reservation) = (ear, frequency, reservation)
    (self.tone, self.narrowNoise, self.broadNoise) = (tone, narrowNoise, broadNoise)
  }

  func level(of sound: BandwidthMatch.Sound) -> (signal: Stimulus.Signal, level: Level) {
    switch sound {
    case .tone: (.tone, tone)
    case .narrowNoise: (.narrowNoise, narrowNoise)
    case .broadNoise: (.broadNoise, broadNoise)
    }
  }
}

/// A bandwidth match step by step: one sound, one rating.
///
/// - Threads: any.
struct BandwidthProcedure: Procedure {
  let plan: BandwidthPlan
  private var match: BandwidthMatch
  private var count = 0

  /// Time of a sound, and of the silence before it, s. Own choices.
  private static let (length, gap) = (1.5, 0.4)

  init(_ plan: BandwidthPlan, seed: UInt64) {
    self.plan = plan
    match = BandwidthMatch(seed: seed)
  }

  var nextStep: ProcedureStep? {
    match.next.map { sound in
      let (signal, level) = plan.level(of: sound)
      let stimulus = Stimulus(
        signal, plan.ear, frequency: plan.frequency, level: min(level.level, level.ceiling),
        duration: Self.length)
      return ProcedureStep(count + 1, [ProcedureStep.Cue(gap: Self.gap, stimulus)], .likeness)
    }
  }

  mutating func take(_ answer: ProcedureAnswer) -> Bool {
    guard match.next != nil else { return false }
    switch answer {
    case .rate(let likeness, _): guard match.rate(likeness) else { return false }
    case .interrupted: break
    default: return false
    }
    count += 1
    return true
  }

  var progress: Double {
    Double(match.ratings.count) / Double(BandwidthMatch.rounds * BandwidthMatch.Sound.allCases.count)
  }

  var trial: ProcedureTrial? {
    ProcedureTrial(
      after: match.ratings.count, of: BandwidthMatch.rounds * BandwidthMatch.Sound.allCases.count)
  }

  var result: ProcedureResult? {
    match.result.map {
      ProcedureResult(
        bandwidth: BandwidthSummary(
          ear: plan.ear, frequency: plan.frequency, ratings: $0, sound: $0.sound, isTied: $0.isTied))
    }
  }
}

/// A bandwidth match as it is kept and told.
///
/// - Threads: any.
public struct BandwidthSummary: Sendable, Hashable, Codable {
  /// Ear that heard the sounds.
  public let ear: Ear
  /// Hz.
  public let frequency: Double
  /// Ratings of each sound.
  public let ratings: BandwidthMatchResult
  /// Nil: two are as much like the tinnitus.
  public let sound: BandwidthMatch.Sound?
  /// True where ``sound`` is nil: the two rated highest differ by no more than chance.
  public let isTied: Bool
}
