import Acoustics
import Base
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
    let ears = try TestBox(subject: subject).measurements(progress: progress)
    var findings: [Finding] = []
    for measured in ears {
      var fitting = try subject.hearing.fitting(for: measured.ear)
      let target = FittedTarget(fitting: fitting, bands: subject.hearing.bands)
      fitting.curves = fitting.curves.map(\.withoutExpansion)
      let quiet = FittedTarget(fitting: fitting, bands: subject.hearing.bands)
      findings += Judgement(measured: measured, subject: subject, target: target, quiet: quiet).findings
    }
    (self.subject, self.ears) = (subject, ears)
    self.findings = Finding.Source.allCases.flatMap { source in findings.filter { $0.source == source } }
  }

  /// Limits that are broken.
  package var broken: [Finding] { findings.filter { $0.verdict == .broken } }

  /// Limits that apply and cannot be judged by what is known.
  package var open: [Finding] { findings.filter { $0.verdict == .notJudged } }

  /// True when every limit that applies is judged, and met.
  package var isMet: Bool { broken.isEmpty && open.isEmpty }
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
  /// Origin of sizes and delay of the devices.
  package var surroundings = Surroundings.configured
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
    (self.geometry, self.periods, self.deviceLatency) = (geometry, periods, deviceLatency)
    (self.converterBits, self.microphoneNoise) = (converterBits, microphoneNoise)
    self.speechSeconds = speechSeconds
  }

  private static func standard(_ hearing: HearingSettings) -> HearingSettings {
    var plain = hearing
    plain.program = nil
    plain.adjustment = .none
    return plain
  }

  /// Delay of blocks and devices in addition to the chain's own and ``deviceLatency``, s.
  package var blockLatency: Double {
    switch surroundings {
    case .running(let told?), .measured(let told): told
    case .configured, .running(nil): Double(periods * geometry.blockFrames) / geometry.sampleRate
    }
  }

  /// Origin of what is known of the devices around the chain.
  package enum Surroundings: Sendable, Equatable {
    /// Periods that are asked for; a device may choose others.
    case configured
    /// Periods of an aid that runs, and the delay of its loop without the chain's own as the devices tell it, s; nil: they have
    /// not told it yet.
    case running(told: Double?)
    /// The same by a measurement: with converters and radio, which ``Subject/deviceLatency`` must not count again.
    case measured(Double)

    package var isMeasured: Bool { if case .measured = self { true } else { false } }

    /// Word of it in JSON.
    var word: String {
      switch self {
      case .configured: "configuration"
      case .running(nil): "running aid"
      case .running: "running devices"
      case .measured: "measurement"
      }
    }
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
struct TestBox: Sendable {
  let subject: Subject
  /// Ears that are measured: the fitted ones, or both where none is.
  var ears: [Ear] { subject.hearing.fittedEars.isEmpty ? Ear.allCases : subject.hearing.fittedEars }

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

  /// Runs every measurement.
  ///
  /// - Parameter progress: Told the share that is done, 0...1.
  /// - Throws: ``FittingFailure`` where the settings make no sound.
  func measurements(progress: (Double) -> Void) throws(FittingFailure) -> [EarMeasurements] {
    var results = Binaural<EarMeasurements> { EarMeasurements(ear: $0) }
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

  /// Time of rest after which the slowest time constant has released, s.
  var recovery: Double { min(0.5 + 4 * subject.hearing.dynamics.standardRelease, 20) }

  /// A bench with a chain made as ``HearingSettings/parameters(for:)`` makes it, everything adaptive off.
  func bench(
    dynamics: Dynamics? = nil, changing change: (inout EarFitting) -> Void = { _ in }
  ) throws(FittingFailure) -> Bench<ChainPath> {
    let (hearing, geometry) = (subject.hearing, subject.geometry)
    let dynamics = dynamics ?? hearing.dynamics
    var ears = try hearing.fittings()
    ears.forEach { fitting in
      (fitting.lowering, fitting.tinnitusSound) = (nil, nil)
      change(&fitting)
    }
    let parameters = try rethrowing(
      FittingFailure.chain,
      try ChainParameters(
        ears, dynamics: dynamics, treatment: .plain, bands: hearing.bands, geometry: geometry))
    let path = try rethrowing(
      FittingFailure.chain, try ChainPath(parameters, bands: hearing.bands, geometry: geometry))
    let (left, right) = try rethrowing(
      FittingFailure.calibration,
      (try hearing.microphones.sensitivity(channel: 0), try hearing.microphones.sensitivity(channel: 1)))
    return Bench(
      path: path, microphones: Binaural(left: left, right: right),
      earphones: hearing.earphones.sensitivity, settling: min(0.15 + 4 * dynamics.attack, 5))
  }
}
