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
  package func counting(_ volumes: PlaybackVolumes) -> HearingSettings {
    guard let difference = difference(of: volumes) else { return self }
    var settings = self
    settings.earphones = earphones.with(
      earphones.device.provisional(because: "\(difference); auricle calibrate volume puts it back"),
      transducer: earphones.transducer)
    return settings
  }

  /// Difference of volume controls from those that the earphones' calibration was measured with, a clause; nil: there is none, or
  /// nobody has looked.
  func difference(of volumes: PlaybackVolumes) -> String? {
    guard case .read(let present) = volumes else { return nil }
    return VolumeSetting.difference(present, from: measuredVolumes)
  }

  /// The same as a command finds it: with the card's controls as they stand.
  package func countingVolumes(on loaded: LoadedConfiguration) -> HearingSettings {
    guard !measuredVolumes.isEmpty else { return self }
    return counting(.now(of: AidSettings(self, on: loaded.configuration).playbackDevice))
  }
}
