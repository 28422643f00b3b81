import Glibc
import Realtime

/// One ear's measured feedback path as the canceller reads it: a spectrum of causal taps behind the bulk
/// delay in force.
///
/// - Threads: built on `control`, read and copied on `audio`.
struct PathPrior: ~Copyable, Sendable {
  /// Half width of the interpolating kernel, samples of the slower rate: 16 keep 10 kHz to 0.1 dB at 44.1
  /// kHz.
  private static var reach: Double { 16 }

  /// Variance of the path from day to day, relative to its greatest power: −25 dB. Own choice:
  /// a jaw moves it by less, a telephone by more, which counts as an abrupt change.
  private static var uncertainty: Float { 0.003_16 }

  let isKnown: Bool
  /// Variance where the path is strongest, |F|².
  private(set) var variance: Float = 0
  /// Bins of the canceller's transform, and a vector's rest; zero when unknown.
  private(set) var re: Buffer
  private(set) var im: Buffer
  let half: Int

  /// - Parameters:
  ///   - path: nil when unknown.
  ///   - loopDelay: Of the canceller, s.
  init(_ path: FeedbackPath?, loopDelay: Double, geometry chain: ChainGeometry) {
    let geometry = FeedbackGeometry(chain)
    half = geometry.length / 2
    isKnown = path != nil
    re = AlignedBuffer(count: half + 8)
    im = AlignedBuffer(count: half + 8)
    guard let path else { return }
    let early = geometry.bulkDelay(loopDelay)
    let taps = Self.taps(of: path, from: early, count: geometry.taps, sampleRate: chain.sampleRate)
    for k in 0...half {
      let weight = geometry.weight(bin: k)
      let turn = 2 * .pi * Double(k) / Double(geometry.length)
      var (sumRe, sumIm) = (0.0, 0.0)
      for (n, x) in taps.enumerated() {
        sumRe += x * cos(turn * Double(n))
        sumIm -= x * sin(turn * Double(n))
      }
      re[k] = Float(weight * sumRe)
      im[k] = Float(weight * sumIm)
      variance = max(variance, Self.uncertainty * (re[k] * re[k] + im[k] * im[k]))
    }
  }

  /// Response at the chain's sample rate, from `first` frames after sending on: interpolated by a windowed
  /// sinc.
  static func taps(of path: FeedbackPath, from first: Int, count: Int, sampleRate: Double) -> [Double] {
    let ratio = path.sampleRate / sampleRate
    let cut = min(1, 1 / ratio)
    let reach = Self.reach / cut
    return (0..<count).map { n in
      // Position of this tap among the measured ones.
      let at = (Double(first + n) / sampleRate - path.delay) * path.sampleRate
      let from = max(0, Int((at - reach).rounded(.up)))
      let to = min(path.response.count - 1, Int((at + reach).rounded(.down)))
      guard from <= to else { return 0 }
      var sum = 0.0
      for k in from...to {
        let x = at - Double(k)
        let window = 0.5 + 0.5 * cos(.pi * x / reach)
        let sinc = abs(x) < 1e-9 ? 1 : sin(.pi * cut * x) / (.pi * cut * x)
        sum += path.response[k] * sinc * window
      }
      // A sampled response is its density times the sampling interval.
      return sum * cut * ratio
    }
  }
}

/// Sound sent to both ears, kept for as long as it may take to come back to the microphones.
///
/// - Threads: built on `control`, run on `audio`.
struct SentHistory: ~Copyable {
  private var frames: Buffer
  private let mask: Int
  /// Frames stored so far.
  private var count = 0

  /// - Parameter length: Frames that can be read back at least.
  init(length: Int) {
    var capacity = 1
    while capacity < length { capacity *= 2 }
    frames = AlignedBuffer(count: 2 * capacity)
    mask = capacity - 1
  }

  /// Sets all frames to zero: after a gap nothing sent before comes back in its place.
  mutating func reset() { frames.fill(0) }

  /// Stores one hop of output.
  mutating func process(
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
  func read(age: Int, into window: inout Buffer) {
    let length = window.count / 2
    precondition(age >= 0 && age + length <= mask + 1, "older than the kept sound")
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
  ) { unsafe target.update(from: source, count: count) }
}
