import Acoustics
import Glibc
import Realtime

/// Steadiness of pitches: fine spectra of about 0.09 s, and the correlation of each with those before it.
///
/// Held notes draw lines through successive spectra; a voice's harmonics glide within a syllable, and noise
/// leaves other peaks every time. Both ears are summed and every eighth sample kept after a low pass, so
/// that a transform of 512 values resolves 11 Hz up to 1.9 kHz. One complex transform serves two spectra,
/// and the work is spread over hops.
///
/// - Threads: built on `control`, run on `audio`.
struct PitchPattern: ~Copyable {
  /// Kept samples per transform.
  static var length: Int { 512 }
  /// First bin and number of bins compared: 150–1870 Hz at 44.1 kHz.
  private static var firstBin: Int { 14 }
  private static var binCount: Int { 160 }
  /// Bins on either side whose mean level is the background of a peak.
  private static var surround: Int { 10 }
  /// Patterns kept, a power of two above the greatest lag.
  private static var memory: Int { 32 }
  /// Distances over which patterns are compared, half windows of 46 ms: 93, 186 and 372 ms, and 1.1 s.
  private static func lag(_ index: Int) -> Int { index < 3 ? 2 << index : 24 }
  /// Comparisons of each pattern.
  static var lagCount: Int { 4 }
  /// Highest prominence that counts, dB.
  private static var ceiling: Float { 25 }

  /// Sums since ``resetSums()``: correlation at each lag, its square, the pattern's root mean square, the
  /// square of that.
  private(set) var sums = SIMD16<Float>()
  /// Patterns in ``sums``.
  private(set) var found: Float = 0

  private let scale: Int
  private let taps: Buffer
  private var spectrum = PairSpectrum(length: PitchPattern.length)
  /// Kept samples, oldest first; the window of the second spectrum starts half a window later.
  private var sound = Buffer(count: 3 * PitchPattern.length / 2)
  private var filled = PitchPattern.length / 2
  private var pair = Buffer(count: 2 * PitchPattern.length)
  /// Power of each bin of the earlier spectrum (left) and the later one (right), which share a transform as
  /// the ears do.
  private var power = Binaural { _ in Buffer(count: PitchPattern.length / 2) }
  private var level = Buffer(count: PitchPattern.binCount + 2 * PitchPattern.surround)
  private var patterns = Buffer(count: PitchPattern.memory * PitchPattern.binCount)
  private var norms = Buffer(count: PitchPattern.memory)
  private var position = 0
  /// Frames until the next one is kept.
  private var wait = 0
  /// Spectra still to be compared.
  private var pending = 0

  init(geometry: ChainGeometry) {
    scale = geometry.filterLength / 512
    let factor = 8 * scale
    let count = 6 * factor
    // Low pass at half the kept rate: sinc under a Hamming window, its sum ½ so that the ears' mean is
    // kept.
    let middle = Double(count - 1) / 2
    let shape = (0..<count).map { n in
      let x = (Double(n) - middle) / Double(factor)
      return (sin(.pi * x) / (.pi * x)) * (0.54 - 0.46 * cos(2 * .pi * (Double(n) + 0.5) / Double(count)))
    }
    let sum = shape.reduce(0, +)
    taps = AlignedBuffer(count: 2 * count) { Float(shape[$0 / 2] / sum / 2) }
  }

  /// Clears spectra, patterns and sums.
  mutating func reset() {
    sound.fill(0)
    patterns.fill(0)
    norms.fill(0)
    filled = Self.length / 2
    pending = 0
    resetSums()
  }

  /// Begins new sums.
  mutating func resetSums() {
    sums = SIMD16()
    found = 0
  }

  /// Reads one hop.
  ///
  /// - Parameters:
  ///   - history: Frames of both ears, interleaved, oldest first.
  ///   - frames: New ones at its end.
  ///   - floor: Power added to each bin, mean square.
  mutating func process(_ history: borrowing Buffer, frames: Int, floor: Float) {
    if pending > 0 {
      compare(isEarlier: pending == 2, floor: floor)
      pending -= 1
    }
    let end = history.count / 2
    precondition(frames <= end && taps.count + 2 * frames <= history.count)
    while wait < frames {
      let newest = end - frames + wait + 1
      sound[filled] = filter(history, from: 2 * newest - taps.count)
      filled += 1
      wait += 8 * scale
      if filled == sound.count { transformPair() }
    }
    wait -= frames
  }

  private func filter(_ history: borrowing Buffer, from start: Int) -> Float {
    let (samples, weights) = unsafe (history.pointer + start, taps.pointer)
    var (a, b) = (SIMD4<Float>(), SIMD4<Float>())
    for n in stride(from: 0, to: taps.count, by: 8) {
      unsafe a += samples[lanes: n] * weights[lanes: n]
      unsafe b += samples[lanes: n + 4] * weights[lanes: n + 4]
    }
    return (a + b).sum()
  }

  /// Spectra of the last window but a half, and of the last.
  private mutating func transformPair() {
    let half = Self.length / 2
    for n in 0..<Self.length {
      pair[2 * n] = sound[n]
      pair[2 * n + 1] = sound[n + half]
    }
    spectrum.process(pair)
    spectrum.hannPower(bins: half, into: &power)
    sound.shiftDown(by: Self.length)
    filled = half
    pending = 2
  }

  /// Compares a spectrum's peaks with those of earlier ones.
  private mutating func compare(isEarlier: Bool, floor: Float) {
    let first = Self.firstBin - Self.surround
    let width = 2 * Self.surround + 1
    precondition(Self.length / 2 >= first + level.count)
    let power = unsafe (isEarlier ? power.left.pointer : power.right.pointer) + first
    let decibels = unsafe level.pointer
    for k in 0..<level.count { unsafe decibels[k] = Decibel.fromPower(power[k] + floor) }
    position = (position + 1) % Self.memory
    let pattern = unsafe patterns.pointer + position * Self.binCount
    var around: Float = 0
    for k in 0..<width { around += level[k] }
    var sum: Float = 0
    for k in 0..<Self.binCount {
      let rise = unsafe decibels[k + Self.surround] - around / Float(width)
      let prominence = rise > 0 ? (rise < Self.ceiling ? rise : Self.ceiling) : 0
      unsafe pattern[k] = prominence
      sum += prominence
      if k + width < level.count { unsafe around += decibels[k + width] - decibels[k] }
    }
    let mean = sum / Float(Self.binCount)
    for k in 0..<Self.binCount { unsafe pattern[k] -= mean }
    let square = product(position, position) / Float(Self.binCount)
    norms[position] = square
    for index in 0..<Self.lagCount {
      let other = (position + Self.memory - Self.lag(index)) % Self.memory
      // One more, so that a pattern without peaks correlates with nothing.
      let root = Decibel.squareRoot(square * norms[other] + 1)
      let correlation = product(position, other) / Float(Self.binCount) / root
      sums[index] += correlation
      sums[index + 4] += correlation * correlation
    }
    sums[8] += Decibel.squareRoot(square)
    sums[9] += square
    found += 1
  }

  @inline(__always) private func product(_ one: Int, _ other: Int) -> Float {
    let a = unsafe patterns.pointer + one * Self.binCount
    let b = unsafe patterns.pointer + other * Self.binCount
    var sum = SIMD4<Float>()
    for k in stride(from: 0, to: Self.binCount, by: 4) { unsafe sum += a[lanes: k] * b[lanes: k] }
    return sum.sum()
  }
}
