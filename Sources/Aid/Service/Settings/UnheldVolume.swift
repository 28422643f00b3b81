import AudioIO
import Control

/// Ways of sound beside a card's own device, where any volume lies between that nothing here can read or hold.
package enum UnheldVolume {
  /// Reason for which a measurement through it counts as provisional, a clause.
  ///
  /// - Parameters:
  ///   - device: ALSA's name; nil: nobody names one.
  ///   - end: Its end of the way.
  /// - Returns: Nil of a card's own device.
  package static func caveat(of device: String?, _ end: Configuration.End) -> String? {
    guard let device else { return CalibratedDevice.unnamed(end) }
    guard !DevicePlace.isOnCard(device) else { return nil }
    let (way, bluetooth) =
      switch end {
      case .microphone: ("comes through", "the Bluetooth microphone")
      case .earphone: ("goes through", "the Bluetooth earphones")
      }
    let place = BluetoothLink(deviceName: device) == nil ? "a plugin or a sound server" : bluetooth
    return "sound \(way) \(place) (\(device)), where the volume can be turned and nothing holds it"
  }
}
