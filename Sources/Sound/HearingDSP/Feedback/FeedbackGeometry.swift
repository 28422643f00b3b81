import Glibc

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
  /// by trial: at 60 s every chord changes the path; sudden changes are left to
  /// ``EarCanceller/processHowl()``.
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
  func bulkDelay(_ loopDelay: Double) -> Int { max(chain.longestHop, Int(loopDelay * chain.sampleRate)) }
}
