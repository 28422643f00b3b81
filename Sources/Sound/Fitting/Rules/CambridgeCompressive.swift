import Acoustics
import Glibc

/// CAMEQ, the Cambridge formula with compression: the softest parts of ordinary speech just audible, its
/// average where ``CambridgeLinear`` has it.
///
/// Moore, Glasberg & Stone (1999), British Journal of Audiology 33:157–170, as openMHA 4.18
/// (`gainrule_camfit_compr`) and pyclarity 0.9.0 build it. In each band, with S the band level of speech at
/// 65 dB SPL overall, H the threshold in dB HL and T that of normal ears in dB SPL (ISO 226): * Lmin = S −
/// 38, the softest parts; their gain Gmin = H + T − Lmin lifts them to threshold; * Gmid at S is the linear
/// formula's gain; * CR = max(1, 38 / max(13, (S + Gmid) − (Lmin + Gmin))), hence at most 2.92; * G(L) = (L
/// − Lmin)/CR + Lmin + Gmin − L, never below 0 dB, and no higher than lets L + G be 100 dB SPL.
///
/// Above 6 kHz (``highestFrequency``) the gain for speech of each level is that at 6 kHz: thresholds there
/// are seldom measured and normal ears' own rise, so that the formula, which states 5 kHz at most, would
/// lift the bands from 8 kHz up above all others. Where normal ears do not hear the softest parts either (T
/// > Lmin, around 125 Hz), these are lifted by the loss and no further (``Minima``): the published formula
/// gives 0 dB HL 5 dB there. S is the level in a band three quarters of an octave wide around the centre,
/// whatever the width of the layout's own (``Reference``): the minima lie a fixed distance below S, so the
/// formula asks for more gain the less speech a band holds. The published formula has no lower end. Here it
/// ends at the ``gate``, below which the gain falls by 1 dB per dB down to 0 dB, and no gain exceeds
/// ``greatestGain``. A band without speech power (entirely outside 56 Hz–17.8 kHz) gets the linear gain at
/// all levels.
struct CambridgeCompressive: FittingRule, Hashable {
  /// Below which band level the gain falls again.
  enum Gate: Sendable, Hashable {
    /// The band level of speech at 40 dB SPL overall, but no more than 45 dB SPL. For any layout of bands.
    case softSpeech
    /// 45 dB SPL in every band of the ``Reference``: openMHA's default. It takes gain from soft speech from
    /// 2 kHz up; read in twenty narrow bands, from ordinary speech too.
    case fixed
    /// The formula continues to silence.
    case none
  }

  /// In which bands the formula reads speech.
  enum Reference: Sendable, Hashable {
    /// Around each centre in a band of ``Reference/width``. The curve is then moved to the layout's own
    /// band by the difference between the two in speech, so that speech gets the published gain in bands of
    /// any width.
    case wideBands
    /// In the layout's own bands: version 1 of the rule, which gives speech some 5 dB more than published
    /// where twenty bands are narrow and the ratio is at its end.
    case ownBands

    /// Octaves from edge to edge of a wide band: the nine bands between 177 and 11314 Hz of openMHA 4.18's
    /// example of this rule, which all its vectors are for.
    static let width = 0.75
  }

  /// Level to which the softest parts of speech are lifted.
  enum Minima: Sendable, Hashable {
    /// To the ear's threshold, but by no more than its loss: to where normal ears have them.
    case byLoss
    /// To the ear's threshold wherever that lies, as published: versions 1 and 2 of the rule.
    case toThreshold
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

  /// Treatment of soft sounds.
  var gate = Gate.softSpeech

  /// Spectrum of speech that the rule refers to.
  var reference = Reference.wideBands

  /// Treatment of gains below 0 dB.
  var minima = Minima.byLoss

  /// Up to which frequency the formula is used, Hz; openMHA uses it everywhere.
  var highestFrequency = 6000.0

  var name: String {
    switch (reference, minima) {
    case (.wideBands, .byLoss): "CAMEQ (Cambridge formula, compressive)"
    case (.wideBands, .toThreshold): "CAMEQ version 2 (Cambridge formula, compressive)"
    case (.ownBands, _): "CAMEQ version 1 (Cambridge formula, compressive)"
    }
  }

