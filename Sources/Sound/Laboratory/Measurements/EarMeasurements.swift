import Acoustics

/// Every figure and curve of one ear, with the device's stated calibration.
package struct EarMeasurements: Sendable {
  /// One input–output curve.
  package struct InputOutput: Sendable, Equatable {
    /// Hz; nil: speech-shaped noise.
    package var frequency: Double?
    /// Input against output, dB SPL.
    package var curve: [CurvePoint]
  }

  /// Insertion gain for steady speech-shaped noise beside what is prescribed for it.
  package struct SpeechGain: Sendable, Equatable {
    /// dB SPL.
    package var level: Double
    /// By third octave, dB.
    package var measured: [CurvePoint]
    package var target: [CurvePoint]

    /// Greatest distance from the target from 250 Hz to 6 kHz, dB, with its sign and place.
    package var worst: CurvePoint {
      let differences = zip(measured, target).filter { (240...6400).contains($0.0.x) }.map {
        CurvePoint(x: $0.x, y: $0.y - $1.y)
      }
      return differences.max { abs($0.y) < abs($1.y) } ?? CurvePoint(x: 0, y: 0)
    }
  }

  package var ear: Ear
  package var inputOutput: [InputOutput] = []
  /// Output for tones of 60 dB SPL, dB SPL.
  package var response: [CurvePoint] = []
  /// Output for tones of 90 dB SPL, dB SPL.
  package var loudResponse: [CurvePoint] = []
  /// High-frequency average gain for 50 dB SPL, dB: full-on gain.
  package var softGain = 0.0
  package var distortions: [Distortion] = []
  package var noise = NoiseReading(input: -.infinity, output: -.infinity, silence: -.infinity)
  package var steps = StepResponse(attack: nil, release: nil)
  /// Group delay of the chain beyond its block, s.
  package var delays: [CurvePoint] = []
  package var speechGains: [SpeechGain] = []
  package var speech: [SpeechDynamics] = []

  /// Greatest output seen for any tone, dB SPL.
  package var maximumOutput: CurvePoint {
    let loud = inputOutput.compactMap { curve in
      curve.frequency.flatMap { frequency in
        curve.curve.map(\.y).max().map { CurvePoint(x: frequency, y: $0) }
      }
    }
    return (loudResponse + loud).max { $0.y < $1.y } ?? CurvePoint(x: 0, y: -.infinity)
  }

  /// Mean output for 90 dB SPL at 1000, 1600 and 2500 Hz, dB SPL.
  package var highFrequencyOutput: Double { ToneCurves.highFrequencyAverage(loudResponse) }
  /// Mean gain for 60 dB SPL there, dB.
  package var highFrequencyGain: Double { ToneCurves.highFrequencyAverage(response, less: 60) }
  /// ANSI/ASA S3.22's reference test gain, dB: ``highFrequencyOutput`` less 77 dB.
  package var referenceTestGain: Double { highFrequencyOutput - 77 }
  /// True when the aid has less gain than ``referenceTestGain``, so that the standard measures it as it is. The standard's 1.5 dB are the
  /// tolerance of a gain control's setting, and a fitting has none.
  package var isFullOn: Bool { highFrequencyGain < referenceTestGain }
  package var bandwidth: Bandwidth { Bandwidth(of: response) }
  package var smoothness: Smoothness { Smoothness(of: response) }
  /// Output noise less the gain for soft sound, dBA SPL.
  package var equivalentInputNoise: Double { noise.output - softGain }
  /// Longest delay from 200 Hz to 8 kHz, s.
  package var longestDelay: Double { delays.map(\.y).max() ?? 0 }

  /// Static compression ratio at 2 kHz between 55 and 80 dB SPL; nil without such a curve.
  package var staticRatio: Double? {
    guard let curve = inputOutput.first(where: { $0.frequency == StepResponse.frequency })?.curve,
      let slope = ToneCurves.slope(curve, from: 55, to: 80), slope > 0.01
    else { return nil }
    return 1 / slope
  }
}
