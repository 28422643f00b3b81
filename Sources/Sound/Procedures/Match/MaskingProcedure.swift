public import Acoustics

/// A search for the minimum masking level with everything that is settled before it begins.
///
/// - Threads: any.
public struct MaskingPlan: Sendable, Hashable, Codable {
  /// Ear that hears the sound.
  public let ear: Ear
  /// Noise that masks, or a tone.
  public let signal: Stimulus.Signal
  /// Hz.
  public let frequency: Double
  /// With the threshold of the same sound.
  public let range: MatchRange
  /// Reservations about that threshold; nil: there is none, or it was given.
  public let reservation: ThresholdReservation?
  /// Version of the rules by which the result follows from answers, ``presentRules`` of every plan that is made; nil: the
  /// first, of records from before it was kept.
  public var rules: Int? = presentRules

  /// Rules of this program: the result tells a level that is an upper bound, and reservations about the threshold. By the
  /// first ones it told neither.
  public static let presentRules = 2

  /// - Parameters:
  ///   - range: The sound rises from its threshold to its ceiling at most.
  ///   - reservation: About the threshold of `range`.
  public init(
    ear: Ear, signal: Stimulus.Signal, frequency: Double, range: MatchRange,
    reservation: ThresholdReservation? = nil
  ) {
    (self.ear, self.signal, self.frequency, self.range) = (ear, signal, frequency, range)
    self.reservation = reservation
  }
}

/// The search step by step: noise that lasts, and the question whether the tinnitus is heard beside it.
///
/// - Threads: any.
struct MaskingProcedure: Procedure {
  let plan: MaskingPlan
  private var search: MaskingLevelSearch
  private var count = 0

  /// Time of the noise, and of the silence before it, s. Own choices: long enough to listen for the tinnitus; and, as own noise and a
  /// quarter of a second behind it count for nothing in the room's level, long enough that a second of the room is heard in three or four
  /// silences.
  private static let (length, gap) = (3.0, 0.6)

  init(_ plan: MaskingPlan) {
    self.plan = plan
    search = MaskingLevelSearch(plan.range)
  }

  var nextStep: ProcedureStep? {
    search.next.map { level in
      let noise = Stimulus(
        plan.signal, plan.ear, frequency: plan.frequency, level: level, duration: Self.length)
      return ProcedureStep(count + 1, [ProcedureStep.Cue(gap: Self.gap, noise)], .presence)
    }
  }

  mutating func take(_ answer: ProcedureAnswer) -> Bool {
    guard search.next != nil else { return false }
    switch answer {
    case .present: search.answer(isTinnitusHeard: true)
    case .absent: search.answer(isTinnitusHeard: false)
    case .interrupted: break
    default: return false
    }
    count += 1
    return true
  }

  var progress: Double {
    Double(search.ends.count + search.unmasked) / Double(MaskingLevelSearch.rises)
  }

  var trial: ProcedureTrial? {
    ProcedureTrial(after: search.ends.count + search.unmasked, of: MaskingLevelSearch.rises)
  }

  var result: ProcedureResult? {
    guard search.next == nil else { return nil }
    return ProcedureResult(
      masking: MaskingSummary(
        ear: plan.ear, signal: plan.signal, frequency: plan.frequency, threshold: plan.range.threshold,
        ends: search.ends, unmasked: search.unmasked, level: search.level,
        sensationLevel: search.sensationLevel,
        isLevelOrBelow: plan.rules.map { _ in search.isLevelOrBelow },
        isThresholdOrBelow: plan.rules.map { _ in plan.reservation?.isOrBelow == true },
        isThresholdInDoubt: plan.rules.map { _ in plan.reservation?.isInDoubt == true }))
  }
}

