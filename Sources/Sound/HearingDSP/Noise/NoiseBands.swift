import Acoustics
import Glibc
import Realtime

/// Constants of the bands for the estimation and reduction of noise: fluctuation of a power of steady noise
/// in each, and the trained model.
///
/// - Threads: built on `control`, read on `audio`.
struct NoiseBands: ~Copyable {
  /// Prior signal-to-noise ratio of bands that hold speech, dB. Gerkmann & Hendriks (2012) have 15 dB for
  /// single bins; here a power is the mean of several, so a lower ratio separates speech from noise as
  /// surely, and leaks less speech into the estimate.
  static let priorRatio = 2.0
  /// Time constant of powers before the decision on speech, s.
  static let smoothing = 0.012
  /// Most degrees of freedom counted: beyond it the decision is certain anyhow.
  private static let mostFreedom = 16.0
  /// Time that a Hann window's power is taken over, as a share of the window: (Σw²)²/Σw⁴.
  private static let windowTime = 0.514
  /// Level by which ``NoisePower`` would find steady noise too low, dB, per unit of its fluctuation; by which the third least of
  /// ``NoiseFloor`` lies below it, per unit of that of its smoothed power; and how much lower the floor is kept, so that steady noise is
  /// hardly raised by it. Measured on white noise in the bands of `BandLayout.standard`, from which the first two differ by 0.2
  /// and 0.1 dB at most.
  private static let bias = 2.35
  private static let floorBias = 9.8
  private static let belowFloor = 2.0

  let count: Int
  /// Columns per row: bands rounded up to whole vectors.
  let stride: Int
  /// Factor of the posterior ratio in the likelihood's exponent, octaves: `K ξ/(1 + ξ) · log₂ e`.
  let slope: Buffer
  /// Offset subtracted from it, octaves: `K log₂(1 + ξ)`.
  let offset: Buffer
  /// Steady noise over what ``NoisePower`` would find, and over ``NoiseFloor``'s minima, as ratios of powers.
  let bias: Buffer
  let floorBias: Buffer
  /// Model of the prevalence of noise.
  let model: NoiseModel

  init(_ layout: BandLayout, geometry: ChainGeometry) {
    count = layout.count
    stride = layout.stride
    model = NoiseModel(layout)
    let ratio = pow(10, Self.priorRatio / 10)
    let bands = layout.centres.indices.map { NoiseBand(layout, $0, geometry: geometry) }
    let padded = bands + Array(repeating: bands[0], count: stride - count)
    let freedoms = padded.map { Self.freedom($0) }
    slope = AlignedBuffer(count: stride) { Float(freedoms[$0] * ratio / (1 + ratio) * log2(M_E)) }
    offset = AlignedBuffer(count: stride) { Float(freedoms[$0] * log2(1 + ratio)) }
    bias = AlignedBuffer(count: stride) { Float(pow(10, Self.bias * padded[$0].fluctuation / 10)) }
    floorBias = AlignedBuffer(count: stride) {
      let (band, smoothing) = (padded[$0], NoiseFloor.smoothing)
      let time = Self.windowTime * band.windowTime
      let smoothed = band.fluctuation * sqrt(time / (time + 2 * smoothing))
      return Float(pow(10, (Self.floorBias * smoothed - Self.belowFloor) / 10))
    }
  }

  /// Complex degrees of freedom counted of a smoothed band power: half the bandwidth times the time it is
  /// taken over, which is that of the window and twice the time constant of the smoothing.
  /// Half, because speech and noise are not even within a band.
  private static func freedom(_ band: NoiseBand) -> Double {
    min(max(1, 0.5 * band.width * (windowTime * band.windowTime + 2 * smoothing)), mostFreedom)
  }
}

/// One band as its powers are read.
///
/// - Threads: `control`.
struct NoiseBand {
  /// Correlations of the powers of neighbouring bins behind a Hann window, and of those beyond (Harris 1978, Proc. IEEE 66:51): squares of
  /// 2/3 and 1/6.
  private static let correlations = [1, 4.0 / 9, 1.0 / 36]

  /// Hz.
  let width: Double
  /// Length of the window, s.
  let windowTime: Double
  /// Standard deviation over mean of one power of even noise.
  let fluctuation: Double

  init(_ layout: BandLayout, _ band: Int, geometry: ChainGeometry) {
    let length =
      layout.centres[band] >= ChainGeometry.crossover ? geometry.analysisLength : geometry.filterLength
    windowTime = Double(length) / geometry.sampleRate
    width = min(layout.edges[band + 1], geometry.sampleRate / 2) - layout.edges[band]
    let row = LevelWeights.row(layout, band, binCount: length / 2 + 1, binWidth: 1 / windowTime)
    fluctuation = Self.fluctuation(row)
  }

  /// Of the sum of bins with those shares; 1 without any.
  private static func fluctuation(_ shares: [Double]) -> Double {
    var squares = 0.0
    for (bin, share) in shares.enumerated() where share > 0 {
      // Of a bin and its neighbours above, and of the lowest ones with those below 0 Hz.
      for (distance, correlation) in correlations.enumerated() {
        if bin + distance < shares.count {
          squares += (distance == 0 ? 1 : 2) * correlation * share * shares[bin + distance]
        }
        if distance >= bin { squares += correlation * share * shares[distance - bin] }
      }
    }
    let sum = shares.reduce(0, +)
    return sum > 0 ? squares.squareRoot() / sum : 1
  }
}
