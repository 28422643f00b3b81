import Acoustics
import AudioIO
import Control
import Engine

/// Volume controls of the earphones' card, as they stand now.
package enum PlaybackVolumes: Sendable, Equatable {
  /// Nobody has looked.
  case unread
  /// As they stand; nil: nobody can read them.
  case read([VolumeSetting]?)

  /// A look at the card of a device; nil: there is none.
  package static func now(of device: String?) -> PlaybackVolumes {
    .read(device.flatMap(CardMixer.volumes)?.map(VolumeSetting.init))
  }

  /// Reason for which whoever runs this program may not open the card of a device, and what to do about it, two clauses; nil: it may be
  /// opened, or is away. alsa-lib tells one that is away and one that is forbidden alike.
  ///
  /// - Parameter devices: Of this machine; nil, by default: those that are found now.
  package static func refusal(
    of device: String?, among devices: [DeviceDescription]? = nil
  ) -> (found: String, remedy: String)? {
    guard let place = device.map({ DevicePlace.name(of: $0) }) else { return nil }
    return (devices ?? DeviceList.onCards()).first { $0.isCalled(place) }?.refusalParts
  }

  /// Controls with their places; nil: they are not known.
  var settings: [VolumeSetting]? { if case .read(let settings) = self { settings } else { nil } }

  /// True where a control that could be read before cannot be read now, or not in dB any more, wherever it stands.
  func misses(_ before: PlaybackVolumes) -> Bool {
    guard let former = before.settings else { return false }
    let present = settings ?? []
    return former.contains { control in
      !present.contains { $0.control == control.control && ($0.isScaled || !control.isScaled) }
    }
  }
}

extension VolumeSetting {
  init(_ volume: MixerVolume) {
    self.init(
      control: volume.control, gain: Binaural(left: volume.left, right: volume.right), isOn: volume.isOn,
      isScaled: volume.isScaled)
  }

  /// As the card's mixer takes it.
  package var mixerVolume: MixerVolume {
    MixerVolume(control: control, left: gain.left, right: gain.right, isOn: isOn, isScaled: isScaled)
  }
}

extension HearingSettings {
  /// Volume controls that the earphones' calibration was measured with; empty: none are kept with it.
  package var measuredVolumes: [VolumeSetting] { earphones.measurement?.volumes ?? [] }

  /// The same with a calibration of the earphones that counts as provisional where a volume control stands elsewhere than when it
  /// was measured; of one that is provisional already the difference is told before its other reason.
  ///
  /// - Parameter refusal: Reason for which nobody could read them here, a clause on their card; nil, by default: it may be opened, or is away.
  package func counting(
    _ volumes: PlaybackVolumes, refusedBecause refusal: String? = nil
  ) -> HearingSettings {
    guard let difference = difference(of: volumes) else { return self }
    var reason = "\(difference); auricle calibrate volume puts it back"
    if let refusal, volumes.settings == nil, let measured = measuredVolumes.first {
      reason =
        "levels were measured with the volume control \(measured.control) at \(measured.place), and how it stands is not known here, for its card "
        + refusal
    }
    var settings = self
    settings.earphones = earphones.with(
      earphones.device.provisional(because: reason), transducer: earphones.transducer)
    return settings
  }

  /// Difference of volume controls from those that the earphones' calibration was measured with, a clause; nil: there is none, or
  /// nobody has looked.
  func difference(of volumes: PlaybackVolumes) -> String? {
    guard case .read(let present) = volumes else { return nil }
    return VolumeSetting.difference(present, from: measuredVolumes)
  }

  /// The same as a command finds it: with the card's controls as they stand; where whoever types it may not read them, with that.
  package func countingVolumes(on loaded: LoadedConfiguration) -> HearingSettings {
    guard !measuredVolumes.isEmpty else { return self }
    let device = AidSettings(self, on: loaded.configuration).playbackDevice
    let volumes = PlaybackVolumes.now(of: device)
    let refusal = volumes.settings == nil ? PlaybackVolumes.refusal(of: device) : nil
    return counting(volumes, refusedBecause: refusal?.found)
  }
}
