import Base

/// Model of a sound card, by which it is told from others: as the kernel and the card tell it, read and not assumed.
public struct CardModel: Sendable, Equatable {
  /// Name that the card gives itself, `HDA Intel PCH`; nil: it does not answer.
  public let name: String?
  /// Name of the bus, `usb`, `pci` or `platform`.
  public let bus: String
  /// Text by which the kernel chooses its driver, `usb:v046Dp0A4Dd0111dc00…`; nil: there is none.
  public let modalias: String?

  /// Longest modalias that is read, bytes: a USB device's has some 50. Own choice.
  private static let longestModalias = 256

  /// Takes the texts as they were told, unchecked.
  public init(name: String?, bus: String, modalias: String?) {
    (self.name, self.bus, self.modalias) = (name, bus, modalias)
  }

  /// Model of the card that a device lies on; nil: it lies on none, that is away, or its bus is not told.
  ///
  /// - Parameter device: ALSA's name.
  /// - Threads: control; opens the card's control device for a moment.
  public init?(of device: String) {
    guard let number = DevicePlace.cards(capture: device, playback: device).keys.first else { return nil }
    self.init(ofCard: number)
  }

  init?(ofCard number: Int) { self.init(ofCard: number, name: CardIdentity(ofCard: number)?.name) }

  /// Reads the kernel's objects, which a sandbox without `/proc/asound` has too.
  ///
  /// - Parameter folder: Of the kernel's objects of sound; another in tests.
  init?(ofCard number: Int, name: String?, in folder: String = "/sys/class/sound") {
    guard let bus = CardHardware(ofCard: number, in: folder).bus else { return nil }
    let file = "\(folder)/card\(number)/device/modalias"
    let bytes = try? FileContent.bytes(of: file, limit: Self.longestModalias)
    self.init(
      name: name, bus: bus,
      modalias: bytes.map { String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) })
  }
}
