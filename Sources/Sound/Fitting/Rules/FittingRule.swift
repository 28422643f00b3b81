public import Acoustics
import Base

/// A way to turn an audiogram into gain.
///
/// - Threads: control.
public protocol FittingRule: Sendable {
  /// Name as printed on a prescription.
  var name: String { get }

  /// One gain curve per band of `bands`, for the ear of `audiogram`.
  ///
  /// - Throws: ``FittingError/insufficientThresholds(measured:)`` when the audiogram has too few points.
  func curves(for audiogram: Audiogram, bands: BandLayout) throws(FittingError) -> [GainCurve]
}

/// A rule whose gain is the same at all levels.
public protocol LinearRule: FittingRule {
  /// Insertion gain, dB, at any frequencies, Hz.
  ///
  /// - Throws: ``FittingError/insufficientThresholds(measured:)`` when the audiogram has too few points.
  func insertionGains(for audiogram: Audiogram, at frequencies: [Double]) throws(FittingError) -> [Double]
}

extension LinearRule {
  public func curves(
    for audiogram: Audiogram, bands: BandLayout
  ) throws(FittingError) -> [GainCurve] {
    try insertionGains(for: audiogram, at: bands.centres).map(GainCurve.init(unchangingGain:))
  }
}

/// Why a rule gives no gain for an ear, or cannot be set up.
public enum FittingError: Error, Equatable {
  /// Air-conduction thresholds do not reach from 500 to 2000 Hz, where the rule takes its average;
  /// `measured` lists the frequencies there are, Hz.
  case insufficientThresholds(measured: [Double])
  /// A compression ratio outside 1…3.
  case compressionRatioOutOfRange(Double)
  /// An expansion ratio outside 1…4.
  case expansionRatioOutOfRange(Double)
  /// An expansion depth, dB from the compression knee down to the expansion knee, outside 0…40.
  case expansionDepthOutOfRange(Double)
  /// An output ceiling outside 60…120 dB SPL.
  case ceilingOutOfRange(Double)
}

extension FittingError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .insufficientThresholds(let measured):
      (measured.isEmpty
        ? "no air-conduction thresholds: "
        : "air-conduction thresholds at \(measured.map(\.shortText).joined(separator: ", ")) Hz: ")
        + "expected one at or below 500 Hz, one at or above 2000 Hz"
    case .compressionRatioOutOfRange(let ratio): "compression ratio \(ratio.shortText): expected 1 to 3"
    case .expansionRatioOutOfRange(let ratio): "expansion ratio \(ratio.shortText): expected 1 to 4"
    case .expansionDepthOutOfRange(let depth): "expansion depth \(depth.shortText) dB: expected 0 to 40 dB"
    case .ceilingOutOfRange(let ceiling):
      "output ceiling \(ceiling.shortText) dB SPL: expected 60 to 120 dB SPL"
    }
  }
}
