import Realtime

/// What went out to both ears, kept for as long as it may take to come back to the microphones.
///
/// - Threads: built on `control`, run on `audio`.
struct SentHistory: ~Copyable {
  private var frames: AlignedBuffer<Float>
  private let mask: Int
  /// Frames taken in so far.
  private var count = 0

  /// - Parameter length: Frames that can be read back at least.
  init(length: Int) {
    var capacity = 1
    while capacity < length { capacity *= 2 }
    frames = AlignedBuffer(count: 2 * capacity)
    mask = capacity - 1
  }

  /// Forgets everything: after a gap nothing that was sent comes back in its place.
  mutating func reset() { frames.fill(0) }

  /// Takes in one hop of output.
  mutating func remember(
    _ left: borrowing MutableSpan<Float>, _ right: borrowing MutableSpan<Float>, from start: Int,
    frames hop: Int
  ) {
    for n in 0..<hop {
      let at = 2 * ((count &+ n) & mask)
      frames[at] = left[start + n]
      frames[at + 1] = right[start + n]
    }
    count &+= hop
  }

  /// Writes the frames that end `age` frames before the newest, oldest first.
  ///
  /// - Parameters:
  ///   - age: Not negative.
  ///   - window: Interleaved; filled.
  func read(age: Int, into window: inout AlignedBuffer<Float>) {
    let length = window.count / 2
    precondition(age >= 0 && age + length <= mask + 1, "older than what is kept")
    let first = (count &- age &- length) & mask
    let untilEnd = min(length, mask + 1 - first)
    let (source, target) = unsafe (frames.pointer, window.pointer)
    unsafe Self.copy(source + 2 * first, to: target, count: 2 * untilEnd)
    unsafe Self.copy(source, to: target + 2 * untilEnd, count: 2 * (length - untilEnd))
  }

  /// A plain copy, which allocates nothing.
  @_semantics("no_performance_analysis") @inline(__always)
  private static func copy(
    _ source: UnsafeMutablePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int
  ) {
    unsafe target.update(from: source, count: count)
  }
}
