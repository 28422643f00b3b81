import Acoustics
import Engine
import Fitting
import Glibc
import HearingDSP

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
    Binaural(
      left: try subject.hearing.fitting(for: .left), right: try subject.hearing.fitting(for: .right))
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
