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
    let calibration = configuration.calibration
    for (end, asked, new) in [
      (Configuration.End.microphone, route.asked?.capture, route.devices.capture),
      (.earphone, route.asked?.playback, route.devices.playback),
    ] where asked != new {
      guard let asked, let text = calibration[end].bound(to: asked) else { continue }
      let key = "calibration.\(end.rawValue).device"
      try set(key, to: TOMLParser.literal(text), from: nil, subject: key)
    }
    for (key, name) in [
      ("device.capture", route.devices.capture), ("device.playback", route.devices.playback),
    ] {
      guard let name else { continue }
      try set(key, to: TOMLParser.literal(name), from: nil, subject: key)
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
