import Acoustics
import Fitting
import Glibc
import HearingDSP

/// Gain and output that a fitting asks for at any frequency, with which measured figures are compared.
///
/// Between the bands' centres linear in dB over log frequency, as the aid does it, and held beyond them.
struct FittedTarget: Sendable {
  let fitting: EarFitting
  let bands: BandLayout

  private func between(_ values: [Double], at frequency: Double) -> Double {
    LogFrequencyTable(bands.centres, values).held(at: frequency)
  }

  /// Level in the coupler less that at the microphone for an insertion gain of 0 dB, dB.
  func couplerResponse(at frequency: Double) -> Double {
    fitting.couplerResponse.map { between($0, at: frequency) } ?? 0
  }

  /// Gain for a tone, from microphone to coupler, dB.
  func gain(at frequency: Double, level: Double) -> Double {
    between(fitting.curves.map { $0.gain(at: SoundPressureLevel(level)) }, at: frequency)
      + couplerResponse(at: frequency)
  }

  /// Output for a tone, dB SPL.
  func output(at frequency: Double, level: Double) -> Double {
    let bandLimit = between(fitting.bandLimits.map(\.decibels), at: frequency)
    return min(level + gain(at: frequency, level: level), bandLimit, fitting.outputLimit.decibels)
  }

  /// Insertion gain for average speech of an overall level, dB: that of each band at its own level in such speech.
  func speechGain(at frequency: Double, overall: Double) -> Double {
    let gains = fitting.curves.enumerated().map { band, curve in
      let speech = bands.speechLevel(inBand: band, overall: SoundPressureLevel(overall))
      // A band without speech power keeps the gain of a soft sound.
      return curve.gain(at: speech.decibels.isFinite ? speech : SoundPressureLevel(30))
    }
    return between(gains, at: frequency)
  }

  /// Gain for white noise too soft to move anything, A-weighted, dB.
  var softNoiseGain: Double {
    let frequencies = stride(from: 20.0, to: 20_000, by: 20)
    var (plain, amplified) = (0.0, 0.0)
    for frequency in frequencies {
      let weight = pow(10, FrequencyWeighting.a.gain(at: frequency) / 10)
      plain += weight
      amplified += weight * pow(10, gain(at: frequency, level: 0) / 10)
    }
    return 10 * log10(amplified / plain)
  }

  /// True when gain changes between the step's levels by 1.5 times `tolerance`, dB, so that the time to within
  /// the tolerance shows the time constant. Otherwise the standard's time is over almost as the step begins, and
  /// is the chain's own transient.
  func moves(beyond tolerance: Double) -> Bool {
    let frequency = StepResponse.frequency
    let change =
      gain(at: frequency, level: StepResponse.levels.low)
      - gain(at: frequency, level: StepResponse.levels.high)
    return change >= 1.5 * tolerance
  }

  /// True when a band gives a loud sound less gain than a soft one: input-controlled compression.
  var isCompressive: Bool {
    fitting.curves.contains {
      $0.gain(at: SoundPressureLevel(50)) - $0.gain(at: SoundPressureLevel(90)) > Self.compressionEdge
    }
  }

  /// dB. Own choice: less cannot be heard.
  private static let compressionEdge = 0.5
}

extension GainCurve {
  /// The curve without downward expansion: where gain falls for softer sounds, it stays at its greatest.
  var withoutExpansion: GainCurve {
    guard let top = knots.indices.max(by: { knots[$0].gain < knots[$1].gain }) else { return self }
    let held = knots.enumerated().map { index, knot in
      index < top ? Knot(level: knot.level, gain: knots[top].gain) : knot
    }
    // A gain of an accepted curve is accepted.
    return (try? GainCurve(knots: held, slopeBelow: 0, slopeAbove: slopeAbove)) ?? self
  }
}
