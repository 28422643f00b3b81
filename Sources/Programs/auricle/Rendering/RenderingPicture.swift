import Acoustics
import Base
import Control
import Drawing
import Engine

/// A rendering as a picture: hearing, target and achieved gain, spectra and levels of both ears.
struct RenderingPicture {
  private let result: RenderingResult
  private let inputName: String
  private let audiogramName: String

  /// - Parameter inputName: Name of the input; nil takes that of the first recording.
  init(_ result: RenderingResult, audiogramName: String, inputName: String? = nil) {
    self.result = result
    self.audiogramName = audiogramName
    let file = result.inputs.first?.split(separator: "/").last.map(String.init)
    self.inputName = inputName ?? file ?? "recording"
  }

  func write(to path: String) throws(Failure) {
    do {
      try RenderingReportDrawing(report).picture().write(to: path)
    } catch {
      throw RenderingFailures.failure(error)
    }
  }

  private var report: RenderingReport {
    let scale = result.settings.microphones.channels[0].nominalLevel
    return RenderingReport(
      inputName: inputName, audiogramName: audiogramName,
      ruleName: result.settings.ruleName, programName: result.programNames,
      calibration: "stated: 0 dB FS in the recording is \(DecibelText.level(scale)) SPL",
      sampleRate: result.sampleRate, duration: result.duration,
      ears: Binaural(left: rendering(.left), right: rendering(.right)))
  }

  private func rendering(_ ear: Ear) -> EarRendering {
    let seen = result.ears[ear]
    let bands = result.settings.bands
    var rendering = EarRendering()
    rendering.audiogram = result.settings.audiograms?[ear]
    // No audiogram reaches further; what is heard there is held from below.
    let prescribed = 0.0...8_100.0
    rendering.targetGain = zip(bands.centres, seen.targetGains(bands: bands))
      .filter { prescribed.contains($0.0) }
      .map { SpectrumPoint(frequency: $0, level: $1) }
    rendering.achievedGain = zip(seen.input.thirdOctaves, seen.output.thirdOctaves)
      .filter { prescribed.contains($0.0.frequency) }
      .map { input, output in SpectrumPoint(frequency: input.frequency, level: output.level - input.level) }
    rendering.input = seen.input.thirdOctaves.map {
      SpectrumPoint(frequency: $0.frequency, level: $0.level.decibels)
    }
    rendering.output = seen.output.thirdOctaves.map {
      SpectrumPoint(frequency: $0.frequency, level: $0.level.decibels)
    }
    rendering.outputLimit = zip(bands.centres, seen.fitting.bandLimits).map {
      SpectrumPoint(frequency: $0, level: $1.decibels)
    }
    rendering.inputCourse = seen.input.course.map { LevelSample(time: $0.time, level: $0.level.decibels) }
    rendering.outputCourse = seen.output.course.map { LevelSample(time: $0.time, level: $0.level.decibels) }
    rendering.inputLevel = seen.input.equivalentLevel.value.decibels
    rendering.outputLevel = seen.output.equivalentLevel.value.decibels
    return rendering
  }
}
