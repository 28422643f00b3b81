import Glibc
import Realtime

/// Sizes and time constants of the feedback canceller.
///
/// Transforms of 5.8 ms hold paths of 4.35 ms behind the bulk delay and one hop: the longest paths reported
/// for hearing aids, 2–3 ms, and some room for converters whose measured delay is a little short.
///
/// - Threads: `any`.
struct FeedbackGeometry {
  /// Lowest frequency at which the path is estimated in full, Hz; below, feedback paths of hearing aids are
  /// 20 dB weaker and speech has most of its power.
  static let lowest = 900.0
  /// Time constant of the near-end spectrum, s. Own choice by trial: shorter than a phoneme, so that an
  /// onset slows adaptation at once; at 4 ms the gaps between the pulses of a chord counted as silence.
  static let nearTime = 0.02
  /// Time constant of the spectrum of the sent sound, s.
  static let sentTime = 0.02
  /// Time in which the path is expected to change wholly, s: process noise of the Kalman filter. Own choice
  /// by trial: at 60 s every chord changes the path; sudden changes are left to the fast adaptation of
  /// ``EarCanceller``.
  static let driftTime = 1000.0
  /// Time after the bulk delay in which a tap may be as strong as any, s, and time constant of the
  /// amplitude expected behind it, s. Paths of hearing aids have their power in the first millisecond. Own
  /// choice by trial on decays up to 0.8 ms with onsets up to 0.6 ms: with all taps alike the late ones
  /// fill with the sound's own correlation, and that error, not the path's, was what made loops unstable.
  static let fullTime = 0.000_73
  static let fadingTime = 0.000_6
  /// Corner of the whitening, Hz: its 12 dB per octave above that balance the slope of speech and music.
  /// Own choice by trial.
  private static var whiteningCorner: Double { 740 }
  /// Fall of the expected power of a path below and above ``FeedbackControl/cancelledFrequencies``, powers
  /// of the frequency: 24 and 12 dB per octave, the flanks of vent and earphone.
  private static var lowerSlope: Double { 8 }
  private static var upperSlope: Double { 4 }
  /// Time between two stored estimates, s: longer than the recognition of a tone takes.
  static let storingTime = 0.12

  /// Length of the transforms, frames.
  let length: Int
  /// Length of the path estimated, frames.
  let taps: Int
  let chain: ChainGeometry
  /// Double zero a of the whitening `(1 − a·z⁻¹)²`.
  let whiteningZero: Double

  init(_ chain: ChainGeometry) {
    self.chain = chain
    length = chain.filterLength / 2
    taps = length - length / 4
    whiteningZero = exp(-2 * .pi * Self.whiteningCorner / chain.sampleRate)
  }

  /// Weight of a bin in the estimate, 0...1: in full from ``lowest`` on, not at all an octave below.
  func weight(bin: Int) -> Double {
    min(1, max(0, 2 * Double(bin) * chain.sampleRate / Double(length) / Self.lowest - 1))
  }

  /// Expected power of a path in a bin, relative to its strongest, 0...1.
  func expectation(bin: Int) -> Double {
    let f = Double(bin) * chain.sampleRate / Double(length)
    let below = min(1, f / FeedbackControl.cancelledFrequencies.lowerBound)
    let above = min(1, FeedbackControl.cancelledFrequencies.upperBound / max(f, 1))
    return pow(below, Self.lowerSlope) * pow(above, Self.upperSlope)
  }

  /// Factor that undoes the whitening in a bin, `(1 − a·e^−jω)^−2`.
  func dewhitening(bin: Int) -> (re: Double, im: Double) {
    let omega = 2 * .pi * Double(bin) / Double(length)
    let (re, im) = (1 - whiteningZero * cos(omega), whiteningZero * sin(omega))
    let power = re * re + im * im
    return ((re * re - im * im) / (power * power), -2 * re * im / (power * power))
  }

  /// Share of a step that a tap takes, 0...1: a Kalman filter's gain is proportional to the expected
  /// variance.
  func share(tap: Int) -> Double {
    let t = Double(tap) / chain.sampleRate
    return exp(-max(0, t - Self.fullTime) / Self.fadingTime)
  }

  /// Frames between a sent sample and its first trace in the input; never less than a hop, because sound
  /// that the chain has not yet sent cannot have come back.
  func bulkDelay(_ loopDelay: Double) -> Int {
    // A whole number of frames, as a time, may come out a little less.
    max(chain.longestHop, Int(loopDelay * chain.sampleRate + 1e-6))
  }

  /// A time that the devices tell, which count frames.
  func frames(_ time: Double) -> Int { Int(time * chain.sampleRate + 0.5) }
}

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

  /// A path was measured, and begins within the taps; otherwise it is to be learned.
  private(set) var isKnown = false
  /// Variance where the path is strongest, |F|².
  private(set) var variance: Float = 0
  /// Bins of the canceller's transform; zero when unknown.
  private(set) var spectrum: HalfSpectrum

  /// - Parameters:
  ///   - path: nil when unknown.
  ///   - loopDelay: Of the canceller, s.
  init(_ path: FeedbackPath?, loopDelay: Double, geometry chain: ChainGeometry) {
    let geometry = FeedbackGeometry(chain)
    spectrum = HalfSpectrum(length: geometry.length)
    guard let path else { return }
    let early = geometry.bulkDelay(loopDelay)
    // Of a path that begins behind the last tap the taps hold side lobes of the interpolation alone.
    guard path.delay * chain.sampleRate < Double(early + geometry.taps - 1) else { return }
    let taps = Self.taps(of: path, from: early, count: geometry.taps, sampleRate: chain.sampleRate)
    // Frequencies count bins.
    let causal = FeedbackPath(sampleRate: Double(geometry.length), delay: 0, response: taps)
    for k in 0...spectrum.half {
      let (weight, value) = (geometry.weight(bin: k), causal.value(at: Double(k)))
      let (re, im) = (Float(weight * value.re), Float(weight * value.im))
      unsafe (spectrum.re[k], spectrum.im[k]) = (re, im)
      variance = max(variance, Self.uncertainty * (re * re + im * im))
    }
    isKnown = variance > 0
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
    _ left: borrowing Samples, _ right: borrowing Samples, from start: Int, frames hop: Int
  ) {
    precondition(start >= 0 && start + hop <= min(left.count, right.count))
    let stored = unsafe frames.pointer
    for n in 0..<hop {
      let at = 2 * ((count &+ n) & mask)
      unsafe (stored[at], stored[at + 1]) = (left[unchecked: start + n], right[unchecked: start + n])
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
  @_semantics("no_performance_analysis") @inline(__always) private static func copy(
    _ source: UnsafeMutablePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int
  ) { unsafe target.update(from: source, count: count) }
}
