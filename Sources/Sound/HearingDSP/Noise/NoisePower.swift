import Glibc
import Realtime

/// Power of the noise in each band of one ear, followed while speech goes on.
///
/// How probable speech is in a band follows from how far its power lies above the noise, by a fixed prior
/// ratio (Gerkmann & Hendriks 2012, IEEE TASLP 20:1383): with `K` complex degrees of freedom and the
/// posterior ratio `γ`, the likelihood ratio is `(1 + ξ)^−K · exp(K γ ξ/(1 + ξ))`, at prior odds of one.
/// The noise follows the band's power by the share `1 − P`.
///
/// The paper's constants hold for hops of 16 ms; here they are time constants, so that every hop and rate
/// behaves the same.
///
/// - Threads: built on `control`, run on `audio`.
struct NoisePower: ~Copyable {
  /// Time constant of the noise power where there is no speech, s. The paper's 0.8 per 16 ms is 72 ms; this is
  /// a little slower, because speech leaks in through every doubtful hop.
  static let memory = 0.1
  /// Time constant of the mean presence that guards against stagnation, s: 0.9 per 16 ms.
  static let presenceMemory = -0.016 / log(0.9)
  /// Mean presence from which the guard holds, and the presence it then allows: the noise may have risen for good.
  private static let stagnation: Float = 0.99
  /// Hops of silence behind a reset that are not counted, s: the longest window must have filled.
  private static let filling = 0.012
  /// Time over which the first powers are averaged, s: five of the paper's frames.
  private static let beginning = 0.08
  /// Least power, mean square: −160 dB re full scale, below any converter.
  static let floor: Float = 1e-16

  /// Noise, mean square. - Shape: one per band, padded.
  private(set) var power: AlignedBuffer<Float>
  /// Band power smoothed over ``NoiseBands/smoothing``.
  private var smoothed: AlignedBuffer<Float>
  private var presence: AlignedBuffer<Float>
  private let noiseShare: Float
  private let presenceShare: Float
  private let smoothingShare: Float
  private let guardPresence: Float
  private let fillingHops: Int
  private let beginningHops: Int
  private var hops = 0

  init(stride: Int, hopTime: Double) {
    power = AlignedBuffer(count: stride)
    smoothed = AlignedBuffer(count: stride)
    presence = AlignedBuffer(count: stride)
    noiseShare = Float(1 - exp(-hopTime / Self.memory))
    presenceShare = Float(1 - exp(-hopTime / Self.presenceMemory))
    smoothingShare = Float(1 - exp(-hopTime / NoiseBands.smoothing))
    // The paper lets 1 % of a power in at 72 ms; a slower memory has to let in more to rise as fast.
    guardPresence = Float(1 - 0.01 * Self.memory / (-0.016 / log(0.8)))
    fillingHops = Int((Self.filling / hopTime).rounded(.up))
    beginningHops = max(1, Int((Self.beginning / hopTime).rounded()))
    reset()
  }

  /// Forgets the noise; the next sound is taken for it until more is known.
  mutating func reset() {
    hops = 0
    power.fill(Self.floor)
    smoothed.fill(Self.floor)
    presence.fill(0.5)
  }

  /// Takes in one hop's band powers.
  mutating func update(_ band: borrowing AlignedBuffer<Float>, _ bands: borrowing NoiseBands) {
    precondition(band.count >= bands.stride && power.count >= bands.stride)
    if hops < fillingHops + beginningHops {
      begin(band, bands)
      return
    }
    let (input, noise, slow, mean) = unsafe (
      band.pointer, power.pointer, smoothed.pointer, presence.pointer
    )
    let (slopes, offsets) = unsafe (bands.slope.pointer, bands.offset.pointer)
    // In lanes: with so many arrays the compiler cannot prove them apart, and would leave the loop scalar.
    for base in stride(from: 0, to: bands.stride, by: 4) {
      let found = unsafe Lanes.forward(input, base) + Self.floor
      let before = unsafe Lanes.forward(noise, base)
      let smooth = unsafe Lanes.forward(slow, base) * (1 - smoothingShare) + smoothingShare * found
      unsafe Lanes.store(smooth, slow, base)
      var exponent = unsafe Lanes.forward(slopes, base) * (smooth / before) - Lanes.forward(offsets, base)
      // 2^±30 is certain enough, and within what the exponential takes.
      exponent.replace(with: 30, where: exponent .> 30)
      exponent.replace(with: -30, where: exponent .< -30)
      let odds = ComplexExponential.magnitude(exponent)
      let likely = odds / (1 + odds)
      let average = unsafe Lanes.forward(mean, base) * (1 - presenceShare) + presenceShare * likely
      unsafe Lanes.store(average, mean, base)
      let isStuck = (average .> Self.stagnation) .& (likely .> guardPresence)
      let speech = likely.replacing(with: guardPresence, where: isStuck)
      var next = before + noiseShare * (1 - speech) * (found - before)
      next.replace(with: Self.floor, where: next .< Self.floor)
      unsafe Lanes.store(next, noise, base)
    }
  }

  /// The first hops: noise is the mean of all so far.
  private mutating func begin(_ band: borrowing AlignedBuffer<Float>, _ bands: borrowing NoiseBands) {
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
