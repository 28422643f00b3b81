import Acoustics
import Engine
import Fitting
import Glibc
import HearingDSP

/// The measurements, each on a chain of its own where it asks for one.
extension TestBox {
  func measureTones(
    _ results: inout Binaural<EarMeasurements>, _ progress: (Double) -> Void
  ) throws(FittingFailure) {
    var bench = try bench()
    bench.rest(recovery)
    let soft = ToneCurves.output(at: ToneCurves.highFrequencies, level: 50, on: &bench)
    let ordinary = ToneCurves.output(at: ToneCurves.frequencies, level: 60, on: &bench)
    progress(0.12)
    for frequency in Self.inputOutputFrequencies {
      bench.rest(recovery)
      let curves = ToneCurves.inputOutput(frequency, levels: Self.inputOutputLevels, on: &bench)
      for ear in Ear.allCases {
        results[ear].inputOutput.append(.init(frequency: frequency, curve: curves[ear]))
      }
    }
    progress(0.22)
    for tone in Self.distortionTones {
      bench.rest(recovery)
      let found = Distortion.measure(tone.frequency, level: tone.level, on: &bench)
      for ear in Ear.allCases { results[ear].distortions.append(found[ear]) }
    }
    let loud = ToneCurves.output(at: ToneCurves.frequencies, level: 90, on: &bench)
    for ear in Ear.allCases {
      (results[ear].response, results[ear].loudResponse) = (ordinary[ear], loud[ear])
      results[ear].softGain = ToneCurves.highFrequencyAverage(soft[ear], less: 50)
    }
    progress(0.35)
    var curves = Binaural(both: [CurvePoint]())
    bench.rest(recovery)
    for level in Self.inputOutputLevels {
      let transfer = NoiseTransfer.measure(level: level, rest: bench.settling + 0.3, on: &bench)
      for ear in Ear.allCases { curves[ear].append(CurvePoint(x: level, y: transfer[ear].output)) }
    }
    for ear in Ear.allCases { results[ear].inputOutput.append(.init(frequency: nil, curve: curves[ear])) }
  }

  /// Without downward expansion, which hides noise.
  func measureNoise(_ results: inout Binaural<EarMeasurements>) throws(FittingFailure) {
    var bench = try bench { $0.curves = $0.curves.map(\.withoutExpansion) }
    bench.rest(recovery)
    let found = NoiseReading.measure(
      bits: subject.converterBits, microphoneNoise: subject.microphoneNoise, on: &bench)
    for ear in Ear.allCases { results[ear].noise = found[ear] }
  }

  /// With the volume turned down and the limits out of the way: the loud tone's beginning, still amplified
  /// as the soft one was, must not reach a limiter, which acts at once and releases by a time constant of
  /// its own.
  func measureSteps(_ results: inout Binaural<EarMeasurements>) throws(FittingFailure) {
    let bands = subject.hearing.bands
    var bench = try bench { fitting in
      let gain = FittedTarget(fitting: fitting, bands: bands)
        .gain(at: StepResponse.frequency, level: StepResponse.levels.low)
      fitting.curves = fitting.curves.map { $0.shifted(by: -max(gain, 0)) }
      fitting.outputLimit = SoundPressureLevel(EarFitting.outputLimits.upperBound)
      fitting.bandLimits = fitting.bandLimits.map { _ in fitting.outputLimit }
    }
    let dynamics = subject.hearing.dynamics
    bench.rest(recovery)
    // S3.22 holds the loud tone for 1 s and then listens for 2 s; slower aids need longer.
    let found = StepResponse.measure(
      loud: max(1, 8 * (dynamics.average?.attack ?? dynamics.attack)),
      soft: max(2, 6 * dynamics.standardRelease), on: &bench)
    for ear in Ear.allCases {
      let target = FittedTarget(fitting: try subject.hearing.fitting(for: ear), bands: bands)
      let (attack, release) = (StepResponse.tolerance.attack, StepResponse.tolerance.release)
      results[ear].steps = StepResponse(
        attack: target.moves(beyond: attack) ? found[ear].attack : nil,
        release: target.moves(beyond: release) ? found[ear].release : nil)
    }
  }

  /// With the gain at rest, as speech of 65 dB SPL leaves it: a moving gain has no delay of its own.
  func measureDelay(_ results: inout Binaural<EarMeasurements>) throws(FittingFailure) {
    var still = subject.hearing.dynamics
    (still.attack, still.release, still.average) = (0.3, 1, nil)
    var bench = try bench(dynamics: still)
    let found = NoiseTransfer.measure(level: 65, rest: 4, delaysAt: Self.delayFrequencies, on: &bench)
    for ear in Ear.allCases { results[ear].delays = found[ear].delays }
  }

  func measureSpeech(
    _ results: inout Binaural<EarMeasurements>, _ progress: (Double) -> Void
  ) throws(FittingFailure) {
    var bench = try bench()
    // What is prescribed at every frequency, however few bands the configuration has.
    var prescribed = subject.hearing
    prescribed.bands = .standard
    let targets = try Binaural<FittedTarget> { ear throws(FittingFailure) in
      var fitting = try prescribed.fitting(for: ear)
      // Before anything is held back for want of a calibration.
      fitting.curves = try prescribed.curves(for: ear)
      return FittedTarget(fitting: fitting, bands: prescribed.bands)
    }
    for level in SpeechLevel.allCases.map(\.level.decibels) {
      let found = NoiseTransfer.measure(level: level, rest: recovery, on: &bench)
      for ear in Ear.allCases {
        let asked = targets[ear]
        let measured = found[ear].gains.map {
          CurvePoint(x: $0.x, y: $0.y - asked.couplerResponse(at: $0.x))
        }
        let target = measured.map { CurvePoint(x: $0.x, y: asked.speechGain(at: $0.x, overall: level)) }
        results[ear].speechGains.append(.init(level: level, measured: measured, target: target))
      }
    }
    progress(0.6)
    let speech = bench.microphones.map {
      SpeechLikeSignal(
        seconds: subject.speechSeconds, sampleRate: subject.geometry.sampleRate, microphone: $0)
    }
    for (index, level) in SpeechDynamics.levels.enumerated() {
      let found = SpeechDynamics.measure(speech, level: level, on: &bench)
      for ear in Ear.allCases { results[ear].speech.append(found[ear]) }
      progress(0.65 + 0.11 * Double(index + 1))
    }
  }
}
