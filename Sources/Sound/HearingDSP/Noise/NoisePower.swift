import Acoustics
import Glibc
import Realtime

/// Power of the noise in each band of one ear, estimated while speech goes on.
///
/// The probability of speech in a band follows from the distance of its power from the noise, by a fixed
/// prior ratio (Gerkmann & Hendriks 2012, IEEE TASLP 20:1383): with `K` complex degrees of freedom and the
/// posterior ratio `γ`, the likelihood ratio is `(1 + ξ)^−K · exp(K γ ξ/(1 + ξ))`. Its logarithm counts with half
/// that of either neighbour, and with how many bands held speech in the hop before: speech is seldom in one
/// band alone.
///
/// The noise follows the band's power by the share `1 − P`, upward more slowly: what of weak speech is taken for
/// noise raises it less. Steady noise is then followed too low, by what ``NoiseBands/bias`` makes up for. It does
/// not stay below ``NoiseFloor``, so that noise that has risen for good is found.
///
/// Its errors, and the sounds that its constants were chosen by: docs/noise.md.
///
/// - Threads: built on `control`, run on `audio`.
struct NoisePower: ~Copyable {
  /// Time constant of the noise power without speech, downward, s, and the share of it that counts upward.
  static let memory = 0.1
  static let upward: Float = 0.25
  /// Time constant of the probability of speech after speech, s: the end of a syllable is weaker than its middle.
  static let hangover = 0.03
  /// Share of a neighbour's evidence.
  static let neighbour: Float = 0.5
  /// Nepers of the odds of speech by the share of bands that held speech, and the share at which nothing is added.
  static let pooled: Float = 3
  static let usual: Float = 0.3
  /// Time after a reset that is not counted, s: the longest window must have filled.
  private static let filling = 0.012
  /// Time over which the first powers are averaged, s: five of the paper's frames.
  private static let beginning = 0.08
  /// Least power, mean square: −160 dB re full scale, below any converter.
  static let floor: Float = 1e-16
  /// Most that a band's own evidence counts, octaves: certain enough, and thrice as much is within what the exponential takes.
  private static let certain: Float = 36
  /// Room beside the bands in ``evidence``.
  private static let margin = 4

  /// Noise, mean square. - Shape: one per band, padded.
  private(set) var power: Buffer
  /// Band power smoothed over ``NoiseBands/smoothing``.
  private var smoothed: Buffer
  /// Logarithm of the likelihood ratio of speech, octaves. - Shape: ``margin`` before and behind the bands.
  private var evidence: Buffer
  /// Probability of speech, now and held over ``hangover``.
  private var likely: Buffer
  private var held: Buffer
  private var least: NoiseFloor
  /// Octaves added to every band's evidence.
  private var everywhere: Float = 0
  /// Parts of a distance covered per hop, and what is left of ``held``.
  private let shares: (noise: Float, smoothing: Float, held: Float)
  private let fillingHops: Int
  private let beginningHops: Int
  private var hops = 0

  init(stride: Int, geometry: ChainGeometry) {
    power = AlignedBuffer(count: stride)
    smoothed = AlignedBuffer(count: stride)
    evidence = AlignedBuffer(count: stride + 2 * Self.margin)
    likely = AlignedBuffer(count: stride)
    held = AlignedBuffer(count: stride)
    least = NoiseFloor(stride: stride, geometry: geometry)
    shares = (
      geometry.share(Self.memory), geometry.share(NoiseBands.smoothing), 1 - geometry.share(Self.hangover)
    )
    fillingHops = geometry.hops(Self.filling)
    beginningHops = geometry.hops(Self.beginning)
    reset()
  }

  /// Clears the estimate; the next sound counts as noise at first.
  mutating func reset() {
    hops = 0
    everywhere = Self.evidence(ofShare: 0)
    power.fill(Self.floor)
    smoothed.fill(Self.floor)
    likely.fill(0)
    held.fill(0)
    least.reset()
  }

