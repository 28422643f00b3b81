import Acoustics
import Fitting

/// Prescribes one gain for each ear at all frequencies and levels.
struct FlatRule: FittingRule {
  /// Gain of the left and the right ear, dB; the ear is told by its threshold at 1 kHz where they differ.
  var gain: Binaural<Double>
  var name: String { "flat" }

  func curves(for audiogram: Audiogram, bands: BandLayout) throws(FittingError) -> [GainCurve] {
    let isRight = audiogram == Self.rightEar
    guard let curve = try? GainCurve(linear: isRight ? gain.right : gain.left) else {
      throw .insufficientThresholds(measured: [])
    }
    return bands.centres.map { _ in curve }
  }

  /// An audiogram by which the right ear is known.
  static let rightEar = StandardAudiogram.n2.audiogram
}
