public import Acoustics

/// Result of a procedure: the one of its kind.
///
/// - Threads: any.
public struct ProcedureResult: Sendable, Hashable, Codable {
  /// Thresholds of a hearing test, with its audiograms and doubts.
  public var hearingTest: HearingTestSummary?
  /// Of a loudness match, by adjustment or by bracketing.
  public var loudness: LoudnessSummary?
  /// Of a pitch match by comparisons.
  public var pitch: PitchMatchResult?
  /// Of a pitch match by ratings of likeness.
  public var likeness: LikenessSummary?
  /// Of a bandwidth match.
  public var bandwidth: BandwidthSummary?
  /// Of a search for the minimum masking level.
  public var masking: MaskingSummary?
  /// Of a test of residual inhibition.
  public var inhibition: InhibitionSummary?

  init(
    hearingTest: HearingTestSummary? = nil, loudness: LoudnessSummary? = nil,
    pitch: PitchMatchResult? = nil,
    likeness: LikenessSummary? = nil, bandwidth: BandwidthSummary? = nil,
    masking: MaskingSummary? = nil, inhibition: InhibitionSummary? = nil
  ) {
    (self.hearingTest, self.loudness, self.pitch) = (hearingTest, loudness, pitch)
    (self.likeness, self.bandwidth) = (likeness, bandwidth)
    (self.masking, self.inhibition) = (masking, inhibition)
  }
}

/// A loudness match as it is kept and told.
///
/// - Threads: any.
public struct LoudnessSummary: Sendable, Hashable, Codable {
  /// Ear that heard the tone.
  public let ear: Ear
  /// Hz.
  public let frequency: Double
  /// Each trial's, dB HL.
  public let trials: [Double]
  /// Threshold that dB SL refers to, dB HL.
  public let threshold: HearingLevel
  /// Median of the trials.
  public let level: HearingLevel
  /// ``level`` above ``threshold``.
  public let sensationLevel: SensationLevel
  /// Standard deviation of the trials, dB; nil of one trial.
  public let deviation: Double?
  /// True where the trials lie further apart than 10 dB.
  public let isScattered: Bool
  /// True where a trial lies at the end of what may be played.
  public let isAtLimit: Bool
  /// True where most trials, or runs of bracketing, ended at their first tone: they prove nothing. Nil, as both below, of a
  /// match by rules that did not tell it.
  public let isNotTurned: Bool?
  /// True where the threshold lies at ``threshold`` or below, so that ``sensationLevel`` is a lower bound.
  public let isThresholdOrBelow: Bool?
  /// True where a doubt of the hearing test is about the threshold.
  public let isThresholdInDoubt: Bool?

  init(_ plan: LoudnessPlan, _ result: LoudnessMatchResult) {
    isNotTurned = plan.rules.map { _ in result.isNotTurned }
    isThresholdOrBelow = plan.rules.map { _ in plan.reservation?.isOrBelow == true }
    isThresholdInDoubt = plan.rules.map { _ in plan.reservation?.isInDoubt == true }
    (ear, frequency, trials) = (plan.ear, plan.frequency, result.matches)
    (threshold, level, sensationLevel) = (result.threshold, result.level, result.sensationLevel)
    (deviation, isScattered, isAtLimit) = (result.deviation, result.isScattered, result.isAtLimit)
  }
}

/// A minimum masking level as it is kept and told.
///
/// - Threads: any.
public struct MaskingSummary: Sendable, Hashable, Codable {
  /// Ear that heard the sound.
  public let ear: Ear
  /// Noise that was to mask the tinnitus, or a tone.
  public let signal: Stimulus.Signal
  /// Hz.
  public let frequency: Double
  /// Of the noise, dB HL.
  public let threshold: HearingLevel
  /// Levels at which the tinnitus vanished, dB HL.
  public let ends: [Double]
  /// Rises in which the tinnitus was heard through the loudest noise.
  public let unmasked: Int
  /// Nil: no noise that may sound masks the tinnitus.
  public let level: HearingLevel?
  /// ``level`` above ``threshold``; nil as that.
  public let sensationLevel: SensationLevel?
  /// True where ``level`` is an upper bound, for a rise that ended there or above did so at its first noise. Nil, as both
  /// below, of a search by rules that did not tell it.
  public let isLevelOrBelow: Bool?
  /// True where the threshold lies at ``threshold`` or below, so that ``sensationLevel`` is a lower bound.
  public let isThresholdOrBelow: Bool?
  /// True where a doubt of the hearing test is about the threshold.
  public let isThresholdInDoubt: Bool?
}

/// Residual inhibition as it is kept and told.
///
/// - Threads: any.
public struct InhibitionSummary: Sendable, Hashable, Codable {
  /// Ear that heard the sound.
  public let ear: Ear
  /// Noise of a minute, or a tone.
  public let signal: Stimulus.Signal
  /// Hz.
  public let frequency: Double
  /// Of the noise, dB HL.
  public let level: HearingLevel
  /// True where the noise was softer than 10 dB above the masking level, for safety.
  public let isHeldBack: Bool
  /// Loudness of the tinnitus after the noise, in the order of time.
  public let ratings: [ResidualInhibition.Rating]
  /// Outcome in a word, by the ratings.
  public let kind: ResidualInhibition.Kind
  /// s after the noise; nil: not within the time asked for.
  public let recovery: Double?
  /// True where the masking level that the noise goes by is an upper bound, so that the noise may have been further above it;
  /// nil: it was given, or nobody told.
  public let isMaskingOrBelow: Bool?
}
