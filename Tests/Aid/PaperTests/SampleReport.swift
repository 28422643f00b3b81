import Acoustics
import Glibc
import Laboratory

@testable import Paper

/// A rendering as `make run` makes one: speech at 65 dB SPL through a sloping loss, from published tables
/// and plain formulas only.
enum SampleReport {
  /// Third octaves from 100 Hz to 10 kHz and their levels in speech of 70 dB SPL, female and male voices
  /// mixed: Byrne et al. 1994, table II.
  static let speech: [(Double, Double)] = [
    (100, 54.4), (125, 57.7), (160, 56.8), (200, 60.2), (250, 60.3), (315, 59.0), (400, 62.1), (500, 62.1),
    (630, 60.5), (800, 56.8), (1000, 53.7), (1250, 53.0), (1600, 52.0), (2000, 48.7), (2500, 48.1),
    (3150, 46.8), (4000, 45.6), (5000, 44.5), (6300, 44.3), (8000, 43.7), (10_000, 43.4),
  ]

  /// Half of the loss at each third octave, and a ripple that stands for the filterbank's error.
  static func ear(_ standard: StandardAudiogram, seed: Double) -> EarRendering {
    var ear = EarRendering()
    let audiogram = standard.audiogram
    ear.audiogram = audiogram
    for (k, (frequency, level)) in speech.enumerated() {
      let loss = audiogram.threshold(at: frequency)?.decibels ?? 0
      let gain = loss / 2 - max(0, 8 - Double(k))
      let reached = gain + 0.8 * sin(Double(k) * seed)
      let input = level - 5 + 3 * sin(Double(k) * 1.7 * seed)
      ear.targetGain.append(CurvePoint(x: frequency, y: gain))
      ear.achievedGain.append(CurvePoint(x: frequency, y: k == 20 ? .nan : reached))
      ear.input.append(CurvePoint(x: frequency, y: input))
      ear.output.append(CurvePoint(x: frequency, y: input + reached))
      ear.outputLimit.append(CurvePoint(x: frequency, y: 105))
    }
    for n in 0..<360 {
      let time = Double(n) * 0.05
      let word = 12 * sin(time * 5.1) + 9 * sin(time * 1.3 * seed)
      let pause = time.truncatingRemainder(dividingBy: 4.5) > 3.8
      let level = pause ? 28 : 58 + word
      ear.inputCourse.append(CurvePoint(x: time, y: level))
      ear.outputCourse.append(CurvePoint(x: time, y: level + 14 - level / 12))
    }
    ear.inputLevel = 65
    ear.outputLevel = 74.3
    return ear
  }

  static let report = RenderingReport(
    inputName: "Front_Center.wav", audiogramName: "Bisgaard N3 (right), S2 (left)",
    ruleName: "NAL-RP, 1.7:1", calibration: "provisional: 0 dB FS taken as 100 dB SPL, no device measured",
    sampleRate: 44_100, duration: 18,
    ears: Binaural(left: ear(.s2, seed: 1.37), right: ear(.n3, seed: 1.1)))
}
