public import Acoustics

/// A pair of devices to measure with where none are calibrated: numbers as such devices state them, nobody's
/// unit.
public enum SampleCalibration {
  /// A usual MEMS microphone: −26 dB FS at 94 dB SPL, hence 120 dB SPL at full scale.
  public static let microphones: InputCalibration = {
    // Within Sensitivity.levels, with one channel: never refused.
    guard let scale = try? Sensitivity(flat: SoundPressureLevel(120)),
      let calibration = try? InputCalibration(device: device, channels: [scale])
    else { preconditionFailure("120 dB SPL is a sensitivity") }
    return calibration
  }()

  /// An earbud of 113.7 dB SPL at full scale, the figure that ResearchKit's tables give for AirPods Max at
  /// 1 kHz.
  public static let earphones: OutputCalibration = {
    guard let scale = try? Sensitivity(flat: SoundPressureLevel(113.7)) else {
      preconditionFailure("113.7 dB SPL is a sensitivity")
    }
    return OutputCalibration(device: device, sensitivity: Binaural(both: scale))
  }()

  private static let device = DeviceCalibration(device: "sample", date: nil, status: .provisional)
}
