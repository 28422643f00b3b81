import Acoustics
import Engine
import Fitting
import Glibc
import HearingDSP

/// Figures of a fitting together with every limit they were held against.
package struct Verification: Sendable {
  package let subject: Subject
  package let ears: [EarMeasurements]
  /// In the order of a report: by source, then as the source has them, then by ear.
  package let findings: [Finding]

  /// Measures and judges.
  ///
  /// - Parameter progress: Told the share that is done, 0...1.
  /// - Throws: ``FittingFailure`` where the settings make no sound.
  package init(_ subject: Subject, progress: (Double) -> Void = { _ in }) throws(FittingFailure) {
    let ears = try TestBox(subject).measurements(progress: progress)
    var findings: [Finding] = []
    for measured in ears {
      let fitting = try subject.hearing.fitting(for: measured.ear)
      let target = FittedTarget(fitting, bands: subject.hearing.bands)
      let quiet = FittedTarget(
        fitting.curves.map(\.withoutExpansion), limits: fitting.bandLimits,
        outputLimit: fitting.outputLimit, bands: subject.hearing.bands)
      findings += Judgement(measured: measured, subject: subject, target: target, quiet: quiet).findings
    }
    self.subject = subject
    self.ears = ears
    self.findings = Finding.Source.allCases.flatMap { source in
      findings.filter { $0.source == source }
    }
  }

  /// Limits that are broken.
  package var broken: [Finding] { findings.filter { $0.verdict == .broken } }

  /// True when every limit that applies is met.
  package var isMet: Bool { broken.isEmpty }
}

/// Object of a measurement: a fitting, the sizes of its chain, and the stated data of the devices around
/// it.
///
/// - Threads: any.
package struct Subject: Sendable {
  /// Prescription, times, limits and calibrations; no program, volume and tone as prescribed, as ANSI/ASA
  /// S3.22 asks.
  package var hearing: HearingSettings {
    didSet { hearing = Self.standard(hearing) }
  }
  package var geometry: ChainGeometry
  /// Periods of the device's buffer, of which each delays the sound by itself.
  package var periods: Int
  /// Stated delay of converters and radio, s.
  package var deviceLatency: Double
  /// Bits of the microphone's converter.
  package var converterBits: Int
  /// Stated noise of the microphone itself, dBA SPL; nil: not stated, so not in the figures.
  package var microphoneNoise: Double?
  /// Length of the speech-like signal, s; the first 15 are left out.
  package var speechSeconds: Double

  package init(
    hearing: HearingSettings, geometry: ChainGeometry, periods: Int = 3, deviceLatency: Double = 0,
    converterBits: Int = 24, microphoneNoise: Double? = nil, speechSeconds: Double = 60
  ) {
    self.hearing = Self.standard(hearing)
    self.geometry = geometry
    self.periods = periods
    self.deviceLatency = deviceLatency
    self.converterBits = converterBits
    self.microphoneNoise = microphoneNoise
    self.speechSeconds = speechSeconds
  }

  private static func standard(_ hearing: HearingSettings) -> HearingSettings {
    var plain = hearing
    plain.program = nil
    plain.adjustment = .none
    return plain
  }

  /// Delay of blocks and periods in addition to the chain's own, s.
  package var blockLatency: Double {
    Double(periods * geometry.blockFrames) / geometry.sampleRate
  }
}

/// The test box of the laboratory: plays the standards' signals through the chain that the live aid plays
/// and reads what comes out.
///
/// As ANSI/ASA S3.22 demands, everything adaptive is off: no noise reduction, no feedback canceller,
/// nothing added. The figures are those of the digital chain with the stated calibration of its devices,
/// not of a coupler.
///
/// - Threads: control. A run takes a few seconds.
package struct TestBox: Sendable {
  package let subject: Subject
  /// Ears that are measured: the fitted ones, or both where none is.
  package let ears: [Ear]

  /// Frequencies at which the delay is read: the audiometric ones but the lowest, Hz.
  static let delayFrequencies: [Double] = [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000]
  /// Tones with an input–output curve, Hz.
  static let inputOutputFrequencies: [Double] = [500, 1000, 2000, 4000]
  /// Inputs of input–output curves, dB SPL.
  static let inputOutputLevels = Array(stride(from: 40.0, through: 100, by: 5))
  /// Tones whose distortion is read: 21 CFR 800.30 and ANSI/CTA-2051 (500 Hz at 70 and 100 dB SPL, 800 and
  /// 1600 Hz), and two loud ones for the limiter.
  static let distortionTones: [(frequency: Double, level: Double)] = [
    (500, 70), (800, 70), (1600, 65), (500, 100), (800, 100), (1600, 100),
  ]

  package init(_ subject: Subject) {
    self.subject = subject
    let fitted = subject.hearing.fittedEars
    ears = fitted.isEmpty ? Ear.allCases : fitted
  }

  /// Runs every measurement.
  ///
  /// - Parameter progress: Told the share that is done, 0...1.
  /// - Throws: ``FittingFailure`` where the settings make no sound.
  package func measurements(
    progress: (Double) -> Void = { _ in }
  ) throws(FittingFailure) -> [EarMeasurements] {
    var results = Binaural(left: EarMeasurements(.left), right: EarMeasurements(.right))
    progress(0)
    try measureTones(&results, progress)
    try measureNoise(&results)
    progress(0.45)
    try measureSteps(&results)
    try measureDelay(&results)
    progress(0.55)
    try measureSpeech(&results, progress)
    progress(1)
    return ears.map { results[$0] }
  }

  /// Fittings of both ears.
  func fittings() throws(FittingFailure) -> Binaural<EarFitting> {
    Binaural(left: try subject.hearing.fitting(for: .left), right: try subject.hearing.fitting(for: .right))
  }

  /// Time of rest after which the slowest time constant has released, s.
  var recovery: Double { min(0.5 + 4 * subject.hearing.dynamics.standardRelease, 20) }

  /// A bench with a chain made as ``HearingSettings/parameters(for:)`` makes it, everything adaptive off.
  func bench(
    dynamics: Dynamics? = nil, changing change: (inout EarFitting) -> Void = { _ in }
  ) throws(FittingFailure) -> Bench<ChainPath> {
    let hearing = subject.hearing
    var ears = try fittings()
    for ear in Ear.allCases {
      ears[ear].lowering = nil
      ears[ear].tinnitusSound = nil
      change(&ears[ear])
    }
    let path: ChainPath
    do {
      let parameters = try ChainParameters(
        ears, dynamics: dynamics ?? hearing.dynamics, treatment: .plain, bands: hearing.bands,
        geometry: subject.geometry)
      path = try ChainPath(parameters, bands: hearing.bands, geometry: subject.geometry)
    } catch {
      throw .chain(error)
    }
    let microphones: Binaural<FullScaleResponse>
    do {
      microphones = Binaural(
        left: FullScaleResponse(try hearing.microphones.sensitivity(channel: 0)),
        right: FullScaleResponse(try hearing.microphones.sensitivity(channel: 1)))
    } catch {
      throw .calibration(error)
    }
    return Bench(
      path, microphones: microphones, earphones: hearing.earphones.sensitivity.map(FullScaleResponse.init),
      settling: min(0.15 + 4 * (dynamics ?? hearing.dynamics).attack, 5))
  }
}
