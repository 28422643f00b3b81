import AudioIO
import Bus
import Control

/// Looks which models the devices in use are, whenever they may be others: opened anew, or others are connected by Bluetooth.
///
/// - Threads: the main thread.
struct IdentityWatch {
  /// Everything on which the answer depends.
  struct Question: Equatable {
    var capture: String?
    var playback: String?
    /// Times devices were opened: another card may have come by the same name.
    var opens = 0
    var bluetooth: [BluetoothEarphones] = []

    /// True where the answer depends on Bluetooth.
    var isOnBluetooth: Bool { playback.flatMap { BluetoothLink(deviceName: $0) } != nil }
  }

  /// The look; replaced in tests.
  var look: (Question) -> FoundDevices = { question in
    FoundDevices(
      microphone: question.capture.flatMap { .init(ofDevice: $0) { [] } },
      earphone: question.playback.flatMap { .init(ofDevice: $0) { question.bluetooth } })
  }
  private var asked: Question?

  init() {}

  init(look: @escaping (Question) -> FoundDevices) { self.look = look }

  /// Models, when they may be others than before; nil: they are not.
  mutating func news(_ question: Question) -> FoundDevices? {
    guard question != asked else { return nil }
    asked = question
    return look(question)
  }
}
