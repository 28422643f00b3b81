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

  /// The same of a configuration's text, each once, whatever is wrong in it: text that is no TOML, or names its section otherwise, is so only
  /// until a person corrects it. Each line counts by itself too, therefore. None where the text is too large to be read.
  package static func harmfulNames(in text: [UInt8]) -> [(key: String, name: String)] {
    guard text.count <= Configuration.maximumFileSize else { return [] }
    let whole = reading(text)
    var names = whole?.harmfulNames ?? []
    for line in text.split(whereSeparator: { $0 == .newline || $0 == .carriageReturn }) {
      guard let set = key(in: line) else { continue }
      let alone = [reading(Array("[device]\n".utf8) + line), reading(Array(line))].compactMap(\.self)
      names += alone.flatMap(\.harmfulNames)
      guard alone.isEmpty, whole == nil, let name = unreadName(in: line) else { continue }
      names.append((key: set, name: name))
    }
    var seen: Set<[String]> = []
    return names.filter { seen.insert([$0.key, $0.name]).inserted }
  }

  /// Nil for text that is no TOML.
  private static func reading(_ text: [UInt8]) -> Configuration.Device? {
    guard ConfigurationReader.encodingProblem(in: text) == nil,
      let document = try? TOMLParser.document(text)
    else { return nil }
    var configuration = Configuration()
    var reader = ConfigurationReader(document, folder: nil)
    for setting in Configuration.schema where setting.section == "device" {
      setting.read(&reader, &configuration)
    }
    return configuration.device
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
    // What three quotation marks begin goes on in the next line.
    let written = String(decoding: value, as: UTF8.self)
    if written.contains("\"\"\"") || written.contains("'''") { return name }
    return name.isEmpty || DeviceArguments.areHarmless(in: name) ? nil : name
  }

  private static let equals = UInt8(ascii: "=")
  /// Bytes around a name.
  private static let marks = Set(" \t\"',".utf8)
}
