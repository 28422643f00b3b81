import Acoustics
import Glibc
import Realtime

/// Power of the noise in each band of one ear, estimated while speech goes on.
///
/// The probability of speech in a band follows from the distance of its power from the noise, by a fixed
/// prior ratio (Gerkmann & Hendriks 2012, IEEE TASLP 20:1383): with `K` complex degrees of freedom and the
/// posterior ratio `γ`, the likelihood ratio is `(1 + ξ)^−K · exp(K γ ξ/(1 + ξ))`, at prior odds of one.
/// The noise follows the band's power by the share `1 − P`.
///
/// The paper's constants hold for hops of 16 ms; here they are time constants, so that every hop and rate
/// behaves the same.
///
/// - Threads: built on `control`, run on `audio`.
struct NoisePower: ~Copyable {
  /// Time constant of the noise power without speech, s. The paper's 0.8 per 16 ms is 72 ms; this is
  /// a little slower, because speech leaks in through every uncertain hop.
  static let memory = 0.1
  /// Time constant of the mean presence that guards against stagnation, s: 0.9 per 16 ms.
  static let presenceMemory = -0.016 / log(0.9)
  /// Mean presence from which the guard holds, and the presence it then allows: the noise may have risen
  /// for good.
  private static let stagnation: Float = 0.99
  /// Time after a reset that is not counted, s: the longest window must have filled.
  private static let filling = 0.012
  /// Time over which the first powers are averaged, s: five of the paper's frames.
  private static let beginning = 0.08
  /// Least power, mean square: −160 dB re full scale, below any converter.
  static let floor: Float = 1e-16

  /// Noise, mean square. - Shape: one per band, padded.
  private(set) var power: Buffer
  /// Band power smoothed over ``NoiseBands/smoothing``.
  private var smoothed: Buffer
  private var presence: Buffer
  /// Parts of a distance covered per hop.
  private let shares: (noise: Float, presence: Float, smoothing: Float)
  private let guardPresence: Float
  private let fillingHops: Int
  private let beginningHops: Int
  private var hops = 0

  init(stride: Int, geometry: ChainGeometry) {
    power = AlignedBuffer(count: stride)
    smoothed = AlignedBuffer(count: stride)
    presence = AlignedBuffer(count: stride)
    shares = (
      geometry.share(Self.memory), geometry.share(Self.presenceMemory), geometry.share(NoiseBands.smoothing)
    )
    // The paper lets 1 % of a power in at 72 ms; a slower memory has to let in more to rise as fast.
    guardPresence = Float(1 - 0.01 * Self.memory / (-0.016 / log(0.8)))
    fillingHops = Int((Self.filling / geometry.hopTime).rounded(.up))
    beginningHops = geometry.hops(Self.beginning)
    reset()
  }

  /// Clears the estimate; the next sound counts as noise at first.
  mutating func reset() {
    hops = 0
    power.fill(Self.floor)
    smoothed.fill(Self.floor)
    presence.fill(0.5)
  }

  /// Reads one hop's band powers.
  mutating func process(_ band: borrowing Buffer, _ bands: borrowing NoiseBands) {
    precondition(band.count >= bands.stride && power.count >= bands.stride)
    if hops < fillingHops + beginningHops {
      begin(band, bands)
      return
    }
    let (input, noise) = unsafe (band.pointer, power.pointer)
    let (slow, mean) = unsafe (smoothed.pointer, presence.pointer)
    let (slopes, offsets) = unsafe (bands.slope.pointer, bands.offset.pointer)
    // In lanes: with so many arrays the compiler cannot prove them apart, and would leave the loop scalar.
    for base in stride(from: 0, to: bands.stride, by: 4) {
      let found = unsafe input[lanes: base] + Self.floor
      let before = unsafe noise[lanes: base]
      let smooth = unsafe slow[lanes: base] * (1 - shares.smoothing) + shares.smoothing * found
      unsafe slow[lanes: base] = smooth
      var exponent = unsafe slopes[lanes: base] * (smooth / before) - offsets[lanes: base]
      // 2^±30 is certain enough, and within what the exponential takes.
      exponent.replace(with: 30, where: exponent .> 30)
      exponent.replace(with: -30, where: exponent .< -30)
      let odds = ComplexExponential.magnitude(exponent)
      let likely = odds / (1 + odds)
      let average = unsafe mean[lanes: base] * (1 - shares.presence) + shares.presence * likely
      unsafe mean[lanes: base] = average
      let isStuck = (average .> Self.stagnation) .& (likely .> guardPresence)
      let speech = likely.replacing(with: guardPresence, where: isStuck)
      var next = before + shares.noise * (1 - speech) * (found - before)
      next.replace(with: Self.floor, where: next .< Self.floor)
      unsafe noise[lanes: base] = next
    }
  }

