public import Acoustics
import Base

/// NAL-RP made level-dependent: right for ordinary speech, more for soft sounds, less for loud ones.
///
/// In each band, with S(L) the band level of speech (``LongTermAverageSpeechSpectrum``) at L overall: * at
/// S(65) the gain is that of NAL-RP (``NALR``); * above S(65) it falls by 1 − 1/CR dB per dB; * from S(65)
/// down to S(40) it rises evenly by the addition for soft sounds: what the ratio makes of these 25 dB,
/// 25·(1 − 1/CR), but no more than the band's threshold asks for (``LowLevelAddition``); * between the
/// expansion knee, ``expansionDepth`` below S(40), and S(40) it is constant; * below the expansion knee it
/// falls by ER − 1 dB per dB, so that the noise of room and microphone is not lifted.
///
/// With ``LowLevelAddition/byRatio`` and down to S(40) this is the rule openMHA 4.18 ships as
/// `gainrule_CRvar_NALRP`. The expansion is our own choice: soft-speech minima lie some 12–15 dB below its
/// average, so depth 12 dB spares them. Unless ``allowsAttenuation``, the gain never falls below 0 dB: the
/// aid does not make a sound softer than without it, at either end.
///
/// A band without speech power (entirely outside 56 Hz–17.8 kHz) keeps the linear gain.
public struct NALRPCompressive: FittingRule, Hashable {
  /// Compression ratios accepted; current rules stay below 3 (the Cambridge one below 2.93).
  public static let compressionRatios = 1.0...3.0

  /// Expansion ratios accepted.
  public static let expansionRatios = 1.0...4.0

  /// Expansion depths accepted, dB.
  public static let expansionDepths = 0.0...40.0

  /// Overall speech level at which the gain is that of the linear rule.
  public static let targetSpeechLevel = SoundPressureLevel(65)

  /// Overall speech level whose band levels are the compression knees.
  public static let kneeSpeechLevel = SoundPressureLevel(40)

  /// Ratio 2, expansion 1.5 from 12 dB below the knee, no attenuation.
  public static let standard = NALRPCompressive(standard: ())

  /// Input change over output change above S(65), and down to S(40) where the threshold asks for as much.
  public private(set) var compressionRatio = 2.0
  /// Output change over input change below the expansion knee; 1 switches expansion off.
  public private(set) var expansionRatio = 1.5
  /// From the compression knee down to the expansion knee, dB.
  public private(set) var expansionDepth = 12.0
  /// True allows gain below 0 dB.
  public private(set) var allowsAttenuation = false
  /// Law of the gain added for soft sounds.
  public private(set) var lowLevelAddition = LowLevelAddition.byThreshold
  /// Gain below 250 Hz.
  public private(set) var lowEdge = LowFrequencyEdge.heldTo125Hertz
  /// Gain above 6 kHz.
  public private(set) var edge = HighFrequencyEdge.heldAboveSixKilohertz

  private init(standard: Void) {}

  /// Creates the rule.
  ///
  /// - Throws: ``FittingError`` naming the parameter out of range.
  public init(
    compressionRatio: Double = 2, expansionRatio: Double = 1.5, expansionDepth: Double = 12,
    allowsAttenuation: Bool = false, lowLevelAddition: LowLevelAddition = .byThreshold,
    lowEdge: LowFrequencyEdge = .heldTo125Hertz, edge: HighFrequencyEdge = .heldAboveSixKilohertz
  ) throws(FittingError) {
    try Self.check(compressionRatio: compressionRatio)
    guard Self.expansionRatios.contains(expansionRatio) else {
      throw .notAccepted("expansion ratio \(expansionRatio.shortText)", expected: "1 to 4")
    }
    guard Self.expansionDepths.contains(expansionDepth) else {
      throw .notAccepted("expansion depth \(expansionDepth.shortText) dB", expected: "0 to 40 dB")
    }
    (self.compressionRatio, self.expansionRatio) = (compressionRatio, expansionRatio)
    (self.expansionDepth, self.allowsAttenuation) = (expansionDepth, allowsAttenuation)
    (self.lowLevelAddition, self.lowEdge, self.edge) = (lowLevelAddition, lowEdge, edge)
  }

  /// Refuses a ratio outside ``compressionRatios``.
  static func check(compressionRatio: Double) throws(FittingError) {
    guard compressionRatios.contains(compressionRatio) else {
      throw .notAccepted("compression ratio \(compressionRatio.shortText)", expected: "1 to 3")
    }
  }

