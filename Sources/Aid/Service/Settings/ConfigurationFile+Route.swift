import Acoustics
import Base
import Control
import Engine

extension ConfigurationFile {
  /// Names the devices of a route, and the device that each calibration was made with, so that none counts
  /// with another.
  ///
  /// - Parameter route: As kept.
  /// - Throws: ``Failure``; the file on the disk is as it was.
  package mutating func keep(_ route: RouteReport) throws(Failure) {
    for (end, asked, new) in [
      (Configuration.End.microphone, route.asked?.capture, route.devices.capture),
      (.earphone, route.asked?.playback, route.devices.playback),
    ] where asked != new {
      if let asked { try bind(end, to: asked) }
    }
    for (key, name) in [
      ("device.capture", route.devices.capture), ("device.playback", route.devices.playback),
    ] {
      guard let name else { continue }
      try set(key, to: TOMLParser.literal(name), from: nil, subject: key)
    }
  }

  /// Names the device that a calibration was made with, where it names none itself: with another it then does not count.
  ///
  /// - Throws: ``Failure``; then nothing has changed.
  package mutating func bind(_ end: Configuration.End, to device: String) throws(Failure) {
    guard let text = configuration.calibration[end].bound(to: device), !fileNamesDevice(end) else { return }
    let key = "calibration.\(end.rawValue).device"
    try set(key, to: TOMLParser.literal(text), from: nil, subject: key)
  }

  /// True for a calibration file that says itself which device of ALSA's it was made with.
  private func fileNamesDevice(_ end: Configuration.End) -> Bool {
    guard configuration.calibration[end].file != nil, let loaded = try? loaded() else { return false }
    let reading = CalibrationReading(loaded: loaded, end: end)
    return switch end {
    case .microphone: (try? reading.microphones())?.device.deviceName != nil
    case .earphone: (try? reading.earphones())?.device.deviceName != nil
    }
  }
}

extension Configuration.Transducer {
  /// The text for ``device`` that says with which device of ALSA's the calibration was made; nil: nothing is
  /// calibrated, or it says so already.
  fileprivate func bound(to name: String) -> String? {
    // Both ends have the same defaults.
    guard self != Configuration().calibration.earphone, device.flatMap(DeviceCalibration.deviceName) == nil
    else {
      return nil
    }
    return DeviceCalibration.text(naming: name) + (device.map { " (\($0))" } ?? "")
  }
}