  /// The first hops: noise is the mean of all so far.
  private mutating func begin(_ band: borrowing Buffer, _ bands: borrowing NoiseBands) {
    hops += 1
    guard hops > fillingHops else { return }
    let share = 1 / Float(hops - fillingHops)
    let (input, noise, slow) = unsafe (band.pointer, power.pointer, smoothed.pointer)
    for index in 0..<bands.stride {
      unsafe noise[index] += share * (input[index] + Self.floor - noise[index])
      unsafe slow[index] = noise[index]
    }
  }
}

/// Constants of the bands for the estimation and reduction of noise: fluctuation of a power of steady noise
/// in each, and the trained model.
///
/// - Threads: built on `control`, read on `audio`.
struct NoiseBands: ~Copyable {
  /// Prior signal-to-noise ratio of bands that hold speech, dB. Gerkmann & Hendriks (2012) have 15 dB for
  /// single bins; here a power is the mean of several, so a lower ratio separates speech from noise as
  /// surely, and leaks less speech into the estimate.
  static let priorRatio = 10.0
  /// Time constant of powers before the decision on speech, s.
  static let smoothing = 0.005
  /// Most degrees of freedom counted: beyond it the decision is certain anyhow.
  private static let mostFreedom = 16.0

  let count: Int
  /// Columns per row: bands rounded up to whole vectors.
  let stride: Int
  /// Factor of the posterior ratio in the likelihood's exponent, octaves: `K ξ/(1 + ξ) · log₂ e`.
  let slope: Buffer
  /// Offset subtracted from it, octaves: `K log₂(1 + ξ)`.
  let offset: Buffer
  /// Model of the prevalence of noise.
  let model: NoiseModel

  init(_ layout: BandLayout, geometry: ChainGeometry) {
    count = layout.count
    stride = layout.stride
    model = NoiseModel(layout)
    let ratio = pow(10, Self.priorRatio / 10)
    let freedoms = layout.centres.indices.map { Self.freedom(layout, $0, geometry: geometry) }
    let padded = freedoms + Array(repeating: 1, count: stride - count)
    slope = AlignedBuffer(count: stride) { Float(padded[$0] * ratio / (1 + ratio) * log2(M_E)) }
    offset = AlignedBuffer(count: stride) { Float(padded[$0] * log2(1 + ratio)) }
  }

  /// Complex degrees of freedom counted of a smoothed band power: half the bandwidth times the time it is
  /// taken over, which is 0.514 of a Hann window, (Σw²)²/Σw⁴, and twice the time constant of the smoothing.
  /// Half, because speech and noise are not even within a band.
  static func freedom(_ layout: BandLayout, _ band: Int, geometry: ChainGeometry) -> Double {
    let upper = min(layout.edges[band + 1], geometry.sampleRate / 2)
    let length =
      layout.centres[band] >= ChainGeometry.crossover ? geometry.analysisLength : geometry.filterLength
    let time = 0.514 * Double(length) / geometry.sampleRate + 2 * smoothing
    return min(max(1, 0.5 * (upper - layout.edges[band]) * time), mostFreedom)
  }
}
