public import Acoustics

/// The Cambridge formula, linear: speech bands equally loud, the whole comfortably so.
///
/// IG(f) = 0.48 H(f) + INT(f), clipped at 0 dB; Moore & Glasberg (1998), British Journal of Audiology
/// 32:317–335, intercepts as tabulated in openMHA 4.18. Both terms are interpolated over log frequency
/// before clipping. The intercepts are stated from 125 Hz to 5 kHz and held beyond, the thresholds held
/// beyond the measured ones. The gain is the same at all levels. Any one threshold is enough.
public struct CambridgeLinear: LinearRule, Hashable {
  /// Gain per dB of threshold.
  static let share = 0.48

  /// INT(f), dB.
  static let intercepts = LogFrequencyTable(
    [125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 5000], [-11, -10, -8, -6, 0, -1, 1, -1, 0, 1])

  public init() {}

  public var name: String { "Cambridge formula, linear" }

  public func insertionGains(
    for audiogram: Audiogram, at frequencies: [Double]
  ) throws(FittingError) -> [Double] {
    var gains: [Double] = []
    for frequency in frequencies {
      guard let threshold = audiogram.threshold(at: frequency) else {
        throw .insufficientThresholds(measured: [])
      }
      gains.append(max(0, Self.share * threshold.decibels + Self.intercepts.held(at: frequency)))
    }
    return gains
  }
}
