import Acoustics
import AudioIO

/// Devices that an aid opens: those it was told, otherwise those that its calibrations were made with, otherwise the first card
/// that captures and plays.
///
/// What is calibrated does not move to another card by itself: there the limits that are worked out from the calibration
/// would be wrong. Without one they are kept in numbers, and any card will do.
///
/// - Threads: while there is no sound; it allocates and asks the system.
struct DeviceChoice: Sendable {
  let settings: AidSettings
  /// The machine's devices on cards; replaced in tests.
  var cards: @Sendable () -> [DeviceDescription] = DeviceList.onCards

  /// Names of the two devices.
  typealias Names = (capture: String, playback: String)

  /// Names to open now; nil when none was told and no card will do.
  ///
  /// - Parameters:
  ///   - hearing: Settings in force, with their calibrations.
  ///   - former: Devices on which there was sound; nil: none.
  func names(calibrated hearing: HearingSettings, former: Names?) -> Names? {
    let capture = settings.captureName ?? hearing.microphones.device.home(former?.capture)
    let playback = settings.playbackName ?? hearing.earphones.device.home(former?.playback)
    if let capture, let playback { return (capture, playback) }
    guard let first = cards().usual?.name else { return nil }
    return (capture ?? first, playback ?? first)
  }

  /// Moves a closed stream to the devices that are wanted now. What it has counted begins anew on others,
  /// but for the time that has been silent since the former ones were lost.
  ///
  /// - Parameters:
  ///   - hearing: Settings in force.
  ///   - former: Devices on which there was sound, also before the audio thread that asks; nil: none.
  /// - Returns: Reason for which there are none; nil when there are.
  func settle(
    _ stream: inout DuplexStream<ALSADevice>, calibrated hearing: HearingSettings, former: Names?
  ) -> String? {
    guard let names = names(calibrated: hearing, former: former) else {
      return "this machine has no sound card with converters that captures and plays"
    }
    if names != (stream.captureName, stream.playbackName) {
      stream = self.stream(
        on: names, wakeDescriptor: stream.wakeDescriptor, silentSince: stream.silentSince)
    }
    return nil
  }

  /// A closed stream, by default on no device yet.
  func stream(
    on names: Names = ("", ""), wakeDescriptor: Int32, silentSince: Double? = nil
  ) -> DuplexStream<ALSADevice> {
    DuplexStream(
      capture: ALSADevice(name: names.capture, direction: .capture),
      playback: ALSADevice(name: names.playback, direction: .playback), clock: SystemClock(),
      request: settings.stream, pairing: settings.clock, wakeDescriptor: wakeDescriptor,
      silentSince: silentSince)
  }
}

extension AidSettings {
  /// ALSA's names of the devices that an aid with these settings would open now; nil: there are none.
  ///
  /// - Threads: control.
  package var devices: (capture: String, playback: String)? {
    DeviceChoice(settings: self).names(calibrated: hearing, former: nil)
  }
}

extension DeviceCalibration {
  /// ALSA's name of the device that it was made with, the first word of ``device``; nil when that is not one.
  package var deviceName: String? { Self.deviceName(in: device) }

  /// ALSA's name of the device to which it leads where no other name does; nil also where nobody can tell the device (``unknown``).
  package var homeName: String? { deviceName == Self.unknown.device ? nil : deviceName }

  /// ALSA's name of a device in a calibration's `device`: the first word, if it has a colon. A colon at its end tells that it
  /// is such a name, and is not part of it (``text(naming:)``).
  package static func deviceName(in text: String) -> String? {
    let word = text.prefix { $0 != " " }
    guard let colon = word.firstIndex(of: ":"), colon > word.startIndex else { return nil }
    return String(word.index(after: colon) == word.endIndex ? word.dropLast() : word)
  }

  /// The first word of a calibration's `device` that names one of ALSA's: `hw:CARD=PCH`, `default:`.
  package static func text(naming device: String) -> String {
    device.contains(":") ? device : device + ":"
  }

  /// The device that it counts with: that of its name, otherwise the one in use so far; nil: any, for nothing is calibrated or
  /// none was in use.
  fileprivate func home(_ former: String?) -> String? { homeName ?? (status == .none ? nil : former) }
}