  /// Reads one hop's band powers.
  mutating func process(_ band: borrowing Buffer, _ bands: borrowing NoiseBands) {
    precondition(band.count >= bands.stride && power.count >= bands.stride)
    if hops < fillingHops + beginningHops {
      begin(band, bands)
      return
    }
    least.process(band, bands)
    weigh(band, bands)
    follow(band, bands)
    join(bands.count)
  }

  /// Evidence of speech in each band by itself.
  private mutating func weigh(_ band: borrowing Buffer, _ bands: borrowing NoiseBands) {
    let (input, noise, slow) = unsafe (band.pointer, power.pointer, smoothed.pointer)
    let (slopes, offsets) = unsafe (bands.slope.pointer, bands.offset.pointer)
    let own = unsafe evidence.pointer + Self.margin
    // In lanes: with so many arrays the compiler cannot prove them apart, and would leave the loop scalar.
    for base in stride(from: 0, to: bands.stride, by: 4) {
      let found = unsafe input[lanes: base] + Self.floor
      let smooth = unsafe slow[lanes: base] * (1 - shares.smoothing) + shares.smoothing * found
      unsafe slow[lanes: base] = smooth
      var value = unsafe slopes[lanes: base] * (smooth / noise[lanes: base]) - offsets[lanes: base]
      value.replace(with: Self.certain, where: value .> Self.certain)
      value.replace(with: -Self.certain, where: value .< -Self.certain)
      unsafe own[lanes: base] = value
    }
    // The outermost bands have one neighbour, which counts twice.
    let last = bands.count - 1
    unsafe own[-1] = last > 0 ? own[1] : own[0]
    unsafe own[last + 1] = last > 0 ? own[last - 1] : own[0]
  }

  /// Moves the noise by one hop.
  private mutating func follow(_ band: borrowing Buffer, _ bands: borrowing NoiseBands) {
    let (input, noise, floors) = unsafe (band.pointer, power.pointer, least.power.pointer)
    let (odds, speech, former) = unsafe (evidence.pointer + Self.margin, likely.pointer, held.pointer)
    let biases = unsafe bands.bias.pointer
    for base in stride(from: 0, to: bands.stride, by: 4) {
      let beside = unsafe odds[lanes: base - 1] + odds[lanes: base + 1]
      let ratio = ComplexExponential.magnitude(
        unsafe odds[lanes: base] + Self.neighbour * beside + everywhere)
      let now = ratio / (1 + ratio)
      unsafe speech[lanes: base] = now
      var recent = unsafe former[lanes: base] * shares.held
      recent.replace(with: now, where: now .> recent)
      unsafe former[lanes: base] = recent
      let before = unsafe noise[lanes: base]
      let distance = unsafe (input[lanes: base] + Self.floor) * biases[lanes: base] - before
      let weight = (1 - now).replacing(with: Self.upward * (1 - recent), where: distance .> 0)
      var next = before + shares.noise * weight * distance
      let lowest = unsafe floors[lanes: base]
      next.replace(with: lowest, where: next .< lowest)
      unsafe noise[lanes: base] = next
    }
  }

  /// Reads how many bands hold speech, for the next hop.
  private mutating func join(_ count: Int) {
    precondition(count > 0 && likely.count >= count)
    let speech = unsafe likely.pointer
    var sum: Float = 0
    for index in 0..<count { unsafe sum += speech[index] }
    everywhere = Self.evidence(ofShare: sum / Float(count))
  }

  /// Octaves of the odds of speech, of the share of bands that hold it.
  @inline(__always) private static func evidence(ofShare share: Float) -> Float {
    pooled * Float(M_LOG2E) * (share - usual)
  }

  /// The first hops: noise is the mean of all so far, once the windows have filled.
  private mutating func begin(_ band: borrowing Buffer, _ bands: borrowing NoiseBands) {
    hops += 1
    let share = hops > fillingHops ? 1 / Float(hops - fillingHops) : 1
    let (input, noise, slow) = unsafe (band.pointer, power.pointer, smoothed.pointer)
    for index in 0..<bands.stride {
      unsafe noise[index] += share * (input[index] + Self.floor - noise[index])
      unsafe slow[index] = noise[index]
    }
    least.reset(at: power)
  }
}
