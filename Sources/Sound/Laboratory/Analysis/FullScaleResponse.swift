import Acoustics

/// Level of full scale at every frequency: a microphone's or an earphone's stated sensitivity, held beyond
/// the ends of its table.
///
/// - Threads: any.
package struct FullScaleResponse: Sendable {
  private let sensitivity: Sensitivity

  package init(_ sensitivity: Sensitivity) { self.sensitivity = sensitivity }

  /// dB SPL of a full-scale sine at a frequency, Hz.
  package func level(at frequency: Double) -> Double {
    let range = sensitivity.range ?? frequency...frequency
    let within = min(max(frequency, range.lowerBound), range.upperBound)
    return ((try? sensitivity.level(at: within)) ?? sensitivity.nominalLevel).decibels
  }
}

/// A pair of devices to measure with where none are calibrated: numbers as such devices state them,
/// nobody's unit.
package enum SampleCalibration {
  /// A usual MEMS microphone: −26 dB FS at 94 dB SPL, hence 120 dB SPL at full scale.
  package static let microphones: InputCalibration = {
    // Within Sensitivity.levels, with one channel: never refused.
    guard let scale = try? Sensitivity(flat: SoundPressureLevel(120)),
      let calibration = try? InputCalibration(device: device, channels: [scale])
    else { preconditionFailure("120 dB SPL is a sensitivity") }
    return calibration
  }()

  /// An earbud of 113.7 dB SPL at full scale, the figure that ResearchKit's tables give for AirPods Max at
  /// 1 kHz.
  package static let earphones: OutputCalibration = {
    guard let scale = try? Sensitivity(flat: SoundPressureLevel(113.7)) else {
      preconditionFailure("113.7 dB SPL is a sensitivity")
    }
    return OutputCalibration(device: device, sensitivity: Binaural(both: scale))
  }()

  private static let device = DeviceCalibration(device: "sample", date: nil, status: .provisional)
}
