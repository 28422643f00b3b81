import Acoustics
import Glibc
import Realtime

/// Attenuation of each band of one ear in which noise prevails.
///
/// The distance of a band's power from the noise is followed at three speeds; from that, the levels and what
/// it remembers ``NoiseModel`` computes, over all bands, the share of the full reduction. Bands open at once,
/// because a late onset costs more intelligibility than the noise around it, and close a little later, so
/// that none flickers.
///
/// The decision-directed rule with Wiener's gain, each band by itself, was tried before with some 500
/// sets of constants: for the same gain in ratio it closed more weak sounds of speech (docs/noise.md).
///
/// - Threads: built on `control`, run on `audio`.
struct NoiseReduction: ~Copyable {
  /// Time constants of the model's input, s. The model was trained with these: they change together.
  static let short = 0.003
  static let middle = 0.02
  static let long = 0.1
  /// Least and greatest posterior ratio, octaves, and octaves that count as one: the model's scale.
  private static let leastRatio: Float = -2
  private static let greatestRatio: Float = 8
  private static let scale: Float = 0.25
  /// Time constant of a band that closes, s. The model was trained with it.
  static let closing = 0.008

  /// Mean share of all bands from which a hop counts as a pause, and at which wholly.
  static let closedTogether: ClosedRange<Float> = 0.65...0.85

  /// Time constant of the way to another listener, s: constants that jump open a band at once. Own choice: the way of the gain is as long.
  static let way = 0.1

  /// Time over which pauses are averaged, s: a sentence or two.
  static let pauseMemory = 3.0
  /// Share of pauses from which single bands are held closed with the others, and at which wholly. Around a
  /// talker it stays below 0.6; held there as well, weak sounds of speech were lost, 0.035 of HASPI for N4.
  static let loneliness: ClosedRange<Float> = 0.6...0.8

  /// Reduction, dB, not negative. - Shape: one per band, padded.
  private(set) var attenuation: Buffer
  /// Share of the full reduction in force, 0...1.
  private var share: Buffer
  private var wanted: Buffer
  private var smoothed: Buffer
  /// Posterior ratios on the model's scale: now, over ``middle`` and ``long``. - Shape: 3 × bands, padded.
  private var ratios: Buffer
  private var memory = NoiseMemory()
  private var listener: NoiseListener
  /// On its way to this one.
  private var aim: NoiseListener
  private var hasBegun = false
  /// Degree to which all bands together are a pause, 0...1, in this hop and over the last seconds.
  private var pause: Float = 0
  private var pauseShare: Float = 0
  /// Parts of a distance covered per hop.
  private let shares: (short: Float, middle: Float, long: Float, closing: Float, memory: Float, way: Float)

  init(_ layout: BandLayout, geometry: ChainGeometry) {
    listener = NoiseListener(nil, layout: layout)
    aim = NoiseListener(nil, layout: layout)
    let stride = layout.stride
    attenuation = AlignedBuffer(count: stride)
    share = AlignedBuffer(count: stride)
    wanted = AlignedBuffer(count: stride)
    smoothed = AlignedBuffer(count: stride)
    ratios = AlignedBuffer(count: 3 * stride)
    shares = (
      geometry.share(Self.short), geometry.share(Self.middle), geometry.share(Self.long),
      geometry.share(Self.closing), geometry.share(Self.pauseMemory), geometry.share(Self.way)
    )
  }

  /// Moves to another prescription or audiogram; at once where nothing was decided by the former one.
  mutating func retarget(to listener: borrowing NoiseListener) {
    aim.copy(from: listener)
    if !hasBegun { self.listener.copy(from: listener) }
  }

  /// Clears the model's input; the attenuation in force stays until the next hop.
  mutating func reset() {
    smoothed.fill(0)
    ratios.fill(0)
    memory.reset()
  }

  /// Moves by one hop, whose ratios were followed before.
  ///
  /// - Parameters:
  ///   - level: Band powers, dB SPL.
  ///   - depth: Greatest reduction, dB.
  ///   - decides: The model is evaluated in this hop; otherwise its last result holds.
  mutating func process(level: borrowing Buffer, bands: borrowing NoiseBands, depth: Float, decides: Bool) {
    listener.processWay(to: aim, share: shares.way)
    hasBegun = true
    if decides {
      bands.model.evaluate(ratios, levels: level, listener: listener, memory: &memory, into: &wanted)
      closeStrays(bands.count)
    }
    let (raw, held, result) = unsafe (wanted.pointer, share.pointer, attenuation.pointer)
    pauseShare += shares.memory * (pause - pauseShare)
    for index in 0..<bands.count {
      let change = unsafe raw[index] - held[index]
      unsafe held[index] += (change < 0 ? 1 : shares.closing) * change
      unsafe result[index] = held[index] * depth
    }
  }

  /// Reads to what degree this hop is a pause, and holds single bands closed after hardly anything but
  /// pauses: a band that opens alone is then a chance peak, and sounds like one.
  private mutating func closeStrays(_ count: Int) {
    precondition(count > 0 && wanted.count >= count)
    let raw = unsafe wanted.pointer
    var sum: Float = 0
    for index in 0..<count { unsafe sum += raw[index] }
    pause = Self.position(of: sum / Float(count), in: Self.closedTogether)
    let least = pause * Self.position(of: pauseShare, in: Self.loneliness)
    for index in 0..<count { unsafe raw[index] = raw[index] > least ? raw[index] : least }
  }

  /// Position of a value in a range, 0...1.
  @inline(__always) private static func position(of value: Float, in range: ClosedRange<Float>) -> Float {
    let share = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    let bounded: Float = share < 1 ? share : 1
    return bounded > 0 ? bounded : 0
  }

  /// Follows the posterior ratios of one hop at three speeds.
  ///
  /// - Parameters:
  ///   - band: Band powers, mean square.
  ///   - noise: Noise within them.
  mutating func processRatios(
    _ band: borrowing Buffer, noise: borrowing NoisePower, bands: borrowing NoiseBands
  ) {
    let stride = bands.stride
    precondition(band.count >= stride && smoothed.count >= stride && noise.power.count >= stride)
    precondition(ratios.count >= 3 * stride)
    let (input, mean, noises) = unsafe (band.pointer, smoothed.pointer, noise.power.pointer)
    let now = unsafe ratios.pointer
    let (middle, long) = unsafe (now + stride, now + 2 * stride)
    for index in 0..<bands.count {
      let power = unsafe mean[index] + shares.short * (input[index] + NoisePower.floor - mean[index])
      unsafe mean[index] = power
      let octaves = unsafe Decibel.fromPower(power / noises[index]) * (1 / Decibel.perPowerDoubling)
      let upper: Float = octaves < Self.greatestRatio ? octaves : Self.greatestRatio
      let ratio = (upper > Self.leastRatio ? upper : Self.leastRatio) * Self.scale
      unsafe now[index] = ratio
      unsafe middle[index] += shares.middle * (ratio - middle[index])
      unsafe long[index] += shares.long * (ratio - long[index])
    }
  }
}
