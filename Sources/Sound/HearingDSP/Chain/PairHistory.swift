import Realtime

/// The last frames that came in, both ears interleaved, and the guard they pass: whatever a device or a
/// file delivers, only finite samples of sane size get in.
///
/// - Threads: `audio`.
struct PairHistory: ~Copyable {
  /// Greatest magnitude let in, linear: 12 dB above full scale, more than any converter delivers; a float
  /// file may hold anything.
  static let ceiling: Float = 4

  /// What one ear's hop was found to be.
  struct Finding {
    /// A sample was infinite or not a number; the hop was taken in as silence.
    var isNonFinite = false
    /// Samples at or above full scale.
    var clipped: Int32 = 0
  }

  /// Oldest first; frequency lowering rewrites the newest. - Shape: `length` frames, interleaved `left, right`.
  var frames: AlignedBuffer<Float>
  private let length: Int

  init(length: Int) {
    self.length = length
    frames = AlignedBuffer(count: 2 * length)
  }

  /// Forgets everything.
  mutating func reset() { frames.fill(0) }

  /// Lets `body` change the frames, all of which stay finite.
  @inline(__always)
  mutating func change(_ body: (inout AlignedBuffer<Float>) -> Void) { body(&frames) }

  /// Takes in `count` frames of both ears from `start`.
  mutating func admit(
    left: borrowing Span<Float>, right: borrowing Span<Float>, from start: Int, count: Int
  ) -> (left: Finding, right: Finding) {
    frames.shiftDown(by: 2 * count)
    return (admit(left, from: start, count: count, ear: 0), admit(right, from: start, count: count, ear: 1))
  }

  private mutating func admit(
    _ input: borrowing Span<Float>, from start: Int, count: Int, ear: Int
  ) -> Finding {
    let available = input.count
    let end = 2 * (length - count) + ear
    precondition(start >= 0 && start + count <= available && end >= 0)
    let oldest = unsafe frames.pointer + end
    let whole = count / 4 * 4
    var (squares, clips) = (SIMD4<Float>(), SIMD4<Float>())
    for n in stride(from: 0, to: whole, by: 4) {
      let at = start + n
      let four = unsafe SIMD4(
        input[unchecked: at], input[unchecked: at + 1], input[unchecked: at + 2], input[unchecked: at + 3])
      let square = four * four
      squares += square
      clips += SIMD4<Float>().replacing(with: 1, where: square .>= 1)
      let admitted = Self.bounded(four)
      for lane in 0..<4 { unsafe oldest[2 * (n + lane)] = admitted[lane] }
    }
    var finding = Finding(clipped: Int32(clips.sum()))
    var square = squares.sum()
    for n in whole..<count {
      let sample = input[start + n]
      square += sample * sample
      finding.clipped &+= abs(sample) >= 1 ? 1 : 0
      unsafe oldest[2 * n] = Self.bounded(SIMD4(repeating: sample))[0]
    }
    // NaN compares false; the square of an absurdly large sample is as bad as infinity.
    guard square < .infinity else {
      for n in 0..<count { frames[end + 2 * n] = 0 }
      return Finding(isNonFinite: true)
    }
    return finding
  }

  /// Samples within ± ``ceiling``.
  @inline(__always)
  private static func bounded(_ samples: SIMD4<Float>) -> SIMD4<Float> {
    let (most, least) = (SIMD4<Float>(repeating: ceiling), SIMD4<Float>(repeating: -ceiling))
    let raised = least.replacing(with: samples, where: samples .> least)
    return most.replacing(with: raised, where: raised .< most)
  }
}
