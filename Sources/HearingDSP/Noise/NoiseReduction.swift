import Glibc
import Realtime

/// How far each band of one ear is turned down because noise prevails in it.
///
/// The prior signal-to-noise ratio is followed by the decision-directed rule (Ephraim & Malah 1984, IEEE
/// TASSP 32:1109), `ξ = α·G²γ + (1 − α)·max(γ − 1, 0)` with the last hop's `G` and `γ`, which closes
/// bands that hold only chance peaks of noise. The gain is a power of Wiener's, `ξ/(1 + ξ)`, down to the floor; its
/// decibels are spread over the neighbouring bands and fall back slowly, so that no band flickers. Bands open
/// at once: an onset that comes late costs more intelligibility than the noise around it does.
///
/// Depths, times and shares are own choices: a choice among some 500 drawn at random for recorded speech in
/// speech-shaped noise at +5 dB, by the ratio gained, the kurtosis of the noise and HASPI v2 for N3. The gain is
/// mostly in low bands, where the power of such noise is; in high bands, with their weak and short sounds, each
/// dB costs intelligibility.
///
/// - Threads: built on `control`, run on `audio`.
struct NoiseReduction: ~Copyable {
  /// Time constant of the decision-directed rule, s. The usual 0.98 per 8 ms is 0.4 s. But here powers overlap and
  /// are smoothed already, and a long memory opens late: on the whole HASPI was the higher the shorter it was.
  static let memory = 0.0005
  /// Power of Wiener's gain.
  static let exponent: Float = 1.5
  /// What the noise counts for, dB more than it is found to be.
  static let overestimate = 2.5
  /// Least prior ratio, −25 dB: Wiener's gain there lies below every floor.
  private static let leastRatio: Float = 0.003_162
  /// Greatest posterior ratio, 60 dB: enough for certainty, and keeps products finite.
  private static let greatestRatio: Float = 1e6
  /// Time constant over which the power is smoothed before its ratio is taken, s.
  static let smoothing = 0.007
  /// Time constant of a band that closes, s.
  static let closing = 0.02
  /// Share of each neighbouring band in the posterior ratio that a band goes by: a chance peak of noise stands alone,
  /// speech seldom does.
  static let ratioShare: Float = 0.33
  /// Share of each neighbouring band in a band's reduction.
  static let neighbourShare: Float = 0.3
  /// Frequencies between which the depth goes over from full to ``shareAboveTaper``, Hz.
  static let taper = 800.0...2500.0
  /// Share of the depth in high bands.
  static let shareAboveTaper = 0.05

  /// Reduction, dB, not negative. - Shape: one per band, padded.
  private(set) var attenuation: AlignedBuffer<Float>
  /// `G²γ` of the last hop.
  private var former: AlignedBuffer<Float>
  private var smoothed: AlignedBuffer<Float>
  /// Posterior ratio in this hop, with one neighbour on each side.
  private var posterior: AlignedBuffer<Float>
  /// Reduction wanted in this hop, dB, with one neighbour on each side.
  private var wanted: AlignedBuffer<Float>
  private let memoryShare: Float
  private let smoothingShare: Float
  private let overestimateFactor: Float
  private let closingShare: Float

  init(stride: Int, hopTime: Double) {
    attenuation = AlignedBuffer(count: stride)
    former = AlignedBuffer(count: stride)
    smoothed = AlignedBuffer(count: stride)
    posterior = AlignedBuffer(count: stride + 2)
    wanted = AlignedBuffer(count: stride + 2)
    memoryShare = Float(exp(-hopTime / Self.memory))
    smoothingShare = Float(1 - exp(-hopTime / Self.smoothing))
    overestimateFactor = Float(pow(10, -Self.overestimate / 10))
    closingShare = Float(1 - exp(-hopTime / Self.closing))
  }

  /// Forgets what was heard; reductions go on from where they are.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func reset() {
    former.fill(0)
    smoothed.fill(0)
  }

  /// Lets all bands open at once.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func release() {
    reset()
    attenuation.fill(0)
  }

  /// Moves on by one hop.
  ///
  /// - Parameters:
  ///   - band: Band powers, mean square.
  ///   - noise: Noise in them.
  ///   - depth: Greatest reduction, dB.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func update(
    _ band: borrowing AlignedBuffer<Float>, noise: borrowing NoisePower, bands: borrowing NoiseBands,
    depth: Float
  ) {
    let stride = bands.stride
    precondition(band.count >= stride && attenuation.count >= stride && noise.power.count >= stride)
    let (input, mean, last) = unsafe (band.pointer, smoothed.pointer, former.pointer)
    let (noises, shares, raw) = unsafe (noise.power.pointer, bands.depthShare.pointer, wanted.pointer + 1)
    let ratios = unsafe posterior.pointer + 1
    for index in 0..<stride {
      let power = unsafe mean[index] + smoothingShare * (input[index] - mean[index])
      unsafe mean[index] = power
      let found = unsafe overestimateFactor * power / noises[index]
      unsafe ratios[index] = found < Self.greatestRatio ? found : Self.greatestRatio
    }
    unsafe ratios[-1] = ratios[0]
    unsafe ratios[bands.count] = ratios[bands.count - 1]
    for index in 0..<bands.count {
      let around = unsafe ratios[index - 1] + ratios[index + 1]
      let ratio = unsafe (1 - 2 * Self.ratioShare) * ratios[index] + Self.ratioShare * around
      let surplus: Float = ratio > 1 ? ratio - 1 : 0
      let followed = unsafe memoryShare * last[index] + (1 - memoryShare) * surplus
      let prior = followed > Self.leastRatio ? followed : Self.leastRatio
      let wiener = prior / (1 + prior)
      unsafe last[index] = wiener * wiener * ratio
      // Wiener's gain is one of amplitudes: twice 10·log₁₀.
      unsafe raw[index] = -2 * Self.exponent * Decibel.fromPower(wiener)
    }
    unsafe raw[-1] = raw[0]
    unsafe raw[bands.count] = raw[bands.count - 1]
    let result = unsafe attenuation.pointer
    for index in 0..<bands.count {
      let most = unsafe depth * shares[index]
      let (below, own, above) = unsafe (raw[index - 1], raw[index], raw[index + 1])
      let around = (below < most ? below : most) + (above < most ? above : most)
      let next = (1 - 2 * Self.neighbourShare) * (own < most ? own : most) + Self.neighbourShare * around
      let change = unsafe next - result[index]
      unsafe result[index] += (change < 0 ? 1 : closingShare) * change
    }
  }
}
