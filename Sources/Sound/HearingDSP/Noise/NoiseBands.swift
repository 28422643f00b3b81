import Acoustics
import Glibc
import Realtime

/// What noise estimation and reduction need to know of the bands: how much a power of steady noise fluctuates in
/// each, and what was learnt of voices in noise.
///
/// - Threads: built on `control`, read on `audio`.
struct NoiseBands: ~Copyable {
  /// Prior signal-to-noise ratio of the bands that are taken to hold speech, dB. Gerkmann & Hendriks (2012)
  /// have 15 dB for single bins; here a power is the mean of several, so a lower ratio tells speech from
  /// noise as surely, and leaks less speech into the estimate.
  static let priorRatio = 10.0
  /// Time over which powers are smoothed before speech is looked for, s.
  static let smoothing = 0.005
  /// Most degrees of freedom counted: beyond it the decision is hard anyhow.
  private static let mostFreedom = 16.0

  let count: Int
  /// Columns per row: bands rounded up to whole vectors.
  let stride: Int
  /// Factor of the posterior ratio in the likelihood's exponent, octaves: `K ξ/(1 + ξ) · log₂ e`.
  let slope: AlignedBuffer<Float>
  /// What is taken from it, octaves: `K log₂(1 + ξ)`.
  let offset: AlignedBuffer<Float>
  /// What tells how much noise prevails in a band.
  let model: NoiseModel

  init(_ layout: BandLayout, geometry: ChainGeometry) {
    count = layout.count
    stride = (layout.count + 7) / 8 * 8
    model = NoiseModel(bandCount: layout.count, stride: stride)
    slope = AlignedBuffer(count: stride)
    offset = AlignedBuffer(count: stride)
    let ratio = pow(10, Self.priorRatio / 10)
    for band in 0..<stride {
      let freedom = band < count ? Self.freedom(layout, band, geometry: geometry) : 1
      unsafe slope.pointer[band] = Float(freedom * ratio / (1 + ratio) * log2(M_E))
      unsafe offset.pointer[band] = Float(freedom * log2(1 + ratio))
    }
  }

  /// Complex degrees of freedom counted of a smoothed band power: half the bandwidth times the time it is taken
  /// over, which is 0.514 of a Hann window, (Σw²)²/Σw⁴, and twice the time constant of the smoothing. Half, because
  /// speech and noise are not even within a band.
  static func freedom(_ layout: BandLayout, _ band: Int, geometry: ChainGeometry) -> Double {
    let upper = min(layout.edges[band + 1], geometry.sampleRate / 2)
    let length =
      layout.centres[band] >= ChainGeometry.crossover ? geometry.analysisLength : geometry.filterLength
    let time = 0.514 * Double(length) / geometry.sampleRate + 2 * smoothing
    return min(max(1, 0.5 * (upper - layout.edges[band]) * time), mostFreedom)
  }
}
