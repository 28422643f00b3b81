import Base
import Glibc

/// This user's right to the machine's sound cards.
///
/// alsa-lib skips a card whose files it may not open, and then finds no card of that name: what it says is the same
/// for a card that is missing and for one that is forbidden.
///
/// - Threads: control.
struct CardAccess {
  var cards = ListedCard.all()
  /// True for a file of the kernel that is there and may not be opened; replaced in tests.
  var refusal: (_ path: String) -> Bool = Self.isRefused

  /// File by which the card may not be used; nil: it may be.
  func refusedFile(of card: ListedCard) -> String? {
    let path = "/dev/snd/controlC\(card.number)"
    return refusal(path) ? path : nil
  }

  /// File for want of which a device may not be opened; nil: that is not the reason.
  ///
  /// A name without a card, such as `default`, may lead to any: it is refused where all are.
  func refusedFile(for name: String, _ direction: StreamDirection) -> String? {
    let address = DeviceNode.address(name)
    if let address, let card = card(address.card) {
      let file = "/dev/snd/pcmC\(card.number)D\(address.device)\(direction == .capture ? "c" : "p")"
      return refusedFile(of: card) ?? (refusal(file) ? file : nil)
    }
    // A card that there is not.
    if name.contains("hw:") { return nil }
    let files = cards.compactMap(refusedFile)
    return files.count == cards.count ? files.first : nil
  }

  /// A card by its number or short name.
  func card(_ text: String) -> ListedCard? {
    cards.first { Int(text) == $0.number } ?? cards.first { $0.id == text }
  }

  /// Descriptions of the devices of all cards, those last that may not be used, as in ``DeviceList/onCards()``.
  var devices: [DeviceDescription] {
    let asked = cards.map { (card: $0, file: refusedFile(of: $0)) }
    return (asked.filter { $0.file == nil } + asked.filter { $0.file != nil }).flatMap {
      Self.descriptions(of: $0.card, refusedFile: $0.file)
    }
  }

  /// Descriptions of the devices of cards that may not be used.
  var refused: [DeviceDescription] { devices.filter { $0.refusedFile != nil } }

  private static func descriptions(of card: ListedCard, refusedFile: String?) -> [DeviceDescription] {
    card.devices.map { device in
      var description = DeviceDescription(
        name: "hw:CARD=\(card.id),DEV=\(device.number)", title: "\(card.name), \(device.name)")
      (description.card, description.directions, description.refusedFile) = (
        card.id, device.directions, refusedFile
      )
      description.hasConverters = card.hasConverters
      return description
    }
  }

  /// True when a file is there and this process may not open it for reading and writing. Opened instead of asked
  /// about: a sandbox refuses by other rules than the file's mode.
  private static func isRefused(_ path: String) -> Bool {
    // A control file can be opened by any number of programs; a device's can not, and is asked about.
    if path.contains("pcmC") {
      return unsafe access(path, R_OK | W_OK) != 0 && (errno == EACCES || errno == EPERM)
    }
    let descriptor = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor < 0 else {
      close(descriptor)
      return false
    }
    return errno == EACCES || errno == EPERM
  }

  /// Advice for a person without the right to a file, without a full stop.
  ///
  /// A group is of use where its members may use the file. Cards of a clinic's device are its daemon's alone, whatever groups a person is in.
  ///
  /// - Parameter file: Nil: not known.
  static func remedy(for file: String?) -> String {
    guard let file, let owner = soleUser(of: file) else {
      return "it needs the group audio: sudo usermod -aG audio \(userName), then log in again"
    }
    return "it is for user \(owner) alone, as on a clinic's device, whose sound comes by the system's "
      + "hearing aid"
  }

  /// User who alone, beside root, may use a file; nil: root alone, or others too.
  private static func soleUser(of file: String) -> String? {
    var status = stat()
    guard unsafe stat(file, &status) == 0, status.st_uid != 0, status.st_mode & 0o066 == 0 else {
      return nil
    }
    return Accounts.user(status.st_uid)?.name ?? "\(status.st_uid)"
  }

  private static var userName: String { Accounts.user(geteuid())?.name ?? "NAME" }
}
