import Acoustics
import AudioIO
import Base
import Control
import Engine

/// Devices in use, and all that holds for them.
struct UsedDevices: Sendable {
  /// As they are to be opened, and with which ones calibrations count that name none.
  let loaded: LoadedConfiguration
  /// The configuration's, with its calibrations.
  let configured: HearingSettings
  /// On the playback device.
  let claim: PlaybackClaim?
  /// ALSA's names as they are open, for somebody who named none.
  let names: RouteReport.Names
  /// ALSA's names of the devices with which calibrations count that name none, since others were tried; nil: none were.
  let asked: RouteReport.Names?

  var device: Configuration.Device { loaded.configuration.device }

  /// True where no name leads to the device of an end, whose calibration counts with the one that is found.
  func isUnnamed(_ end: Configuration.End) -> Bool {
    device[end] == nil && loaded.calibratedDevice[end] == nil && configured.isUnplaced(end)
  }

  /// True where an end's calibration is the same one as now, whichever device it was read for.
  func hasSameCalibration(
    of end: Configuration.End, as now: LoadedConfiguration, _ configured: HearingSettings
  ) -> Bool {
    loaded.configuration.calibration[end] == now.configuration.calibration[end]
      && self.configured.calibration(of: end).isSame(as: configured.calibration(of: end))
      && self.configured.levels(of: end) == configured.levels(of: end)
  }

  /// A configuration that was read, with names of devices where neither it nor its calibrations have one and others are in use by
  /// name: the engine would stay on these, and a calibration that names none would count with them.
  ///
  /// Named is the device with which such a calibration counted, where it is the same one, or the file asked for none before and no
  /// calibration led to one; otherwise nobody can tell it, and the calibration does not count.
  ///
  /// - Parameter settings: The configuration's.
  func placing(_ read: LoadedConfiguration, _ settings: HearingSettings) -> LoadedConfiguration {
    let unknown = DeviceCalibration.unknown.device
    var (device, calibrated) = (read.configuration.device, read.calibratedDevice)
    for end in Configuration.End.allCases where device[end] == nil && settings.isUnplaced(end) {
      let counted = loaded.calibratedDevice[end]
      let isLed = configured.calibration(of: end).homeName != nil
      guard self.device[end] != nil || counted != nil || isLed else { continue }
      let isKnown =
        !isLed && (loaded.askedDevice[end] == nil || hasSameCalibration(of: end, as: read, settings))
      let own = isKnown ? counted ?? asked?[end] ?? unknown : unknown
      calibrated[end] = own
      if own != unknown { device[end] = own }
    }
    return read.with(device, calibrated: calibrated)
  }
}

extension ServiceState {
  /// ALSA's names of the devices that are to be opened, as ``DeviceChoice`` takes them: the configuration's, otherwise those of the
  /// calibrations, otherwise, once calibrated, those that were open last.
  var namedDevices: RouteReport.Names {
    func name(_ end: Configuration.End) -> String? {
      let calibration = heard.calibration(of: end)
      return configuration.configuration.device[end] ?? calibration.homeName
        ?? (calibration.status == .none ? nil : openedNames?[end])
    }
    return RouteReport.Names(capture: name(.microphone), playback: name(.earphone))
  }

  /// ALSA's names of the devices that are open; nil while none are.
  var openNames: RouteReport.Names? {
    audio.devices.map { RouteReport.Names(capture: $0.captureName, playback: $0.playbackName) }
  }

  /// ALSA's names of the devices in use: as they are open, otherwise as they are to be.
  var devicesInUse: RouteReport.Names { openNames ?? namedDevices }

  /// The devices in use.
  var used: UsedDevices {
    UsedDevices(
      loaded: configuration, configured: configured, claim: playback, names: devicesInUse, asked: askedNames
    )
  }

  /// Lets calibrations count, or no longer, by the devices that are open now.
  ///
  /// - Parameter former: Names of those that were.
  mutating func followOpenDevices(since former: RouteReport.Names?) {
    guard openNames != former else { return }
    openedNames = openNames ?? openedNames
    let foreign = [former, openNames].map {
      configured.foreignCalibrations(for: configuration, found: found, open: $0)
    }
    guard foreign[0] != foreign[1] else { return }
    do throws(Failure) { try hear { _ in } } catch { log(.error, error.logMessage) }
  }

  /// Ends to whose device no name of the configuration leads, and whose calibration leads to another one than is in use.
  ///
  /// - Parameter former: Devices in use so far.
  func movedEnds(from former: UsedDevices) -> [Configuration.End] {
    Configuration.End.allCases.filter { end in
      guard former.device[end] == nil, configuration.configuration.device[end] == nil else { return false }
      guard let own = configured.calibration(of: end).homeName else {
        return former.configured.calibration(of: end).homeName != nil
      }
      return former.names[end].map(DevicePlace.spelledOut) != DevicePlace.spelledOut(own)
    }
  }
}

extension RouteReport.Names {
  subscript(_ end: Configuration.End) -> String? { end == .microphone ? capture : playback }
}

extension DeviceCalibration {
  /// True for the same calibration, whatever its status is on the device that it was read for.
  fileprivate func isSame(as other: DeviceCalibration) -> Bool {
    (device, date, source, identity) == (other.device, other.date, other.source, other.identity)
  }
}

extension HearingSettings {
  /// An end's calibration without the record of its device.
  fileprivate func levels(of end: Configuration.End) -> AnyHashable {
    switch end {
    case .microphone: AnyHashable(microphones.with(.unknown))
    case .earphone: AnyHashable(earphones.with(.unknown, transducer: earphones.transducer))
    }
  }

  /// Takes an end's calibration over.
  mutating func takeCalibration(of end: Configuration.End, from other: HearingSettings) {
    switch end {
    case .microphone: microphones = other.microphones
    case .earphone: earphones = other.earphones
    }
  }
}
