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
  /// made with the one that the configuration asked for; one whose device nobody can tell counts with none.
  ///
  /// - Parameters:
  ///   - device: The one in use; nil: the calibration's own, or the first that is found (``DeviceChoice``), which then is the one
  ///     that is open: devices are named wherever another one may be (``UsedDevices/placing(_:_:)``).
  ///   - asked: The configuration's (``LoadedConfiguration/calibratedDevice``).
  ///   - open: The one that is open; nil: none is known to be.
  static func counts(
    _ calibration: DeviceCalibration, on device: String?, asked: String?, open: String?
  ) -> Bool {
    let unknown = DeviceCalibration.unknown.device
    // Until the one in use is opened, another one may sound still.
    let used = [device, open].compactMap(\.self).map(DevicePlace.spelledOut)
    guard let own = calibration.deviceName else {
      let isAsked = device.map(DevicePlace.spelledOut) == asked.map(DevicePlace.spelledOut)
      return isAsked && asked != unknown && Set(used).count <= 1
    }
    return own != unknown && used.allSatisfy { $0 == DevicePlace.spelledOut(own) }
  }

  /// Reason for which levels that were measured with a device which nobody names count as provisional, a clause.
  package static func unnamed(_ end: Configuration.End) -> String {
    "no device is named, neither by \(end.deviceKey) nor by the calibration, so nothing tells which one it holds for"
  }
}

extension Configuration.End {
  /// Key that names its device.
  package var deviceKey: String { self == .microphone ? "device.capture" : "device.playback" }
}

extension HearingSettings {
  /// The same with the calibrations that were made with the devices in use alone; an end on another one is
  /// not calibrated. Other earphones count as at least as loud as those of the calibration: it may be the same pair by another
  /// name.
  ///
  /// - Parameters:
  ///   - found: Models of the devices in use.
  ///   - open: Their names as they are open; nil, by default: none are known to be.
  func calibrated(
    for loaded: LoadedConfiguration, found: FoundDevices, open: RouteReport.Names? = nil
  ) -> HearingSettings {
    var settings = self
    let unknown = HearingSettings()
    for end in foreignCalibrations(for: loaded, found: found, open: open) {
      // With its reason, and its name, by which the device is looked for again.
      func device(_ calibration: DeviceCalibration) -> DeviceCalibration {
        if let mismatch = mismatch(of: end, found) {
          return calibration.held(to: .none, because: mismatch.caveat)
        }
        guard let own = calibration.deviceName else { return .unknown }
        guard calibration.homeName != nil else {
          return calibration.held(to: .none, because: "nobody can tell with which device it was made")
        }
        let used = loaded.configuration.device[end].flatMap { name in
          DevicePlace.spelledOut(name) == DevicePlace.spelledOut(own) ? nil : "\(name) is used"
        }
        return calibration.held(
          to: .none, because: "it was made with \(own), and \(used ?? "another device is open")")
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
    calibration(of: end).status != .none
  }

  /// True where an end is calibrated, and its calibration names no device of ALSA's.
  func isUnplaced(_ end: Configuration.End) -> Bool {
    isCalibrated(end) && calibration(of: end).deviceName == nil
  }

  /// Ends whose calibration was made with another device than the one in use.
  func foreignCalibrations(
    for loaded: LoadedConfiguration, found: FoundDevices, open: RouteReport.Names? = nil
  ) -> [Configuration.End] {
    let (used, asked) = (loaded.configuration.device, loaded.calibratedDevice)
    return Configuration.End.allCases.filter { end in
      mismatch(of: end, found) != nil
        || !CalibratedDevice.counts(
          calibration(of: end), on: used[end], asked: asked[end], open: open?[end])
    }
  }

  /// Record of an end's calibration.
  package func calibration(of end: Configuration.End) -> DeviceCalibration {
    switch end {
    case .microphone: microphones.device
    case .earphone: earphones.device
    }
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
    guard let name = settings.deviceName(of: end) else { return nil }
    self.init(ofDevice: name) { BluetoothEarphones.connected() }
  }

  /// The same of a configuration, whatever its calibration is.
  package init?(of end: Configuration.End, _ loaded: LoadedConfiguration) {
    self.init(of: end, AidSettings(devicesOf: loaded))
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
