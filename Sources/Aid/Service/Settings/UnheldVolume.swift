import AudioIO
import Control

/// Ways of sound behind a card's own device, where any volume lies between that nothing here can read or hold.
package enum UnheldVolume {
  /// Reason for which a measurement through it counts as provisional, a clause.
  ///
  /// - Parameter playback: ALSA's name of the device; nil: nobody names one.
  /// - Returns: Nil of a card's own device.
  package static func caveat(of playback: String?) -> String? {
    guard let playback else { return CalibratedDevice.unnamed(.earphone) }
    guard !DevicePlace.isOnCard(playback) else { return nil }
    let place =
      BluetoothLink(deviceName: playback) == nil ? "a plugin or a sound server" : "the Bluetooth earphones"
    return "sound goes through \(place) (\(playback)), where the volume can be turned and nothing holds it"
  }
}
