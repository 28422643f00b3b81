public import Acoustics

/// CAMEQ, the Cambridge formula with compression: the softest parts of ordinary speech just audible, its
/// average where ``CambridgeLinear`` has it.
///
/// Moore, Glasberg & Stone (1999), British Journal of Audiology 33:157–170, as openMHA 4.18
/// (`gainrule_camfit_compr`) and pyclarity 0.9.0 build it. In each band, with S the band level of speech at
/// 65 dB SPL overall, H the threshold in dB HL and T that of normal ears in dB SPL (ISO 226):
/// * Lmin = S − 38, the softest parts; their gain Gmin = H + T − Lmin lifts them to threshold;
/// * Gmid at S is the linear formula's gain;
/// * CR = max(1, 38 / max(13, (S + Gmid) − (Lmin + Gmin))), hence at most 2.92;
/// * G(L) = (L − Lmin)/CR + Lmin + Gmin − L, never below 0 dB, and no higher than lets L + G be 100 dB SPL.
///
/// Above 6 kHz (``highestFrequency``) the gain for speech of each level is that at 6 kHz: thresholds there are
/// seldom measured and normal ears' own rise, so that the formula, which states 5 kHz at most, would lift the
/// bands from 8 kHz up above all others.
/// The published formula has no lower end. Here it ends at the ``gate``, below which the gain falls by 1 dB
/// per dB down to 0 dB, and no gain exceeds ``greatestGain``. A band without speech power (entirely outside
/// 56 Hz–17.8 kHz) gets the linear gain at all levels.
public struct CambridgeCompressive: FittingRule, Hashable {
  /// Below which band level the gain falls again.
  public enum Gate: Sendable, Hashable {
    /// The band level of speech at 40 dB SPL overall, but no more than 45 dB SPL. For any layout of bands.
    case softSpeech
    /// 45 dB SPL in every band: openMHA's default, meant for its nine wide bands. In twenty narrower ones
    /// it would take gain from ordinary speech from 2 kHz up, and most of it from soft speech.
    case fixed
    /// The formula goes on to silence.
    case none
  }

  /// From the average of ordinary speech to its softest parts, dB.
  static let minimaDistance = 38.0

  /// Least range of output, dB, into which the ``minimaDistance`` is compressed.
  static let leastOutputRange = 13.0

  /// Band output above which no gain is given, dB SPL.
  static let greatestOutput = 100.0

  /// ``Gate/fixed``, dB SPL.
  static let fixedGate = 45.0

  /// Greatest gain at any level, dB: that of explicit tables. Own choice.
  static let greatestGain = TargetTable.gains.upperBound

  /// Overall speech level of the formula.
  static let speechLevel = SoundPressureLevel(65)

  /// Overall level of soft speech for ``Gate/softSpeech``; where ``NALRPCompressive`` has its knee.
  static let softSpeechLevel = NALRPCompressive.kneeSpeechLevel

  public let gate: Gate

  /// Up to which frequency the formula is used, Hz; openMHA uses it everywhere.
  public let highestFrequency: Double

  public init(gate: Gate = .softSpeech, highestFrequency: Double = 6000) {
    self.gate = gate
    self.highestFrequency = highestFrequency
  }

  public var name: String { "CAMEQ (Cambridge formula, compressive)" }

  public func curves(
    for audiogram: Audiogram, bands: BandLayout
  ) throws(FittingError) -> [GainCurve] {
    let places = bands.centres.map { min($0, highestFrequency) }
    let linear = try CambridgeLinear().insertionGains(for: audiogram, at: places)
    return bands.centres.indices.map { band in
      let speech = bands.speechLevel(inBand: band, overall: Self.speechLevel)
      // The linear formula has refused an audiogram without thresholds.
      guard speech.decibels.isFinite, let loss = audiogram.threshold(at: places[band]) else {
        return GainCurve(unchangingGain: linear[band])
      }
      // Speech at the place of the formula, in a band as wide in octaves; beyond the place, the threshold
      // moves along with it, so that speech there gets the same gain.
      let reach = bands.centres[band] / max(bands.edges[band], bands.centres[band] / 2)
      let there = LongTermAverageSpeechSpectrum.bandLevel(
        from: places[band] / reach, to: places[band] * reach, overall: Self.speechLevel)
      let moved = places[band] < bands.centres[band] ? speech - there : 0
      let threshold = HearingThreshold.level(at: places[band]) + loss.decibels + moved
      return curve(gain: linear[band], speech: speech, threshold: threshold)
    }
  }

  /// Input change over output change of the band.
  ///
  /// - Parameters:
  ///   - gain: Gmid, dB.
  ///   - speech: S, band level of speech at 65 dB SPL overall.
  ///   - threshold: H + T.
  static func compressionRatio(
    gain: Double, speech: SoundPressureLevel, threshold: SoundPressureLevel
  ) -> Double {
    max(1, minimaDistance / max(leastOutputRange, speech + gain - threshold))
  }

  /// The curve of one band; parameters as of ``compressionRatio(gain:speech:threshold:)``.
  func curve(
    gain: Double, speech: SoundPressureLevel, threshold: SoundPressureLevel
  ) -> GainCurve {
    let minima = speech.decibels - Self.minimaDistance
    let slope = 1 / Self.compressionRatio(gain: gain, speech: speech, threshold: threshold) - 1
    // At the minima the output is at threshold.
    let formula = { (level: Double) in threshold.decibels - minima + slope * (level - minima) }
    let limited = { (level: Double) in
      max(0, min(formula(level), Self.greatestOutput - level, Self.greatestGain))
    }
    let atMinima = threshold.decibels - minima
    // Where two of the lines meet: the formula with 0 dB, with the greatest gain and with the greatest
    // output, the greatest output with the greatest gain and with 0 dB. Those at infinity drop out.
    var levels = [
      minima - atMinima / slope, minima + (Self.greatestGain - atMinima) / slope,
      (Self.greatestOutput - atMinima + slope * minima) / (1 + slope),
      Self.greatestOutput - Self.greatestGain, Self.greatestOutput,
    ]
    guard let knee = knee(speech) else { return GainCurve(joining: levels, limited) }
    let foot = knee - limited(knee)
    levels = levels.filter { $0 > knee } + [knee, foot]
    return GainCurve(joining: levels) { level in
      level < knee ? max(0, level - foot) : limited(level)
    }
  }

  /// Level of the gate in a band, dB SPL.
  private func knee(_ speech: SoundPressureLevel) -> Double? {
    switch gate {
    case .softSpeech:
      min(Self.fixedGate, speech.decibels - (Self.speechLevel - Self.softSpeechLevel))
    case .fixed: Self.fixedGate
    case .none: nil
    }
  }
}
