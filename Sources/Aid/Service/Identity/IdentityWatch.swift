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

    subscript(_ end: Configuration.End) -> String? { end == .microphone ? capture : playback }

    /// True where the device of an end is that of another question too: by its name, and either not opened since or with an address,
    /// which is one device's alone.
    func hasSame(_ end: Configuration.End, as other: Question?) -> Bool {
      guard let other, let name = self[end], name == other[end] else { return false }
      return opens == other.opens || BluetoothLink(deviceName: name)?.address != nil
    }

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
  /// The answer to it.
  private var known = FoundDevices()

  init() {}

  init(look: @escaping (Question) -> FoundDevices) { self.look = look }

  /// Models, when they may be others than before; nil: they are not.
  mutating func news(_ question: Question) -> FoundDevices? {
    guard question != asked else { return nil }
    var found = look(question)
    // Where BlueZ or its bus is gone nobody tells the model, and the device has not become another.
    for end in Configuration.End.allCases where found[end] == nil && question.hasSame(end, as: asked) {
      found[end] = known[end]
    }
    (asked, known) = (question, found)
    return found
  }
}
