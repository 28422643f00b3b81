import Acoustics
import Base
import Control
import Engine
import Service

extension RealBench: CalibrationBench {
  func device(of end: Configuration.End, _ configuration: LoadedConfiguration) -> String? {
    AidSettings(devicesOf: configuration).deviceName(of: end)
  }

  func volumes(of device: String?) -> [VolumeSetting]? {
    guard case .read(let settings) = PlaybackVolumes.now(of: device) else { return nil }
    return settings
  }

  func record(seconds: Int, _ configuration: LoadedConfiguration) throws(Failure) -> MicrophoneRecording {
    try withAid(configuration, of: "recording") { (aid) throws(FeedbackFault) in
      try aid.recordMicrophones(seconds: seconds)
    }
  }
}
