import CALSA
import Glibc

/// The kernel's file behind one direction of a hardware device, such as `/dev/snd/pcmC0D0p`.
struct DeviceNode: Equatable {
  let path: String

  /// The file of a device on a card; nil for names that do not say which card.
  ///
  /// - Parameter name: `hw:1,0`, `plughw:CARD=Aid,DEV=0`, `hw:Aid`…
  init?(name: String, direction: StreamDirection) {
    guard let (card, device) = Self.address(name) else { return nil }
    let index = unsafe snd_card_get_index(card)
    guard index >= 0 else { return nil }
    path = "/dev/snd/pcmC\(index)D\(device)\(direction == .capture ? "c" : "p")"
  }

  /// Card and device of a name; nil for names that have neither.
  static func address(_ name: String) -> (card: String, device: Int)? {
    guard let colon = name.firstIndex(of: ":") else { return nil }
    var card = "0"
    var device = "0"
    for (position, part) in name[name.index(after: colon)...].split(separator: ",").enumerated() {
      let pair = part.split(separator: "=", maxSplits: 1)
      if pair.count == 2 {
        if pair[0] == "CARD" { card = String(pair[1]) }
        if pair[0] == "DEV" { device = String(pair[1]) }
      } else if position == 0 {
        card = String(part)
      } else if position == 1 {
        device = String(part)
      }
    }
    return Int(device).map { (card, $0) }
  }

  init(path: String) { self.path = path }

  /// The processes that have the file open, as far as this user may see.
  func holders() -> [DeviceHolder] {
    var found: [DeviceHolder] = []
    for process in Self.entries("/proc") {
      guard let number = Int32(process) else { continue }
      let folder = "/proc/\(process)/fd"
      for descriptor in Self.entries(folder) where Self.target("\(folder)/\(descriptor)") == path {
        found.append(DeviceHolder(processID: number, command: Self.command("/proc/\(process)/comm")))
        break
      }
    }
    return found
  }

  /// Names in a folder; none when it may not be read.
  private static func entries(_ folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// Target of a symbolic link; nil when it may not be read.
  private static func target(_ link: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let length = unsafe bytes.withUnsafeMutableBytes { memory in
      unsafe memory.baseAddress.map { unsafe readlink(link, $0, memory.count) } ?? -1
    }
    return length >= 0 ? String(decoding: bytes[..<length], as: UTF8.self) : nil
  }

  /// First line of a small file.
  private static func command(_ file: String) -> String {
    let descriptor = unsafe Glibc.open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "?" }
    defer { Glibc.close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let length = unsafe bytes.withUnsafeMutableBytes {
      unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
    }
    return String(decoding: bytes[..<max(length, 0)].prefix { $0 != 10 }, as: UTF8.self)
  }
}
