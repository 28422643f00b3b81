import Acoustics

@testable import Service

extension SpectrumReport {
  /// Two like ears with 60 dB SPL at the microphone and 70 in the ear.
  ///
  /// - Parameters:
  ///   - time: s.
  ///   - centres: Of the bands, Hz.
  ///   - level: In each band at the microphone, dB SPL.
  static func sample(
    at time: Double = 1, bands centres: [Double] = BandLayout.standard.centres, level: Double = 50,
    scene: String? = "speech"
  ) -> SpectrumReport {
    func sound(_ whole: Double, _ band: Double) -> Sound {
      Sound(
        levelDBSPL: whole, binsDBSPL: [whole, whole], thirdOctavesDBSPL: [whole],
        bandsDBSPL: centres.map { _ in band })
    }
    let ten = centres.map { _ in 10.0 }
    let gain = Gain(
      levelDBSPL: centres.map { _ in 50 }, targetDB: ten, appliedDB: ten,
      partsDB: ["prescription": ten, "ramp": centres.map { _ in 0 }],
      feedbackEstimateDB: centres.map { _ in -40 })
    let ear = Ear(input: sound(60, level), output: sound(70, 60), gain: gain, isFitted: true)
    return SpectrumReport(
      schema: newest, timeSeconds: time, setting: 1,
      frequencies: Frequencies(binWidthHz: 86.13, thirdOctavesHz: [1000], bandsHz: centres), left: ear,
      right: ear, scene: scene, isWindy: false, loadShare: 0.04, inputCalibration: .provisional,
      outputCalibration: .provisional, isMuted: false)
  }
}
