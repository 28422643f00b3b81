import Glibc

/// Sizes and rates of the feedback canceller, from the chain's.
///
/// Transforms of 5.8 ms hold paths of 4.35 ms behind the bulk delay and one hop: the longest paths reported
/// for hearing aids, 2–3 ms, and some room for converters whose delay was measured a little short.
///
/// - Threads: `any`.
struct FeedbackGeometry {
  /// Lowest frequency at which the path is followed in full, Hz; below, feedback paths of hearing aids are 20 dB
  /// weaker and speech has most of its power.
  static let lowest = 900.0
  /// Time constant of the near-end spectrum, s. Own choice by trial: shorter than a phoneme, so that an onset slows
  /// adaptation at once; at 4 ms the gaps between the pulses of a chord were taken for silence.
  static let nearTime = 0.02
  /// Time constant of the spectrum of what was sent, s.
  static let sentTime = 0.02
  /// Time in which the path is expected to become another one, s: process noise of the Kalman filter. Own choice by
  /// trial: at 60 s every chord is taken for news of the path; sudden changes are met by ``EarFeedback/hurry()``.
  static let driftTime = 1000.0
  /// Time after the bulk delay in which a tap may be as strong as any, s, and time constant of the amplitude expected
  /// behind it, s. Paths of hearing aids have their power in the first millisecond. Own choice by trial on decays up to
  /// 0.8 ms with onsets up to 0.6 ms: with all taps alike the late ones fill with the sound's own correlation, and
  /// that error, not the path's, was what made loops unstable.
  static let fullTime = 0.000_73
  static let fadingTime = 0.000_6
  /// Corner of the whitening, Hz: its 12 dB per octave above that balance the slope of speech and music. Own choice
  /// by trial.
  private static var whiteningCorner: Double { 740 }
  /// How the power expected of a path falls below and above ``FeedbackControl/cancelledFrequencies``, powers of the
  /// frequency: 24 and 12 dB per octave, the flanks of vent and earphone.
  private static var lowerSlope: Double { 8 }
  private static var upperSlope: Double { 4 }
  /// Age of the oldest estimate kept for the case that a tone begins, s: longer than a tone takes to be
  /// recognised.
  static let keepTime = 0.12

  /// Length of the transforms, frames.
  let length: Int
  /// Length of the path estimated, frames.
  let taps: Int
  /// Longest hop, frames: the least bulk delay.
  let longestHop: Int
  let sampleRate: Double
  let hopTime: Double
  /// Where the whitening `(1 − a·z⁻¹)²` has its two zeros, a.
  let whiteningZero: Double

  init(_ geometry: ChainGeometry) {
    length = geometry.filterLength / 2
    longestHop = geometry.longestHop
    taps = length - length / 4
    sampleRate = geometry.sampleRate
    hopTime = geometry.hopTime
    whiteningZero = exp(-2 * .pi * Self.whiteningCorner / geometry.sampleRate)
  }

  /// Share covered per hop by a first-order average of a time constant, s.
  func share(_ time: Double) -> Float { Float(1 - exp(-hopTime / time)) }

  /// Share with which a bin's path is followed, 0...1: in full from ``lowest`` on, not at all an octave below.
  func weight(bin: Int) -> Double {
    min(1, max(0, 2 * Double(bin) * sampleRate / Double(length) / Self.lowest - 1))
  }

  /// Power that a path may be expected to have in a bin, relative to its strongest, 0...1.
  func expectation(bin: Int) -> Double {
    let f = Double(bin) * sampleRate / Double(length)
    let below = min(1, f / FeedbackControl.cancelledFrequencies.lowerBound)
    let above = min(1, FeedbackControl.cancelledFrequencies.upperBound / max(f, 1))
    return pow(below, Self.lowerSlope) * pow(above, Self.upperSlope)
  }

  /// Factor that takes the whitening out of a bin again, `(1 − a·e^−jω)^−2`.
  func dewhitening(bin: Int) -> (re: Double, im: Double) {
    let omega = 2 * .pi * Double(bin) / Double(length)
    let (re, im) = (1 - whiteningZero * cos(omega), whiteningZero * sin(omega))
    let power = re * re + im * im
    return ((re * re - im * im) / (power * power), -2 * re * im / (power * power))
  }

  /// Share of a step that a tap takes, 0...1: a Kalman filter's gain is proportional to the variance expected.
  func share(tap: Int) -> Double {
    let t = Double(tap) / sampleRate
    return exp(-max(0, t - Self.fullTime) / Self.fadingTime)
  }

  /// Hops that last `time`, s, at least one.
  func hops(_ time: Double) -> Int { max(1, Int((time / hopTime).rounded())) }

  /// Frames between a sample going out and its first trace in the input; never less than a hop, because what the
  /// chain has not yet sent cannot have come back.
  func bulkDelay(_ loopDelay: Double) -> Int { max(longestHop, Int(loopDelay * sampleRate)) }
}
