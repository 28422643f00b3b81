import Acoustics
import AudioIO
import Bus
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
  ///
  /// - Parameter found: Models of the devices in use.
  func calibrated(for loaded: LoadedConfiguration, found: FoundDevices) -> HearingSettings {
    var settings = self
    let unknown = HearingSettings()
    for end in foreignCalibrations(for: loaded, found: found) {
      // With its reason, and its name, by which the device is looked for again.
      func device(_ calibration: DeviceCalibration) -> DeviceCalibration {
        mismatch(of: end, found).map { calibration.held(to: .none, because: $0.caveat) } ?? .unknown
      }
      switch end {
      case .microphone: settings.microphones = unknown.microphones.with(device(microphones.device))
      case .earphone:
        settings.earphones = unknown.earphones.with(device(earphones.device), transducer: nil)
          .atLeastAsLoud(as: earphones)
      }
    }
    return settings
  }

  /// The same as a command finds it: with the models of the devices that there are.
  package func calibrated(for loaded: LoadedConfiguration) -> HearingSettings {
    calibrated(for: loaded, found: foundDevices(of: loaded))
  }

  /// True where somebody has told how loud an end is.
  func isCalibrated(_ end: Configuration.End) -> Bool {
    switch end {
    case .microphone: microphones.device.status != .none
    case .earphone: earphones.device.status != .none
    }
  }

  /// Ends whose calibration was made with another device than the one in use.
  func foreignCalibrations(for loaded: LoadedConfiguration, found: FoundDevices) -> [Configuration.End] {
    let (used, asked) = (loaded.configuration.device, loaded.askedDevice)
    let ends = [
      (Configuration.End.microphone, microphones.device, used.capture, asked.capture),
      (.earphone, earphones.device, used.playback, asked.playback),
    ]
    return ends.filter { mismatch(of: $0, found) != nil || !CalibratedDevice.counts($1, on: $2, asked: $3) }
      .map(\.0)
  }

  /// The same as a command finds it.
  package func foreignCalibrations(for loaded: LoadedConfiguration) -> [Configuration.End] {
    foreignCalibrations(for: loaded, found: foundDevices(of: loaded))
  }
}

extension HearingSettings {
  /// The model that was found where an end's calibration is another one's; nil: it is not, or one of both is not known.
  func mismatch(of end: Configuration.End, _ found: FoundDevices) -> Mismatch? {
    guard let found = found[end], let own = calibratedIdentity(of: end), own.match(found) == .other else {
      return nil
    }
    return Mismatch(end: end, found: found, expected: own)
  }

  /// Models of the configuration's devices as a command finds them: of the ends whose calibration states one.
  func foundDevices(of loaded: LoadedConfiguration) -> FoundDevices {
    var found = FoundDevices()
    for end in Configuration.End.allCases where calibratedIdentity(of: end) != nil {
      found[end] = DeviceIdentity(of: end, AidSettings(self, on: loaded.configuration))
    }
    return found
  }
}

extension DeviceIdentity {
  /// Model of the device of an end that an aid with these settings would open now, as a command finds it.
  init?(of end: Configuration.End, _ settings: AidSettings) {
    guard let names = settings.devices else { return nil }
    self.init(ofDevice: end == .microphone ? names.capture : names.playback) {
      BluetoothEarphones.connected()
    }
  }

  /// The same of a configuration, whatever its calibration is.
  package init?(of end: Configuration.End, _ loaded: LoadedConfiguration) {
    let hearing = (try? AidSettings(loaded))?.hearing ?? HearingSettings()
    self.init(of: end, AidSettings(hearing, on: loaded.configuration))
  }
}

/// A device in use that is another model than the one that was calibrated.
struct Mismatch: Equatable, CustomStringConvertible {
  let end: Configuration.End
  let found: DeviceIdentity
  let expected: DeviceIdentity

  /// A clause on a calibration, without an address and a wearer's name, for it is logged.
  var description: String {
    "sound \(end == .microphone ? "comes from" : "goes to") \(found), and it was made with \(expected)"
  }

  /// The same with what to do.
  var caveat: String {
    "\(self); connect that one, or calibrate this one: auricle calibrate \(end.rawValue)"
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
