import Acoustics
import Control
import Engine
import HearingDSP

/// Sound before and behind the aid at one moment, and the gain between them with its parts: one line of a
/// watched spectrum or of a recording.
///
/// Lists of bands have one number for each of ``Frequencies/bandsHz``, lists of third octaves and bins likewise.
package struct SpectrumReport: Sendable, Codable, Equatable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  package static let newest = 102

  package let schema: Int
  /// Since the watching began, s; of a recording's first frame 0.1 or so.
  package let timeSeconds: Double
  /// Number of the setting in force; 0 while a measurement plays.
  package let setting: Int
  package let frequencies: Frequencies
  package let left: Ear
  package let right: Ear
  /// Scene, such as "speech"; nil until it is known.
  package let scene: String?
  package let isWindy: Bool
  /// Greatest share of a period that a block took since the frame before.
  package let loadShare: Double
  /// Calibration of the levels at the microphones, and at the ears.
  package let inputCalibration: CalibrationStatus
  package let outputCalibration: CalibrationStatus
  /// Changes by debug mode at that time, in words, empty for nothing; nil while it is off.
  package var debug: [String]?
  /// True while the aid was muted; nil in recordings before schema 102.
  package var isMuted: Bool?

  package struct Frequencies: Sendable, Codable, Equatable {
    /// Distance of the bins, the first at 0 Hz.
    package let binWidthHz: Double
    package let thirdOctavesHz: [Double]
    package let bandsHz: [Double]
  }

  package struct Ear: Sendable, Codable, Equatable {
    package let input: Sound
    package let output: Sound
    /// Nil while a measurement plays.
    package let gain: Gain?
    /// False for an ear without an audiogram, which nothing is amplified for; nil in recordings before schema 102.
    package var isFitted: Bool?
  }

  package struct Sound: Sendable, Codable, Equatable {
    package let levelDBSPL: Double
    package let binsDBSPL: [Double]
    package let thirdOctavesDBSPL: [Double]
    package let bandsDBSPL: [Double]
  }

  package struct Gain: Sendable, Codable, Equatable {
    /// Level of each band as the chain reads it.
    package let levelDBSPL: [Double]
    /// Gain that the setting asks for at the band's level over a second.
    package let targetDB: [Double]
    /// Gain from microphone to ear in this hop.
    package let appliedDB: [Double]
    /// Each part of ``appliedDB``, by its name.
    package let partsDB: [String: [Double]]
    /// Estimated feedback path, full scale to full scale.
    package let feedbackEstimateDB: [Double]
  }
}

extension SpectrumReport {
  /// - Parameters:
  ///   - hearing: Settings in force, whose calibrations hold.
  ///   - isDebugging: True in debug mode.
  ///   - isMuted: True while the aid is muted.
  package init(
    _ frame: SpectrumFrame, _ hearing: HearingSettings, isDebugging: Bool = false, isMuted: Bool = false
  ) {
    func ear(_ ear: Acoustics.Ear) -> Ear {
      Ear(frame.ears[ear], isFitted: hearing.fittedEars.contains(ear))
    }
    self.init(
      schema: Self.newest, timeSeconds: Self.rounded(frame.time, 1000), setting: frame.setting,
      frequencies: Frequencies(
        binWidthHz: frame.scale.binWidth,
        thirdOctavesHz: frame.scale.thirdOctaves.map { Self.rounded($0.centre) },
        bandsHz: frame.scale.bands.centres), left: ear(.left), right: ear(.right),
      scene: frame.scene.scene.map { "\($0)" }, isWindy: frame.scene.isWindy,
      loadShare: Self.rounded(frame.load, 10_000), inputCalibration: hearing.microphones.device.status,
      outputCalibration: frame.setting == 0 ? hearing.earphones.device.status : hearing.outputLevelStatus,
      debug: isDebugging ? hearing.debug?.words ?? [] : nil, isMuted: isMuted)
  }

  /// A hundredth of a decibel, finer than anything that is measured here.
  fileprivate static func rounded(_ value: Double, _ steps: Double = 100) -> Double {
    value.isFinite ? (value * steps).rounded() / steps + 0 : -200
  }

  /// One ear.
  package func ear(_ ear: Acoustics.Ear) -> Ear { ear == .left ? left : right }

  /// True of a moment in which sound came and was played at its full level: neither muted, nor in the rise from
  /// silence or the fall to it, nor during a measurement.
  package var isHeard: Bool {
    let ramps = [left, right].compactMap { $0.gain.map { $0.partsDB[GainPart.ramp.key] ?? [] } }
    return isMuted != true && !ramps.isEmpty && ramps.joined().allSatisfy { abs($0) < 0.05 }
      && [left, right].contains { !Silence.isLevel($0.input.levelDBSPL) }
  }

  /// Numbers that stand for silence.
  package enum Silence {
    /// Highest level that is no sound, dB SPL: the motion of the air's molecules alone is louder.
    private static let level = -50.0
    /// Highest gain that counts as silence, dB.
    private static let gain = -100.0

    package static func isLevel(_ level: Double) -> Bool { level <= Self.level }

    /// The level; not a number for silence, which is drawn and written as such.
    package static func level(_ level: Double) -> Double { isLevel(level) ? .nan : level }

    /// The gain; not a number where nothing is played.
    package static func gain(_ gain: Double) -> Double { gain <= Self.gain ? .nan : gain }
  }
}

extension SpectrumReport.Ear {
  fileprivate init(_ ear: EarSpectrum, isFitted: Bool) {
    self.init(
      input: SpectrumReport.Sound(ear.input), output: SpectrumReport.Sound(ear.output),
      gain: ear.gains.isEmpty ? nil : SpectrumReport.Gain(ear), isFitted: isFitted)
  }
}

extension SpectrumReport.Sound {
  fileprivate init(_ sound: SoundSpectrum) {
    func rounded(_ levels: [Double]) -> [Double] { levels.map { SpectrumReport.rounded($0) } }
    self.init(
      levelDBSPL: SpectrumReport.rounded(sound.level), binsDBSPL: rounded(sound.bins),
      thirdOctavesDBSPL: rounded(sound.thirdOctaves), bandsDBSPL: rounded(sound.bands))
  }
}

extension SpectrumReport.Gain {
  fileprivate init(_ ear: EarSpectrum) {
    func rounded(_ values: [Double]) -> [Double] { values.map { SpectrumReport.rounded($0) } }
    self.init(
      levelDBSPL: rounded(ear.gains.map(\.level)), targetDB: rounded(ear.targets),
      appliedDB: rounded(ear.gains.map(\.applied)),
      partsDB: Dictionary(
        uniqueKeysWithValues: GainPart.allCases.map { part in
          (part.key, rounded(ear.gains.map { $0[part] }))
        }),
      feedbackEstimateDB: rounded(ear.feedbackEstimate))
  }
}

extension GainPart {
  /// Key in JSON, `noise_reduction`.
  package var key: String { JSON.key(of: rawValue) }
}
