import Acoustics
import Glibc
import Realtime

/// Newest frames of the input, both ears interleaved, behind a guard: whatever a device or a file delivers,
/// only finite samples of limited size get in.
///
/// - Threads: `audio`.
struct PairHistory: ~Copyable {
  /// Greatest magnitude let in, linear: 12 dB above full scale, more than any converter delivers; a file of
  /// floats may hold anything.
  static let ceiling: Float = 4
  /// Least magnitude that counts as full scale, linear: 1 − 2⁻¹⁵, the greatest positive number of 16 bits. No integer reaches 1
  /// there, and those of 24 and 32 bits pass this.
  static let fullScale: Float = 0x1.fffcp-1

  /// Faults of one ear's hop.
  struct Finding {
    /// A sample was infinite or not a number; the hop was taken as silence.
    var isNonFinite = false
    /// Samples at full scale or above, of either sign (``PairHistory/fullScale``).
    var clipped: Int32 = 0
  }

  /// Oldest first; frequency lowering rewrites the newest. - Shape: `length` frames, interleaved
  /// `left, right`.
  var frames: Buffer

  init(length: Int) { frames = AlignedBuffer(count: 2 * length) }

  /// Sets all frames to zero.
  mutating func reset() { frames.fill(0) }

  /// Appends `count` frames of both ears from `start`.
  mutating func process(
    left: borrowing Span<Float>, right: borrowing Span<Float>, from start: Int, count: Int
  ) -> Binaural<Finding> {
    frames.shiftDown(by: 2 * count)
    return Binaural(
      left: append(left, from: start, count: count, channel: 0),
      right: append(right, from: start, count: count, channel: 1))
  }

  private mutating func append(
    _ input: borrowing Span<Float>, from start: Int, count: Int, channel: Int
  ) -> Finding {
    let available = input.count
    let end = frames.count - 2 * count + channel
    precondition(start >= 0 && start + count <= available && end >= 0)
    let oldest = unsafe frames.pointer + end
    let whole = count / 4 * 4
    var (squares, clips) = (SIMD4<Float>(), SIMD4<Float>())
    let edge = SIMD4<Float>(repeating: Self.fullScale * Self.fullScale)
    for n in stride(from: 0, to: whole, by: 4) {
      let at = start + n
      let four = unsafe SIMD4(
        input[unchecked: at], input[unchecked: at + 1], input[unchecked: at + 2], input[unchecked: at + 3])
      let square = four * four
      squares += square
      clips += SIMD4<Float>().replacing(with: 1, where: square .>= edge)
      let bounded = Self.bounded(four)
      for lane in 0..<4 { unsafe oldest[2 * (n + lane)] = bounded[lane] }
    }
    var finding = Finding(clipped: Int32(clips.sum()))
    var square = squares.sum()
    for n in whole..<count {
      let sample = input[start + n]
      square += sample * sample
      finding.clipped &+= abs(sample) >= Self.fullScale ? 1 : 0
      unsafe oldest[2 * n] = Self.bounded(SIMD4(repeating: sample))[0]
    }
    // NaN compares false; the square of an absurdly large sample is as bad as infinity.
    guard square < .infinity else {
      for n in 0..<count { frames[end + 2 * n] = 0 }
      return Finding(isNonFinite: true)
    }
    return finding
  }

  /// Samples within ± ``ceiling``, also where one is NaN.
  @inline(__always) static func bounded(_ samples: SIMD4<Float>) -> SIMD4<Float> {
    let (most, least) = (SIMD4<Float>(repeating: ceiling), SIMD4<Float>(repeating: -ceiling))
    let raised = least.replacing(with: samples, where: samples .> least)
    return most.replacing(with: raised, where: raised .< most)
  }
}

/// Removes direct current from the input: an offset of a converter, which the gain of the lowest band would
/// multiply and the earphone would carry.
///
/// First-order high-pass, y = x − m with m the running mean of x: m moves towards each sample by a fixed
/// share. The filter has a zero at 0 Hz, so that only the rounding of m, in double precision, is left of a
/// steady offset. After a reset the share is 1/n, the mean of all n samples so far, until that is less than
/// the fixed one: an offset that is present from the start is not heard while sound rises, and the sound
/// itself hardly moves the mean.
///
/// - Threads: built on `control`, run on `audio`.
struct DirectCurrentBlock {
  /// Corner, −3 dB, Hz. At 100 Hz the filter takes 0.011 dB and delays by 0.08 ms, corner / (2π · (f² +
  /// corner²)); a step of the offset has fallen by 60 dB after 0.22 s. Own choice.
  static let corner = 5.0

  /// A mean below this is set to zero, so that silence stays exact silence and nothing denormal remains:
  /// −240 dB FS.
  private static let leastMean = 1e-12

  /// Mean of the input, left and right.
  private var mean = SIMD2<Double>()
  /// Frames since the reset, up to ``settledAfter``.
  private var frameCount = 0
  /// Frames after which the share is ``share``.
  private let settledAfter: Int
  private let share: Double

  init(sampleRate: Double) {
    share = 1 - exp(-2 * .pi * Self.corner / sampleRate)
    settledAfter = Int((1 / share).rounded(.down))
  }

  /// Begins a new mean.
  mutating func reset() {
    mean = SIMD2()
    frameCount = 0
  }

  /// Filters the newest `count` frames of a pair in place.
  ///
  /// - Parameter frames: Oldest first, interleaved `left, right`.
  /// - Returns: Mean square of each ear's filtered frames.
  mutating func process(_ frames: inout Buffer, count: Int) -> Binaural<Float> {
    precondition(count > 0 && 2 * count <= frames.count)
    let samples = unsafe frames.pointer + (frames.count - 2 * count)
    // Copies, which stay in registers.
    var (mean, frameCount) = (self.mean, self.frameCount)
    var squares = SIMD2<Float>()
    for n in 0..<count {
      let sample = unsafe SIMD2(Double(samples[2 * n]), Double(samples[2 * n + 1]))
      var share = self.share
      if frameCount < settledAfter {
        frameCount += 1
        share = 1 / Double(frameCount)
      }
      mean += (sample - mean) * share
      let rest = SIMD2<Float>(sample - mean)
      squares += rest * rest
      unsafe samples[2 * n] = rest[0]
      unsafe samples[2 * n + 1] = rest[1]
    }
    for ear in 0..<2 where abs(mean[ear]) < Self.leastMean { mean[ear] = 0 }
    (self.mean, self.frameCount) = (mean, frameCount)
    squares /= Float(count)
    return Binaural(left: squares[0], right: squares[1])
  }
}
