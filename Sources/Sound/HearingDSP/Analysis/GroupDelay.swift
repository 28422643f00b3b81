public import Acoustics
import Glibc

/// The delay that a minimum-phase gain window adds to the block, by frequency.
///
/// The phase is linear in the band gains, and so is the group delay −dφ/dω.
///
/// - Threads: `control`.
public struct GroupDelay {
  private let basis: MinimumPhaseBasis
  private let binWidth: Double

  /// - Throws: ``ChainError/noPlan(length:)``.
  public init(bands: BandLayout, geometry: ChainGeometry) throws(ChainError) {
    basis = try MinimumPhaseBasis(bands: bands, geometry: geometry)
    binWidth = geometry.sampleRate / Double(geometry.filterLength)
  }

  /// Group delay at a frequency, s; negative where the window's phase leads.
  ///
  /// - Parameters:
  ///   - gains: Gain of each band, dB.
  ///   - frequency: Hz, between the first and the last but one bin.
  public func delay(gains: [Double], at frequency: Double) -> Double {
    let bin = min(max(Int((frequency / binWidth).rounded()), 1), basis.phase[0].count - 2)
    let nepers = log(10.0) / 20
    var slope = 0.0
    for (band, gain) in gains.enumerated() {
      slope += gain * nepers * (basis.phase[band][bin + 1] - basis.phase[band][bin - 1]) / 2
    }
    return -slope / (2 * .pi * binWidth)
  }
}
