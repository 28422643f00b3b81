public import Acoustics

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