/// Residual inhibition with everything that is settled before it begins.
///
/// - Threads: any.
public struct InhibitionPlan: Sendable, Hashable, Codable {
  /// Ear that hears the sound.
  public let ear: Ear
  /// Noise, or a tone: the sound that ``masking`` was found with.
  public let signal: Stimulus.Signal
  /// Hz.
  public let frequency: Double
  /// Minimum masking level of the same sound, dB HL.
  public let masking: HearingLevel
  /// Levels of the sound: its ceiling holds a louder one back.
  public let range: MatchRange
  /// Time in which the sound grows to its level, s, a part of its minute; nil: it begins there, as of records from before it was kept.
  public let rise: Double?
  /// True where ``masking`` was found as that level or below; nil: it was given, or nobody told.
  public let isMaskingOrBelow: Bool?

  /// Shortest ``rise``, s; own choice: a sound that is louder than any before does not begin at its level.
  private static let shortestRise = 1.0

  /// - Parameters:
  ///   - masking: The sound is 10 dB louder, within the ceiling of `range`, to which it rises from its threshold.
  ///   - isMaskingOrBelow: As the search for it told; nil: it did not, or there was none.
  public init(
    ear: Ear, signal: Stimulus.Signal, frequency: Double, masking: HearingLevel, range: MatchRange,
    isMaskingOrBelow: Bool? = nil
  ) {
    (self.ear, self.signal, self.frequency) = (ear, signal, frequency)
    (self.masking, self.range, self.isMaskingOrBelow) = (masking, range, isMaskingOrBelow)
    let level = ResidualInhibition(masking: masking, range: range).level
    rise = max(Self.shortestRise, (level - range.threshold) / Stimulus.growth)
  }
}

/// Residual inhibition step by step: a minute of noise, then the loudness of the tinnitus until it is as usual.
///
/// - Threads: any.
struct InhibitionProcedure: Procedure {
  let plan: InhibitionPlan
  private var inhibition: ResidualInhibition
  private var count = 0

  init(_ plan: InhibitionPlan) {
    self.plan = plan
    inhibition = ResidualInhibition(masking: plan.masking, range: plan.range)
  }

  var nextStep: ProcedureStep? {
    switch inhibition.next {
    case .noise(let level, let seconds):
      let noise = Stimulus(
        plan.signal, plan.ear, frequency: plan.frequency, level: level, duration: seconds, rise: plan.rise)
      return ProcedureStep(count + 1, [ProcedureStep.Cue(gap: 0.5, noise)], .listening)
    case .ask(let time):
      // Counted from the last answer: whoever asks later loses nothing, since each answer has its time.
      let wait = max(0, time - (inhibition.ratings.last?.time ?? 0))
      return ProcedureStep(count + 1, [ProcedureStep.Cue(gap: wait, nil)], .rating)
    case .finished: return nil
    }
  }

  mutating func take(_ answer: ProcedureAnswer) -> Bool {
    switch (inhibition.next, answer) {
    case (.noise, .ended): inhibition.noiseEnded()
    case (.noise, .interrupted), (.ask, .interrupted): break
    case (.ask, .rate(let loudness, let after)):
      guard inhibition.rate(loudness, at: after) else { return false }
    default: return false
    }
    count += 1
    return true
  }

  var progress: Double {
    switch inhibition.next {
    case .noise: 0
    case .ask: min(0.95, 0.2 + Double(inhibition.ratings.count) * 0.1)
    case .finished: 1
    }
  }

  var trial: ProcedureTrial? {
    if case .ask = inhibition.next { ProcedureTrial(inhibition.ratings.count + 1, of: nil) } else { nil }
  }

  var result: ProcedureResult? {
    guard let kind = inhibition.kind else { return nil }
    return ProcedureResult(
      inhibition: InhibitionSummary(
        ear: plan.ear, signal: plan.signal, frequency: plan.frequency, level: inhibition.level,
        isHeldBack: inhibition.isHeldBack, ratings: inhibition.ratings, kind: kind,
        recovery: inhibition.recovery, isMaskingOrBelow: plan.isMaskingOrBelow))
  }
}
