import Acoustics
import Base
import Control
import Engine

@testable import AuricleCommands

/// A card that plays into the void, and microphones with what the test has recorded.
final class FakeCalibrationBench: CalibrationBench {
  private(set) var played: [TestSound] = []
  var recordings: [MicrophoneRecording] = []
  /// Volume controls at each look; the last stays.
  var controls: [[VolumeSetting]?] = [nil]
  /// Device of an end that the configuration does not name; nil: there is none.
  var first: String?
  /// Devices at whose controls somebody looked, and on which tones were played.
  private(set) var used: [String?] = []

  func device(of end: Configuration.End, _ configuration: LoadedConfiguration) -> String? {
    let named = configuration.configuration.device
    return (end == .microphone ? named.capture : named.playback) ?? first
  }

  func volumes(of device: String?) -> [VolumeSetting]? {
    used.append(device)
    return controls.count > 1 ? controls.removeFirst() : controls[0]
  }

  func play(
    _ sounds: [TestSound], _ configuration: LoadedConfiguration, until hasAnswer: @escaping () -> Bool
  ) throws(SoundFault) -> (last: TestSound?, isWhole: Bool) {
    played += sounds
    used.append(configuration.configuration.device.playback)
    return (sounds.last, true)
  }

  func record(seconds: Int, _ configuration: LoadedConfiguration) throws(Failure) -> MicrophoneRecording {
    used.append(configuration.configuration.device.capture)
    guard !recordings.isEmpty else { throw Failure("recording", found: "none", exit: .no) }
    return recordings.removeFirst()
  }
}
