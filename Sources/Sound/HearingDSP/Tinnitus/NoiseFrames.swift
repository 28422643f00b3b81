import Glibc
import Realtime

/// Independent noise of two ears, in overlapping frames: random signs in the spectrum, one
/// inverse transform for both ears, a window whose squares add up to 1.
///
/// - Threads: built on `control`, run on `audio`.
struct NoiseFrames: ~Copyable {
  let length: Int
  /// Newest half frame. - Shape: `length / 2` frames, interleaved.
  private(set) var ready: Buffer
  /// The fading half of the newest frame, interleaved.
  private var tail: Buffer
  private var spectrum: Buffer
  private var time: Buffer
  /// sin(π(n + ½)/N): squares of two halves add up to 1, so that independent frames join at equal power.
  private var window: Buffer
  private let transform: PairTransform
  /// Four xorshift generators (Marsaglia 2003, J. Stat. Softw. 8:14: shifts 13, 17, 5).
  private var state: SIMD4<UInt32>

  /// - Throws: ``ChainError/noPlan(length:)``.
  init(length: Int) throws(ChainError) {
    self.length = length
    transform = try PairTransform(length: length, isMeasured: false)
    ready = AlignedBuffer(count: length)
    tail = AlignedBuffer(count: length)
    // Room for the mirror of 0 Hz, which is written and not used.
    spectrum = AlignedBuffer(count: 2 * (length + 1))
    time = AlignedBuffer(count: 2 * length)
    window = AlignedBuffer(count: length)
    for n in 0..<length { window[n] = Float(sin(.pi * (Double(n) + 0.5) / Double(length))) }
    // Any words that are not zero (Weyl's golden ratio steps).
    state = SIMD4(0x9E37_79B9, 0x3C6E_F372, 0xDAA6_6D2B, 0x78DD_E6E4)
  }

  /// Computes the next half frame.
  ///
  /// - Parameters:
  ///   - left: Amplitude of each bin of the left ear, `length / 2` of them.
  ///   - right: Of the right ear.
  mutating func process(_ left: borrowing Buffer, _ right: borrowing Buffer) {
    fill(left, right)
    transform.inverse(spectrum, into: &time)
    let half = length / 2
    for n in 0..<half {
      let (rising, falling) = (window[n], window[half + n])
      ready[2 * n] = tail[2 * n] + rising * time[2 * n]
      ready[2 * n + 1] = tail[2 * n + 1] + rising * time[2 * n + 1]
      tail[2 * n] = falling * time[2 * (half + n)]
      tail[2 * n + 1] = falling * time[2 * (half + n) + 1]
    }
  }

  /// A spectrum with the given magnitudes and random quadrants: `Z[k] = L + jR` and `Z[N−k] = L* + jR*`.
  private mutating func fill(_ left: borrowing Buffer, _ right: borrowing Buffer) {
    precondition(left.count >= length / 2 && right.count >= length / 2)
    let (l, r, z) = unsafe (left.pointer, right.pointer, spectrum.pointer)
    for k in stride(from: 0, to: length / 2, by: 4) {
      state ^= state &<< 13
      state ^= state &>> 17
      state ^= state &<< 5
      let (own, other) = unsafe (Lanes.forward(l, k), Lanes.forward(r, k))
      let (a, b) = (Self.signed(own, state), Self.signed(own, state &<< 5))
      let (c, d) = (Self.signed(other, state &<< 11), Self.signed(other, state &<< 17))
      unsafe Lanes.storeInterleaved(a - d, b + c, z, 2 * k)
      unsafe Lanes.storeInterleavedBackwards(a + d, c - b, z, 2 * (length - k - 3))
    }
  }

  /// Values with the signs of the words' highest bits.
  @inline(__always)
  private static func signed(
    _ values: SIMD4<Float>, _ words: SIMD4<UInt32>
  ) -> SIMD4<Float> {
    let bits = unsafe unsafeBitCast(values, to: SIMD4<UInt32>.self)
    return unsafe unsafeBitCast(bits ^ (words & 0x8000_0000), to: SIMD4<Float>.self)
  }
}
