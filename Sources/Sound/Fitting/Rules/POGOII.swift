public import Acoustics

/// POGO II, "prescription of gain and output" for losses up to the profound.
///
/// IG(f) = 0.5 H(f) + 0.5 max(0, H(f) − 65) + k(f), clipped at 0 dB; k = −10 dB at 250 Hz and −5 dB at
/// 500 Hz. McCandless & Lyregaard (1983), Hearing Instruments 34(1):16–21; the term above 65 dB HL by
/// Schwartz, Lyregaard & Lundh (1988), Hearing Journal 41(2):13–17. Not stated there and decided here:
/// k = −7.5 dB at 375 Hz and 0 dB from 750 Hz up, linear over log frequency between; below 250 Hz the gain
/// falls to 0 dB at 50 Hz. The gain is the same at all levels. Any one threshold is enough.
public struct POGOII: LinearRule, Hashable {
  /// Gain per dB of threshold, and once more per dB above ``severeLevel``.
  static let share = 0.5

  /// Threshold above which each dB is made up for in full, dB HL.
  static let severeLevel = 65.0

  /// k(f), dB.
  static let correction = LogFrequencyTable([250, 375, 500, 750], [-10, -7.5, -5, 0])

  public init() {}

  public var name: String { "POGO II" }

  public func insertionGains(
    for audiogram: Audiogram, at frequencies: [Double]
  ) throws(FittingError) -> [Double] {
    var gains: [Double] = []
    for frequency in frequencies {
      let defined = max(frequency, Self.correction.range.lowerBound)
      let gain = max(0, try Self.unclippedGain(for: audiogram, at: defined))
      let fall = LogFrequencyTable([NALFrequencies.lowestFrequency, defined], [0, gain])
      gains.append(fall.held(at: frequency))
    }
    return gains
  }

  /// The bare formula at a frequency from 250 Hz up, dB; negative where the rule asks for no gain.
  public static func unclippedGain(
    for audiogram: Audiogram, at frequency: Double
  ) throws(FittingError) -> Double {
    guard let threshold = audiogram.threshold(at: frequency)?.decibels else {
      throw .insufficientThresholds(measured: [])
    }
    return share * threshold + share * max(0, threshold - severeLevel) + correction.held(at: frequency)
  }
}
