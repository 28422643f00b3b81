import Realtime

/// The last frames that came in, both ears interleaved, and the guard they pass: whatever a device or a file
/// delivers, only finite samples of sane size get in.
///
/// - Threads: `audio`.
struct PairHistory: ~Copyable {
  /// Greatest magnitude let in, linear: 12 dB above full scale, more than any converter delivers; a float file may
  /// hold anything.
  static let ceiling: Float = 4

  /// What one ear's hop was found to be.
  struct Finding {
    /// A sample was infinite or not a number; the hop was taken in as silence.
    var isNonFinite = false
    /// Samples at or above full scale.
    var clipped: Int32 = 0
    /// Mean square, at most that of a constant at ``PairHistory/ceiling``.
    var power: Float = 0
  }

  /// Oldest first. - Shape: `length` frames, interleaved `left, right`.
  private(set) var frames: AlignedBuffer<Float>
  private let length: Int

  init(length: Int) {
    self.length = length
    frames = AlignedBuffer(count: 2 * length)
  }

  /// Forgets everything.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func reset() { frames.fill(0) }

  /// Takes in `count` frames of both ears from `start`.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func admit(
    left: borrowing Span<Float>, right: borrowing Span<Float>, from start: Int, count: Int
  ) -> (left: Finding, right: Finding) {
    frames.shiftDown(by: 2 * count)
    return (admit(left, from: start, count: count, ear: 0), admit(right, from: start, count: count, ear: 1))
  }

  #if RT_LINT
    @_noAllocation
  #endif
  private mutating func admit(
    _ input: borrowing Span<Float>, from start: Int, count: Int, ear: Int
  ) -> Finding {
    let end = 2 * (length - count) + ear
    precondition(start >= 0 && start + count <= input.count && end >= 0)
    var finding = Finding()
    var square: Float = 0
    for n in 0..<count {
      let sample = input[start + n]
      let bounded = sample > -Self.ceiling ? sample : -Self.ceiling
      let admitted = bounded < Self.ceiling ? bounded : Self.ceiling
      unsafe frames[unchecked: end + 2 * n] = admitted
    }
    let whole = count / 4 * 4
    var (squares, clips) = (SIMD4<Float>(), SIMD4<Float>())
    for n in stride(from: start, to: start + whole, by: 4) {
      let four = SIMD4(input[n], input[n + 1], input[n + 2], input[n + 3])
      let four2 = four * four
      squares += four2
      clips += SIMD4<Float>().replacing(with: 1, where: four2 .>= 1)
    }
    square = squares.sum()
    finding.clipped = Int32(clips.sum())
    for n in start + whole..<start + count {
      square += input[n] * input[n]
      finding.clipped &+= abs(input[n]) >= 1 ? 1 : 0
    }
    // NaN compares false; the square of an absurdly large sample is as bad as infinity.
    guard square < .infinity else {
      for n in 0..<count { frames[end + 2 * n] = 0 }
      return Finding(isNonFinite: true)
    }
    finding.power = min(square / Float(count), Self.ceiling * Self.ceiling)
    return finding
  }
}
