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
    for (key, value) in settings(of: route) {
      try set(key, to: TOMLParser.literal(value), from: nil, subject: key)
    }
  }

  /// Keys by which ``keep(_:)`` names the devices of a route and of the calibrations, in the order in which they are set.
  ///
  /// - Parameter route: As kept.
  package func settings(of route: RouteReport) -> [(key: String, value: String)] {
    let ends = [
      (Configuration.End.microphone, route.asked?.capture, route.devices.capture),
      (.earphone, route.asked?.playback, route.devices.playback),
    ]
    let bindings = ends.compactMap { end, asked, new -> (key: String, value: String)? in
      asked == new ? nil : asked.flatMap { binding(of: end, to: $0) }
    }
    let names = [
      ("device.capture", route.devices.capture), ("device.playback", route.devices.playback),
    ]
    return bindings + names.compactMap { key, name in name.map { (key: key, value: $0) } }
  }

  /// True where the calibrations can be read, of which a file may say itself which device it was made with.
  package var hasReadableCalibrations: Bool {
    guard let loaded = try? loaded() else { return false }
    return (try? CalibrationReading(loaded: loaded, end: .microphone).microphones()) != nil
      && (try? CalibrationReading(loaded: loaded, end: .earphone).earphones()) != nil
  }

  /// Names the device that a calibration was made with, where it names none itself: with another it then does not count.
  ///
  /// - Throws: ``Failure``; then nothing has changed.
  package mutating func bind(_ end: Configuration.End, to device: String) throws(Failure) {
    guard let (key, value) = binding(of: end, to: device) else { return }
    try set(key, to: TOMLParser.literal(value), from: nil, subject: key)
  }

  /// The key that binds a calibration to a device; nil: it names one itself, or nothing is calibrated.
  private func binding(of end: Configuration.End, to device: String) -> (key: String, value: String)? {
    guard let text = configuration.calibration[end].bound(to: device), !fileNamesDevice(end) else {
      return nil
    }
    return (key: "calibration.\(end.rawValue).device", value: text)
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