  func curves(for audiogram: Audiogram, bands: BandLayout) throws(FittingError) -> [GainCurve] {
    let places = bands.centres.map { min($0, highestFrequency) }
    let linear = try CambridgeLinear().insertionGains(for: audiogram, at: places)
    return bands.centres.indices.map { band in
      let own = bands.speechLevel(inBand: band, overall: Self.speechLevel)
      // The linear formula has refused an audiogram without thresholds.
      guard own.decibels.isFinite, let loss = audiogram.threshold(at: places[band]) else {
        return GainCurve(unchangingGain: linear[band])
      }
      let threshold = HearingThreshold.level(at: places[band]) + loss.decibels
      switch reference {
      case .wideBands:
        let wide = Self.speech(at: places[band], reach: pow(2, Reference.width / 2))
        let heard = min(threshold, wide - Self.minimaDistance + loss.decibels)
        // An own band wider than the reference must not become louder than the reference may.
        let output = Self.greatestOutput - max(0, own - wide)
        return curve(
          gain: linear[band], speech: wide, threshold: minima == .byLoss ? heard : threshold,
          greatestOutput: output
        ).moved(by: own - wide)
      case .ownBands:
        // Speech at the place of the formula, in a band as wide in octaves; beyond the place, the threshold
        // moves along with it, so that speech there gets the same gain.
        let reach = bands.centres[band] / max(bands.edges[band], bands.centres[band] / 2)
        let there = Self.speech(at: places[band], reach: reach)
        let moved = places[band] < bands.centres[band] ? own - there : 0
        return curve(gain: linear[band], speech: own, threshold: threshold + moved)
      }
    }
  }

  /// Level of ordinary speech from `frequency` / `reach` to `frequency` · `reach`.
  private static func speech(at frequency: Double, reach: Double) -> SoundPressureLevel {
    LongTermAverageSpeechSpectrum.bandLevel(
      from: frequency / reach, to: frequency * reach, overall: speechLevel)
  }

  /// Input change over output change of the band.
  ///
  /// - Parameters:
  ///   - gain: Gmid, dB.
  ///   - speech: S, band level of speech at 65 dB SPL overall.
  ///   - threshold: H + T.
  static func compressionRatio(
    gain: Double, speech: SoundPressureLevel, threshold: SoundPressureLevel
  ) -> Double { max(1, minimaDistance / max(leastOutputRange, speech + gain - threshold)) }

  /// The curve of one band; parameters as of ``compressionRatio(gain:speech:threshold:)``.
  func curve(
    gain: Double, speech: SoundPressureLevel, threshold: SoundPressureLevel,
    greatestOutput: Double = Self.greatestOutput
  ) -> GainCurve {
    let minima = speech.decibels - Self.minimaDistance
    let slope = 1 / Self.compressionRatio(gain: gain, speech: speech, threshold: threshold) - 1
    // At the minima the output is at threshold.
    let formula = { (level: Double) in threshold.decibels - minima + slope * (level - minima) }
    let limited = { (level: Double) in
      max(0, min(formula(level), greatestOutput - level, Self.greatestGain))
    }
    let atMinima = threshold.decibels - minima
    // Where two of the lines meet: the formula with 0 dB, with the greatest gain and with the greatest
    // output, the greatest output with the greatest gain and with 0 dB. Those at infinity drop out.
    var levels = [
      minima - atMinima / slope, minima + (Self.greatestGain - atMinima) / slope,
      (greatestOutput - atMinima + slope * minima) / (1 + slope), greatestOutput - Self.greatestGain,
      greatestOutput,
    ]
    guard let knee = knee(speech) else { return GainCurve(joining: levels, limited) }
    let foot = knee - limited(knee)
    levels = levels.filter { $0 > knee } + [knee, foot]
    return GainCurve(joining: levels) { $0 < knee ? max(0, $0 - foot) : limited($0) }
  }

  /// Level of the gate in a band, dB SPL.
  private func knee(_ speech: SoundPressureLevel) -> Double? {
    switch gate {
    case .softSpeech: min(Self.fixedGate, speech.decibels - (Self.speechLevel - Self.softSpeechLevel))
    case .fixed: Self.fixedGate
    case .none: nil
    }
  }
}
