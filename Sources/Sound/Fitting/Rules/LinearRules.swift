import Acoustics

/// The Cambridge formula, linear: speech bands equally loud, the whole comfortably so.
///
/// IG(f) = 0.48 H(f) + INT(f), clipped at 0 dB; Moore & Glasberg (1998), British Journal of Audiology
/// 32:317–335, intercepts as tabulated in openMHA 4.18. Both terms are interpolated over log frequency
/// before clipping. The intercepts are stated from 125 Hz to 5 kHz and held beyond, the thresholds held
/// beyond the measured ones. The gain is the same at all levels. Any one threshold is enough.
struct CambridgeLinear: LinearRule, Hashable {
  /// Gain per dB of threshold.
  static let share = 0.48

  /// INT(f), dB.
  static let intercepts = LogFrequencyTable(
    [125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 5000], [-11, -10, -8, -6, 0, -1, 1, -1, 0, 1])

  var name: String { "Cambridge formula, linear" }

  func insertionGains(for audiogram: Audiogram, at frequencies: [Double]) throws(FittingError) -> [Double] {
    try frequencies.map { frequency throws(FittingError) in
      max(0, Self.share * (try audiogram.loss(at: frequency)) + Self.intercepts.held(at: frequency))
    }
  }
}

/// POGO II, "prescription of gain and output" for losses up to the profound.
///
/// IG(f) = 0.5 H(f) + 0.5 max(0, H(f) − 65) + k(f), clipped at 0 dB; k = −10 dB at 250 Hz and −5 dB at
/// 500 Hz. McCandless & Lyregaard (1983), Hearing Instruments 34(1):16–21; the term above 65 dB HL by
/// Schwartz, Lyregaard & Lundh (1988), Hearing Journal 41(2):13–17. Not stated there and decided here:
/// k = −7.5 dB at 375 Hz and 0 dB from 750 Hz up, linear over log frequency between; below 250 Hz the gain
/// falls to 0 dB at 50 Hz. The gain is the same at all levels. Any one threshold is enough.
struct POGOII: LinearRule, Hashable {
  /// Gain per dB of threshold, and once more per dB above ``severeLevel``.
  static let share = 0.5

  /// Threshold above which each dB is made up for in full, dB HL.
  static let severeLevel = 65.0

  /// k(f), dB.
  static let correction = LogFrequencyTable([250, 375, 500, 750], [-10, -7.5, -5, 0])

  var name: String { "POGO II" }

  func insertionGains(for audiogram: Audiogram, at frequencies: [Double]) throws(FittingError) -> [Double] {
    try frequencies.map { frequency throws(FittingError) in
      let defined = max(frequency, Self.correction.range.lowerBound)
      let gain = max(0, try Self.unclippedGain(for: audiogram, at: defined))
      return LogFrequencyTable([NALR.lowestFrequency, defined], [0, gain]).held(at: frequency)
    }
  }

  /// The bare formula at a frequency from 250 Hz up, dB; negative where the rule asks for no gain.
  static func unclippedGain(for audiogram: Audiogram, at frequency: Double) throws(FittingError) -> Double {
    let threshold = try audiogram.loss(at: frequency)
    return share * threshold + share * max(0, threshold - severeLevel) + correction.held(at: frequency)
  }
}

/// Softest tone that young normal ears hear in a free field, dB SPL by frequency: T(f) of ISO 226:2003.
///
/// Values as tabulated in openMHA 4.18 and pyclarity 0.9.0, which name ISO 226:2003 up to 12.5 kHz and
/// ISO 389-7:2005 above; they are those of the transducer `free-field` at the third-octave frequencies.
/// Read between them as both programs do: linear over frequency, not over its logarithm.
enum HearingThreshold {
  private static let frequencies: [Double] = [
    20, 25, 31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000,
    2500, 3150, 4000, 5000, 6300, 8000, 10_000, 12_500, 14_000, 16_000, 18_000,
  ]

  private static let levels: [Double] = [
    78.5, 68.7, 59.5, 51.1, 44, 37.5, 31.5, 26.5, 22.1, 17.9, 14.4, 11.4, 8.6, 6.2, 4.4, 3, 2.2, 2.4, 3.5,
    1.7, -1.3, -4.2, -6, -5.4, -1.5, 6, 12.6, 13.9, 12.3, 18.4, 40.2, 73.2,
  ]

  /// T at `frequency`, Hz; that of the nearest end outside 20 Hz–18 kHz.
  static func level(at frequency: Double) -> SoundPressureLevel {
    guard let next = frequencies.firstIndex(where: { $0 >= frequency }) else {
      return SoundPressureLevel(levels[levels.count - 1])
    }
    guard next > 0 else { return SoundPressureLevel(levels[0]) }
    let share = (frequency - frequencies[next - 1]) / (frequencies[next] - frequencies[next - 1])
    return SoundPressureLevel(levels[next - 1] + share * (levels[next] - levels[next - 1]))
  }
}

/// Half gain, the oldest rule: as much gain as half the threshold (Lybarger), never below 0 dB.
///
/// Thresholds between measured frequencies are interpolated, beyond them held; any one point is enough.
struct HalfGain: LinearRule, Hashable {
  var name: String { "half gain" }

  func insertionGains(for audiogram: Audiogram, at frequencies: [Double]) throws(FittingError) -> [Double] {
    try frequencies.map { frequency throws(FittingError) in max(0, try audiogram.loss(at: frequency) / 2) }
  }
}

extension Audiogram {
  /// Threshold at any frequency, dB HL.
  ///
  /// - Throws: ``FittingError/insufficientThresholds(measured:)`` without any air-conduction threshold.
  fileprivate func loss(at frequency: Double) throws(FittingError) -> Double {
    guard let threshold = threshold(at: frequency) else { throw .insufficientThresholds(measured: []) }
    return threshold.decibels
  }
}
