import Acoustics

/// The result of rendering a recording through a prescription, ready to be drawn.
package struct RenderingReport: Sendable, Equatable {
  /// What was rendered, such as the file's name.
  package var inputName: String
  /// Whose hearing, such as "Bisgaard N3".
  package var audiogramName: String
  /// Fitting rule, such as "NAL-RP".
  package var ruleName: String
  /// Program that was heard, such as "music"; nil: the prescribed gain and nothing else.
  package var programName: String?
  /// How far the levels can be trusted, such as "provisional: 0 dB FS taken as 100 dB SPL".
  package var calibration: String
  /// Hz.
  package var sampleRate: Double
  /// Length of the recording, s.
  package var duration: Double
  package var ears: Binaural<EarRendering>

  /// - Parameters:
  ///   - sampleRate: Hz.
  ///   - duration: s.
  package init(
    inputName: String, audiogramName: String, ruleName: String, programName: String? = nil,
    calibration: String, sampleRate: Double, duration: Double, ears: Binaural<EarRendering>
  ) {
    self.inputName = inputName
    self.audiogramName = audiogramName
    self.ruleName = ruleName
    self.programName = programName
    self.calibration = calibration
    self.sampleRate = sampleRate
    self.duration = duration
    self.ears = ears
  }
}

/// What one ear was given, and what came out for it.
///
/// Frequencies are in Hz and rise, times are in s and rise. A list may be empty; its part of the picture is
/// then left out.
package struct EarRendering: Sendable, Equatable {
  /// The listener's hearing, when known.
  package var audiogram: Audiogram?
  /// Insertion gain the fitting rule asks for at the levels of this input, dB.
  package var targetGain: [SpectrumPoint] = []
  /// Output minus input third-octave level, dB; not a number where the input is too weak to tell.
  package var achievedGain: [SpectrumPoint] = []
  /// Third-octave levels of the input, dB SPL.
  package var input: [SpectrumPoint] = []
  /// Third-octave levels of the output, dB SPL.
  package var output: [SpectrumPoint] = []
  /// Highest band level the limiter lets through, dB SPL.
  package var outputLimit: [SpectrumPoint] = []
  /// The listener's threshold of hearing for tones, dB SPL in the same coupler as the output.
  package var threshold: [SpectrumPoint] = []
  /// Input level with Fast weighting (IEC 61672, 125 ms), dB SPL.
  package var inputCourse: [LevelSample] = []
  /// Output level with Fast weighting, dB SPL.
  package var outputCourse: [LevelSample] = []
  /// Equivalent continuous level of the whole input, dB SPL.
  package var inputLevel: Double?
  /// Equivalent continuous level of the whole output, dB SPL.
  package var outputLevel: Double?
  /// Further figures beside the audiogram, each a name and a value with its unit; room for two beside the
  /// levels and the average.
  package var figures: [KeyFigure] = []

  package init() {}
}

/// A number worth reading out, such as "Gain error" "0.4 dB".
package struct KeyFigure: Sendable, Equatable {
  package var name: String
  /// The number with its unit.
  package var value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// A sound level at one time.
package struct LevelSample: Sendable, Equatable {
  /// From the start of the recording, s.
  package var time: Double
  /// dB SPL; minus infinity for silence.
  package var level: Double

  package init(time: Double, level: Double) {
    self.time = time
    self.level = level
  }
}

/// A level or a gain at one frequency.
package struct SpectrumPoint: Sendable, Equatable {
  /// Hz.
  package var frequency: Double
  /// dB, of the kind that the curve says; not a number where nothing was measured.
  package var level: Double

  package init(frequency: Double, level: Double) {
    self.frequency = frequency
    self.level = level
  }

  var point: DataPoint { DataPoint(x: frequency, y: level) }
}

/// Ranges shared by the plots of both ears, so that the ears can be compared by eye.
struct ReportScales: Equatable {
  /// Frequencies shown, Hz: the third octaves from 100 Hz to 10 kHz and half a band beyond.
  static let frequencies = 88.0...11_300

  /// Insertion gain, dB.
  let gain: ClosedRange<Double>
  /// Band levels, dB SPL.
  let bandLevel: ClosedRange<Double>
  /// Levels over time, dB SPL.
  let level: ClosedRange<Double>

  init(_ report: RenderingReport) {
    let ears = [report.ears.right, report.ears.left]
    func shown(_ points: [SpectrumPoint]) -> [Double] {
      points.filter { Self.frequencies.contains($0.frequency) }.map(\.level)
    }
    gain = Self.range(
      ears.flatMap { shown($0.targetGain) + shown($0.achievedGain) }, step: 10, least: 0...30, span: 120)
    bandLevel = Self.range(
      ears.flatMap { shown($0.input) + shown($0.output) + shown($0.outputLimit) + shown($0.threshold) },
      step: 20, least: 20...100, span: 140)
    level = Self.range(
      ears.flatMap { ($0.inputCourse + $0.outputCourse).map(\.level) }, step: 20, least: 40...80, span: 100)
  }

  /// The multiples of `step` around the values and `least`; what lies more than `span` below the top falls
  /// off, so that digital silence does not press the rest flat.
  static func range(
    _ values: [Double], step: Double, least: ClosedRange<Double>, span: Double
  ) -> ClosedRange<Double> {
    // Levels beyond these are no sound (pressure below 1 pPa, or above an explosion): a mistake in the data
    // shall not stretch the axis.
    let finite = values.filter { $0 > -145 && $0 < 250 }
    // A tenth of a step above the highest value keeps a line off the frame.
    let highest = (finite.max() ?? least.lowerBound) + step / 10
    let top = (max(highest, least.upperBound) / step).rounded(.up) * step
    let bottom = (min(finite.min() ?? least.lowerBound, least.lowerBound) / step).rounded(.down) * step
    return max(bottom, top - span)...top
  }
}
