import Glibc
import Realtime

/// Takes the direct current out of what comes in: an offset of a converter, which the gain of the lowest band would
/// multiply and the earphone would carry.
///
/// First-order high-pass, y = x − m with m the running mean of x: m moves towards each sample by a fixed share. The
/// filter has a zero at 0 Hz, so that what is left of a steady offset is the rounding of m, which is double precision.
/// From a reset on the share is 1/n, the mean of all n samples so far, until that is less than the fixed one: an offset
/// that is there from the start is not heard while sound rises, and the sound itself hardly moves the mean.
///
/// - Threads: built on `control`, run on `audio`.
struct DirectCurrentBlock {
  /// Frequency at which 3 dB are taken away, Hz. At 100 Hz this takes 0.011 dB and delays by 0.08 ms, corner / (2π ·
  /// (f² + corner²)); a step of the offset has fallen by 60 dB after 0.22 s. Own choice.
  static let corner = 5.0

  /// A mean below this counts as none, so that silence becomes exact silence and nothing denormal remains: −240 dB FS.
  private static let nothing = 1e-12

  /// Mean of what came in, left and right.
  private var mean = SIMD2<Double>()
  /// Frames since the reset, up to ``settled``.
  private var heard = 0
  /// Frames after which the share is ``share``.
  private let settled: Int
  private let share: Double

  init(sampleRate: Double) {
    share = 1 - exp(-2 * .pi * Self.corner / sampleRate)
    settled = Int((1 / share).rounded(.down))
  }

  /// Forgets the offset.
  mutating func reset() {
    mean = SIMD2()
    heard = 0
  }

  /// Filters the newest `count` frames of a pair in place.
  ///
  /// - Parameter frames: Oldest first, interleaved `left, right`.
  /// - Returns: Mean square of each ear's that remain.
  mutating func apply(to frames: inout AlignedBuffer<Float>, count: Int) -> SIMD2<Float> {
    precondition(count > 0 && 2 * count <= frames.count)
    let samples = unsafe frames.pointer + (frames.count - 2 * count)
    // Copies of their own, which stay in registers.
    var (mean, heard) = (self.mean, self.heard)
    var squares = SIMD2<Float>()
    for n in 0..<count {
      let sample = unsafe SIMD2(Double(samples[2 * n]), Double(samples[2 * n + 1]))
      var share = self.share
      if heard < settled {
        heard += 1
        share = 1 / Double(heard)
      }
      mean += (sample - mean) * share
      let rest = SIMD2<Float>(sample - mean)
      squares += rest * rest
      unsafe samples[2 * n] = rest[0]
      unsafe samples[2 * n + 1] = rest[1]
    }
    for ear in 0..<2 where abs(mean[ear]) < Self.nothing { mean[ear] = 0 }
    (self.mean, self.heard) = (mean, heard)
    return squares / Float(count)
  }
}
