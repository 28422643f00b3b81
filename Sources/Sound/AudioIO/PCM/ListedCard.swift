import Base
import Glibc

/// A sound card of this machine as the kernel lists it to everybody, who may use it or not.
struct ListedCard: Equatable {
  /// Number, as in `hw:0`.
  let number: Int
  /// Short name, as in `hw:CARD=PCH`.
  let id: String
  /// Name for people.
  let name: String
  var devices: [Device] = []
  /// False of the kernel's loopback and dummy.
  var hasConverters = true

  /// A device of the card.
  struct Device: Equatable {
    let number: Int
    let name: String
    let directions: [StreamDirection]
  }

  /// Cards of this machine with their devices; none without ALSA.
  ///
  /// - Threads: control.
  static func all() -> [ListedCard] {
    func text(_ path: String) -> String {
      String(decoding: (try? FileContent.bytes(of: path, limit: 1 << 16)) ?? [], as: UTF8.self)
    }
    var listed = all(cards: text("/proc/asound/cards"), devices: text("/proc/asound/pcm"))
    if listed.isEmpty {
      // A sandbox may hide everything in /proc but processes (ProcSubset=pid).
      listed = all(objects: Folder.names(in: "/sys/class/sound")) { text("/sys/class/sound/card\($0)/id") }
    }
    return listed.map { card in
      var card = card
      card.hasConverters = CardHardware(ofCard: card.number).hasConverters
      return card
    }
  }

  /// Reads the kernel's two lists.
  ///
  ///     0 [PCH            ]: HDA-Intel - HDA Intel PCH
  ///                          HDA Intel PCH at 0xf7e10000 irq 31
  ///
  ///     00-03: HDMI 0 : HDMI 0 : playback 1
  static func all(cards: String, devices: String) -> [ListedCard] {
    var found: [ListedCard] = []
    for line in cards.split(separator: "\n") {
      let parts = line.split(separator: "[", maxSplits: 1)
      guard parts.count == 2, let number = Int(trimmed(parts[0])) else { continue }
      let halves = parts[1].split(separator: "]", maxSplits: 1)
      guard halves.count == 2, let name = halves[1].split(separator: " - ", maxSplits: 1).last else {
        continue
      }
      found.append(ListedCard(number: number, id: trimmed(halves[0]), name: trimmed(name)))
    }
    for line in devices.split(separator: "\n") {
      let fields = line.split(separator: ":").map { trimmed($0) }
      let numbers = (fields.first ?? "").split(separator: "-").compactMap { Int($0) }
      guard numbers.count == 2, let place = found.firstIndex(where: { $0.number == numbers[0] }) else {
        continue
      }
      let directions = StreamDirection.allCases.filter { direction in
        fields.dropFirst(2).contains { $0.hasPrefix(direction.rawValue) }
      }
      let name = fields.count > 1 ? fields[1] : ""
      found[place].devices.append(Device(number: numbers[1], name: name, directions: directions))
    }
    return found
  }

  /// Reads the kernel's objects, `card0` and `pcmC0D0p`, which say all but names for people.
  static func all(objects: [String], id: (_ card: Int) -> String) -> [ListedCard] {
    let numbers = objects.compactMap { $0.hasPrefix("card") ? Int($0.dropFirst(4)) : nil }.sorted()
    return numbers.map { number in
      let id = trimmed(id(number).prefix { $0 != "\n" })
      var card = ListedCard(number: number, id: id.isEmpty ? "\(number)" : id, name: id)
      let streams = objects.filter { $0.hasPrefix("pcmC\(number)D") }
      let devices = Set(streams.compactMap { Int($0.dropFirst("pcmC\(number)D".count).dropLast()) })
      card.devices = devices.sorted().map { device in
        let directions = StreamDirection.allCases.filter {
          streams.contains("pcmC\(number)D\(device)\($0 == .capture ? "c" : "p")")
        }
        return Device(number: device, name: "device \(device)", directions: directions)
      }
      return card
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
