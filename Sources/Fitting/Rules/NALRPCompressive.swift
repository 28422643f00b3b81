public import Acoustics

/// NAL-RP made level-dependent: right for ordinary speech, more for soft sounds, less for loud ones.
///
/// In each band, with S(L) the band level of speech (``LongTermAverageSpeechSpectrum``) at L overall:
/// * at S(65) the gain is that of ``NALRP``;
/// * above S(40) the gain changes by 1/CR − 1 dB per dB;
/// * between the expansion knee, ``expansionDepth`` below S(40), and S(40) it is constant;
/// * below the expansion knee it falls by ER − 1 dB per dB, so that the noise of room and microphone is not
///   lifted.
///
/// Down to S(40) this is the rule openMHA 4.18 ships as `gainrule_CRvar_NALRP`. The expansion is our own
/// choice: soft-speech minima lie some 12–15 dB below its average, so depth 12 dB spares them.
/// Unless ``allowsAttenuation``, the gain never falls below 0 dB: the aid does not make a sound softer than
/// without it, at either end.
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
  public static let standard = NALRPCompressive(
    checked: 2, expansionRatio: 1.5, expansionDepth: 12, allowsAttenuation: false,
    lowEdge: .heldTo125Hertz, edge: .heldAboveSixKilohertz)

  /// Input change over output change above the knee.
  public let compressionRatio: Double
  /// Output change over input change below the expansion knee; 1 switches expansion off.
  public let expansionRatio: Double
  /// From the compression knee down to the expansion knee, dB.
  public let expansionDepth: Double
  /// Whether the gain may fall below 0 dB.
  public let allowsAttenuation: Bool
  /// What happens below 250 Hz.
  public let lowEdge: LowFrequencyEdge
  /// What happens above 6 kHz.
  public let edge: HighFrequencyEdge

  /// Creates the rule.
  ///
  /// - Throws: ``FittingError`` naming the parameter out of range.
  public init(
    compressionRatio: Double = 2, expansionRatio: Double = 1.5, expansionDepth: Double = 12,
    allowsAttenuation: Bool = false, lowEdge: LowFrequencyEdge = .heldTo125Hertz,
    edge: HighFrequencyEdge = .heldAboveSixKilohertz
  ) throws(FittingError) {
    guard Self.compressionRatios.contains(compressionRatio) else {
      throw .compressionRatioOutOfRange(compressionRatio)
    }
    guard Self.expansionRatios.contains(expansionRatio) else {
      throw .expansionRatioOutOfRange(expansionRatio)
    }
    guard Self.expansionDepths.contains(expansionDepth) else {
      throw .expansionDepthOutOfRange(expansionDepth)
    }
    self.init(
      checked: compressionRatio, expansionRatio: expansionRatio, expansionDepth: expansionDepth,
      allowsAttenuation: allowsAttenuation, lowEdge: lowEdge, edge: edge)
  }

  private init(
    checked compressionRatio: Double, expansionRatio: Double, expansionDepth: Double,
    allowsAttenuation: Bool, lowEdge: LowFrequencyEdge, edge: HighFrequencyEdge
  ) {
    self.compressionRatio = compressionRatio
    self.expansionRatio = expansionRatio
    self.expansionDepth = expansionDepth
    self.allowsAttenuation = allowsAttenuation
    self.lowEdge = lowEdge
    self.edge = edge
  }

  public var name: String {
    let rule = lowEdge == .falling ? "NAL-RP version 1" : "NAL-RP"
    return "\(rule), compression \(compressionRatio):1"
  }

  public func curves(
    for audiogram: Audiogram, bands: BandLayout
  ) throws(FittingError) -> [GainCurve] {
    let targets = try NALRP(lowEdge: lowEdge, edge: edge).insertionGains(for: audiogram, at: bands.centres)
    return targets.indices.map { band in
      let (low, high) = (bands.edges[band], bands.edges[band + 1])
      let target = LongTermAverageSpeechSpectrum.bandLevel(
        from: low, to: high, overall: Self.targetSpeechLevel)
      guard target.decibels.isFinite else { return GainCurve(unchangingGain: targets[band]) }
      return curve(gain: targets[band], at: target)
    }
  }

  /// The curve of one band whose speech level at 65 dB overall is `target`.
  func curve(gain: Double, at target: SoundPressureLevel) -> GainCurve {
    let compression = 1 / compressionRatio - 1
    let expansion = expansionRatio - 1
    let knee = target - (Self.targetSpeechLevel - Self.kneeSpeechLevel)
    let greatest = gain + compression * (knee - target)
    var knots = [GainCurve.Knot(level: knee, gain: greatest)]
    if expansion > 0 {
      if expansionDepth > 0 { knots.insert(.init(level: knee - expansionDepth, gain: greatest), at: 0) }
    }
    guard !allowsAttenuation else {
      return GainCurve(checked: knots, slopeBelow: expansion, slopeAbove: compression)
    }
    // The rule's gain at S(65) is never negative, so neither is the greatest; both ends stop at 0 dB.
    guard greatest > 0 else { return GainCurve(unchangingGain: 0) }
    if expansion > 0 {
      knots.insert(.init(level: knots[0].level - greatest / expansion, gain: 0), at: 0)
    }
    if compression < 0 { knots.append(.init(level: knee - greatest / compression, gain: 0)) }
    return GainCurve(checked: knots)
  }
}
