public import Acoustics
import Glibc

/// Level of a stimulus in the digits, by a calibration: the one way from dB HL to samples.
///
/// dB FS = dB HL + reference threshold − dB SPL at 0 dB FS (``OutputCalibration``), for each third of an octave of noise by itself.
///
/// - Threads: any.
public struct StimulusLevel: Sendable, Equatable {
  /// Level in the coupler; of noise that of all its bands.
  public let sound: SoundPressureLevel
  /// Level in the digits: of a sine of the same power.
  public let digital: FullScaleLevel
  /// Thirds of an octave with the level of each in the digits; of a tone the one frequency.
  public let bands: [Band]
  /// Reliability of both.
  public let status: CalibrationStatus

  /// A third of an octave, or the one frequency of a tone.
  public struct Band: Sendable, Equatable {
    /// Hz.
    public let frequency: Double
    /// Level of the band alone, that of a sine of the same power.
    public let digital: FullScaleLevel
  }

  /// - Throws: ``AcousticsError`` for a frequency that earphone or reference threshold does not reach.
  public init(_ stimulus: Stimulus, by calibration: OutputCalibration) throws(AcousticsError) {
    let middles = stimulus.signal == .broadNoise ? Stimulus.broadBands : [stimulus.frequency]
    var (levels, bands): ([SoundPressureLevel], [Band]) = ([], [])
    var status = CalibrationStatus.verified
    for frequency in middles {
      let digital = try calibration.fullScaleLevel(of: stimulus.level, at: frequency, ear: stimulus.ear)
      levels.append(
        try calibration.soundPressureLevel(of: digital.value, at: frequency, ear: stimulus.ear).value)
      bands.append(Band(frequency: frequency, digital: digital.value))
      status = min(status, digital.status)
    }
    self.bands = bands
    self.status = status
    sound = SoundPressureLevel.powerSum(levels)
    digital = FullScaleLevel(10 * log10(bands.reduce(0) { $0 + pow(10, $1.digital.decibels / 10) }))
  }
}
