import Acoustics
import AudioIO
import Control
import Engine
import HearingDSP

/// The sound device that a calibration was made with.
///
/// Levels that were measured with one sound card and its earphones say nothing about another: with it, sound
/// could be louder than any limit that is worked out from them.
package enum CalibratedDevice {
  /// True when a calibration tells the levels of the device in use. One that names no device of ALSA's was
  /// made with the one that the configuration asks for.
  ///
  /// - Parameters:
  ///   - device: The one in use; nil: the calibration's own, or the first that is found (``DeviceChoice``).
  ///   - asked: The configuration's.
  static func counts(_ calibration: DeviceCalibration, on device: String?, asked: String?) -> Bool {
    guard let own = calibration.deviceName else {
      return device.map(DevicePlace.spelledOut) == asked.map(DevicePlace.spelledOut)
    }
    guard let device else { return true }
    return DevicePlace.spelledOut(own) == DevicePlace.spelledOut(device)
  }
}

extension HearingSettings {
  /// The same with the calibrations that were made with the devices in use alone; an end on another one is
  /// not calibrated. Other earphones count as at least as loud as those of the calibration: it may be the same pair by another
  /// name.
  package func calibrated(for loaded: LoadedConfiguration) -> HearingSettings {
    var settings = self
    let unknown = HearingSettings()
    for end in foreignCalibrations(for: loaded) {
      switch end {
      case .microphone: settings.microphones = unknown.microphones
      case .earphone: settings.earphones = unknown.earphones.atLeastAsLoud(as: earphones)
      }
    }
    return settings
  }

  /// True where somebody has told how loud an end is.
  func isCalibrated(_ end: Configuration.End) -> Bool {
    switch end {
    case .microphone: microphones.device.status != .none
    case .earphone: earphones.device.status != .none
    }
  }

  /// Ends whose calibration was made with another device than the one in use.
  package func foreignCalibrations(for loaded: LoadedConfiguration) -> [Configuration.End] {
    let (used, asked) = (loaded.configuration.device, loaded.askedDevice)
    let ends = [
      (Configuration.End.microphone, microphones.device, used.capture, asked.capture),
      (.earphone, earphones.device, used.playback, asked.playback),
    ]
    return ends.filter { !CalibratedDevice.counts($1, on: $2, asked: $3) }.map(\.0)
  }
}

extension OutputCalibration {
  /// The same earphones, each as loud as the other calibration's loudest frequency where that is louder.
  fileprivate func atLeastAsLoud(as other: OutputCalibration) -> OutputCalibration {
    let loudest = Binaural<Sensitivity> { ear in
      let (own, its) = (sensitivity[ear], other.sensitivity[ear].loudest)
      return own.nominalLevel < its.nominalLevel ? its : own
    }
    return OutputCalibration(
      device: device, sensitivity: loudest, transducer: transducer, maximumLevel: other.maximumLevel)
  }
}
