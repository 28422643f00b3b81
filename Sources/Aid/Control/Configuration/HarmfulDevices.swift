import AudioIO
import Base

extension Configuration.Device {
  /// Names by which alsa-lib may start programs or write files (``DeviceArguments``), with their keys. They are right where the wearer chose
  /// them, and in no configuration that somebody else has brought.
  package var harmfulNames: [(key: String, name: String)] {
    let names = [("device.capture", capture), ("device.playback", playback), ("device.stream", stream)]
    return names.compactMap { key, name -> (key: String, name: String)? in
      guard let name, !DeviceArguments.areHarmless(in: name) else { return nil }
      return (key: key, name: name)
    }
  }

  private static let keys = ["capture", "playback", "stream"]

  /// The same of a configuration's text, in any of its tables and each once, whatever is wrong in it: text that is no TOML, or names its section
  /// otherwise, is so only until a person corrects it. Each line counts by itself too, therefore. None where the text is too large to be
  /// read, and in JSON, as of calibrations and audiograms: each `=` in it stands in a string, so it is never TOML that sets anything.
  package static func harmfulNames(in text: [UInt8]) -> [(key: String, name: String)] {
    guard text.count <= Configuration.maximumFileSize, (try? JSONValue(text)) == nil else { return [] }
    let whole = try? TOMLParser.document(text)
    var names = whole.map { harmfulNames(at: "", of: .table($0)) } ?? []
    for line in text.split(whereSeparator: { $0 == .newline || $0 == .carriageReturn }) {
      guard let set = key(in: line) else { continue }
      if let alone = try? TOMLParser.document(Array(line)) {
        names += harmfulNames(at: "", of: .table(alone))
      } else if whole == nil, let name = unreadName(in: line) {
        names.append((key: set, name: name))
      }
    }
    var seen: Set<[String]> = []
    return names.filter { seen.insert([$0.key, $0.name]).inserted }
  }

  private static func harmfulNames(at key: String, of value: TOMLValue) -> [(key: String, name: String)] {
    switch value {
    case .string(let name) where keys.contains(key) && !DeviceArguments.areHarmless(in: name):
      return [(key: "device." + key, name: name)]
    case .array(let array): return array.elements.flatMap { harmfulNames(at: key, of: $0.value) }
    case .table(let table):
      return table.keys.flatMap { key in table[key].map { harmfulNames(at: key, of: $0.value) } ?? [] }
    default: return []
    }
  }

  /// Key of a device that a line may set; nil: none. One in escapes counts as `device`.
  private static func key(in line: ArraySlice<UInt8>) -> String? {
    guard let end = line.lastIndex(of: equals) else { return nil }
    let text = String(decoding: line[..<end], as: UTF8.self)
    let words = text.split { !($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    for key in keys where words.contains(where: { $0 == key || $0.hasSuffix("." + key) }) {
      return "device." + key
    }
    return text.contains("\\") ? "device" : nil
  }

  /// Name in a line that is no TOML, such as one that lacks a quotation mark; nil for one that is harmless.
  private static func unreadName(in line: ArraySlice<UInt8>) -> String? {
    let value = line.drop { $0 != equals }.dropFirst()
    var bytes = Array(value.drop { marks.contains($0) })
    while let last = bytes.last, marks.contains(last) { bytes.removeLast() }
    let name = String(decoding: bytes, as: UTF8.self)
    // A string that three quotation marks begin goes on in the next line.
    let written = String(decoding: value, as: UTF8.self)
    if written.contains("\"\"\"") || written.contains("'''") { return name }
    return name.isEmpty || DeviceArguments.areHarmless(in: name) ? nil : name
  }

  private static let equals = UInt8(ascii: "=")
  /// Bytes around a name.
  private static let marks = Set(" \t\"',".utf8)
}
