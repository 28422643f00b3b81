import Acoustics
import Base
import Engine
import Laboratory

/// The result of rendering a recording through a prescription, as one page.
///
///     try RenderingReport(result, audiogramName: "Bisgaard N3", programName: nil).picture().write(to:
///     path)
package struct RenderingReport: Sendable, Equatable {
  /// Name of the recording.
  var inputName: String
  /// Name of the audiogram, such as "Bisgaard N3".
  var audiogramName: String
  /// Fitting rule, such as "NAL-RP".
  var ruleName: String
  /// Program in force, such as "music"; nil: the prescribed gain and nothing else.
  var programName: String?
  /// Trust in the levels, such as "provisional: 0 dB FS taken as 100 dB SPL".
  var calibration: String
  /// Hz.
  var sampleRate: Double
  /// Length of the recording, s.
  var duration: Double
  var ears: Binaural<EarRendering>
}

/// Input and output of one ear. Frequencies and times rise; a list may be empty, and its part of the
/// picture is then left out.
struct EarRendering: Sendable, Equatable {
  /// The listener's hearing, when known.
  var audiogram: Audiogram?
  /// Insertion gain the fitting rule asks for at the levels of this input, dB against Hz.
  var targetGain: [CurvePoint] = []
  /// Output minus input third-octave level, dB; not a number where the input is too weak to tell.
  var achievedGain: [CurvePoint] = []
  /// Third-octave levels of the input, dB SPL against Hz.
  var input: [CurvePoint] = []
  /// Third-octave levels of the output, dB SPL.
  var output: [CurvePoint] = []
  /// Highest band level the limiter lets through, dB SPL.
  var outputLimit: [CurvePoint] = []
  /// Input level with Fast weighting (IEC 61672, 125 ms), dB SPL against s; minus infinity for silence.
  var inputCourse: [CurvePoint] = []
  /// Output level with Fast weighting, dB SPL.
  var outputCourse: [CurvePoint] = []
  /// Equivalent continuous level of the whole input, dB SPL.
  var inputLevel: Double?
  /// Equivalent continuous level of the whole output, dB SPL.
  var outputLevel: Double?
}

extension RenderingReport {
  /// - Parameters:
  ///   - inputName: Name of the sound; nil takes the name of the first recording.
  ///   - programName: Names of the programs; nil: none was in force.
  package init(
    _ result: RenderingResult, audiogramName: String, inputName: String? = nil, programName: String?
  ) {
    let scale = result.settings.microphones.channels[0].nominalLevel.decibels
    self.init(
      inputName: inputName ?? result.inputs.first.map(FilePath.name) ?? "recording",
      audiogramName: audiogramName, ruleName: result.settings.ruleName, programName: programName,
      calibration: "stated: 0 dB FS in the recording is \(NumberText.fixed(scale)) dB SPL",
      sampleRate: result.sampleRate, duration: result.duration,
      ears: Binaural(left: EarRendering(.left, result), right: EarRendering(.right, result)))
  }
}

extension EarRendering {
  init(_ ear: Ear, _ result: RenderingResult) {
    let (seen, bands) = (result.ears[ear], result.settings.bands)
    // No audiogram reaches further; sound there is amplified as just below it.
    let prescribed = 0.0...8_100.0
    audiogram = result.settings.audiograms?[ear]
    targetGain = zip(bands.centres, seen.targetGains(bands: bands))
      .map { CurvePoint(x: $0, y: $1) }.filter { prescribed.contains($0.x) }
    achievedGain = zip(seen.input.thirdOctaves, seen.output.thirdOctaves)
      .map { CurvePoint(x: $0.frequency, y: $1.level - $0.level) }.filter { prescribed.contains($0.x) }
    input = seen.input.thirdOctaves.map { CurvePoint(x: $0.frequency, y: $0.level.decibels) }
    output = seen.output.thirdOctaves.map { CurvePoint(x: $0.frequency, y: $0.level.decibels) }
    outputLimit = zip(bands.centres, seen.fitting.bandLimits).map { CurvePoint(x: $0, y: $1.decibels) }
    inputCourse = seen.input.course.map { CurvePoint(x: $0.time, y: $0.level.decibels) }
    outputCourse = seen.output.course.map { CurvePoint(x: $0.time, y: $0.level.decibels) }
    inputLevel = seen.input.equivalentLevel.value.decibels
    outputLevel = seen.output.equivalentLevel.value.decibels
  }
}
