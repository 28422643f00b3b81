import Acoustics
import Control
import Drawing
import HearingAid

/// A rendering as a picture: hearing, target and achieved gain, spectra and levels of both ears.
struct RenderingPicture {
  private let result: RenderingResult
  private let audiogramName: String

  init(_ result: RenderingResult, audiogramName: String) {
    self.result = result
    self.audiogramName = audiogramName
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
    let name = result.inputs.count == 1 ? result.inputs[0] : "\(result.inputs.count) recordings"
    return RenderingReport(
      inputName: name.split(separator: "/").last.map(String.init) ?? name, audiogramName: audiogramName,
      ruleName: result.settings.rule.name,
      calibration: "stated: 0 dB FS in the recording is \(DecibelText.level(scale)) SPL",
      sampleRate: result.sampleRate, duration: result.duration,
      ears: Binaural(left: rendering(.left), right: rendering(.right)))
  }

  private func rendering(_ ear: Ear) -> EarRendering {
    let seen = result.ears[ear]
    let bands = result.settings.bands
    var rendering = EarRendering()
    rendering.audiogram = result.settings.audiograms?[ear]
    rendering.targetGain = zip(bands.centres, seen.targetGains(bands: bands)).map {
      SpectrumPoint(frequency: $0, level: $1)
    }
    rendering.achievedGain = zip(seen.input.thirdOctaves, seen.output.thirdOctaves).map { input, output in
      SpectrumPoint(frequency: input.frequency, level: output.level - input.level)
    }
    rendering.input = seen.input.thirdOctaves.map { SpectrumPoint(frequency: $0.frequency, level: $0.level.decibels) }
    rendering.output = seen.output.thirdOctaves.map { SpectrumPoint(frequency: $0.frequency, level: $0.level.decibels) }
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