  public var name: String {
    let rule =
      switch (lowEdge, lowLevelAddition) {
      case (.falling, _): "NAL-RP-compressive version 1"
      case (.heldTo125Hertz, .byRatio): "NAL-RP-compressive version 2"
      case (.heldTo125Hertz, .byThreshold): "NAL-RP-compressive"
      }
    return "\(rule), compression \(compressionRatio):1"
  }

  public func curves(for audiogram: Audiogram, bands: BandLayout) throws(FittingError) -> [GainCurve] {
    let rule = NALR(revised: true, lowEdge: lowEdge, edge: edge)
    let targets = try rule.insertionGains(for: audiogram, at: bands.centres)
    return targets.indices.map { band in
      let speech = bands.speechLevel(inBand: band, overall: Self.targetSpeechLevel)
      // The linear rule has refused an audiogram without thresholds.
      guard speech.decibels.isFinite, let loss = audiogram.threshold(at: bands.centres[band]) else {
        return GainCurve(unchangingGain: targets[band])
      }
      return curve(gain: targets[band], at: speech, threshold: loss.decibels)
    }
  }

  /// The curve of one band.
  ///
  /// - Parameters:
  ///   - gain: The linear rule's, dB, not negative.
  ///   - target: Speech level of the band at 65 dB SPL overall.
  ///   - threshold: H at the band's centre, dB HL.
  func curve(gain: Double, at target: SoundPressureLevel, threshold: Double) -> GainCurve {
    let compression = 1 / compressionRatio - 1
    let expansion = expansionRatio - 1
    let distance = Self.targetSpeechLevel - Self.kneeSpeechLevel
    let greatest = gain + lowLevelAddition.gain(of: -compression * distance, threshold: threshold)
    let knee = target.decibels - distance
    var levels = [knee, target.decibels]
    if expansion > 0 { levels.append(knee - expansionDepth) }
    if !allowsAttenuation {
      // The gain at S(65) is never negative, so neither is the greatest; both ends stop at 0 dB.
      if expansion > 0 { levels.append(knee - expansionDepth - greatest / expansion) }
      if compression < 0 { levels.append(target.decibels - gain / compression) }
    }
    return GainCurve(
      joining: levels, slopeBelow: allowsAttenuation ? expansion : 0,
      slopeAbove: allowsAttenuation ? compression : 0
    ) { level in
      let found =
        level > target.decibels
        ? gain + compression * (level - target.decibels)
        : greatest + (gain - greatest) * max(0, level - knee) / distance
          - expansion * max(0, knee - expansionDepth - level)
      return allowsAttenuation ? found : max(0, found)
    }
  }
}

/// Gain that ``NALRPCompressive`` adds for soft speech, S(40), to that for ordinary speech, S(65).
public enum LowLevelAddition: String, Sendable, CaseIterable, Codable {
  /// No more than the loss of loudness asks for: nothing up to 20 dB HL, from there 0.4 dB per dB of
  /// threshold, until the compression ratio's own addition is reached.
  ///
  /// FIG6 (Killion & Fikret-Pasa 1993, The Hearing Journal 46(11):31–34; formula from memory) gives an ear
  /// of 20 to 60 dB HL a gain of H − 20 for sounds of 40 dB SPL and of 0.6·(H − 20) for sounds of 65 dB
  /// SPL, and none below 20 dB HL: 0.4·(H − 20) more for the soft ones.
  case byThreshold
  /// All that the compression ratio makes of the 25 dB in between, whatever the threshold: versions 1 and 2
  /// of the rule. At a ratio of 2 that is 12.5 dB, for a healthy ear too.
  case byRatio

  /// Threshold up to which nothing is added, dB HL: FIG6's.
  static let leastThreshold = 20.0

  /// Addition per dB of threshold above ``leastThreshold``: FIG6's H − 20 less its 0.6·(H − 20).
  static let thresholdShare = 0.4

  /// The addition at a threshold, dB, not negative.
  ///
  /// - Parameters:
  ///   - whole: Addition by the compression ratio over the distance from S(65) to S(40), dB.
  ///   - threshold: H, dB HL.
  func gain(of whole: Double, threshold: Double) -> Double {
    switch self {
    case .byThreshold: min(whole, Self.thresholdShare * max(0, threshold - Self.leastThreshold))
    case .byRatio: whole
    }
  }
}
