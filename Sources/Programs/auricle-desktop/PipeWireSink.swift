import Base
import Glibc

/// A sink of PipeWire, as pw-dump(1) tells it.
///
/// Its library would bring a real-time thread and a connection that stays; this is asked when earphones come or go, and now and then.
enum PipeWireSink: Equatable, Sendable {
  case bluetooth(address: String)
  case usb(maker: UInt16, product: UInt16, name: String?)
  case other

  private static let program = "/usr/bin/pw-dump"
  /// Longest that it is waited for, s: it takes some tens of ms. Own choice.
  private static let patience = 2.0
  /// Most that is read, bytes: a desktop's dump has some hundred thousand. Own choice.
  private static let longestDump = 8 << 20
  /// Most values of a dump: one of 500 kB has some 20 000. Own choice, for memory.
  private static let mostValues = 1 << 18

  /// Answer to a question for a sink.
  enum Answer: Equatable, Sendable {
    case sink(PipeWireSink)
    /// It has no such sink, or plays on none by default.
    case noSink
    /// It did not answer, or not in time.
    case unanswered
    /// Its program is not installed.
    case notInstalled
  }

  /// - Parameter node: Name or serial number of the sink; nil: the one on which it plays by default.
  static func now(_ node: String?) -> Answer { answer(of: program, for: node) }

  /// - Parameter program: pw-dump, or another one in tests.
  static func answer(of program: String, for node: String?) -> Answer {
    guard access(program, X_OK) == 0 else { return .notInstalled }
    guard let bytes = dump(by: program) else { return .unanswered }
    return PipeWireSink(dump: bytes, node: node).map(Answer.sink) ?? .noSink
  }

  /// Nil where there is no such sink.
  ///
  /// - Parameter node: Name or serial number of the sink; nil, by default: the one on which PipeWire plays by default.
  init?(dump: [UInt8], node name: String? = nil) {
    guard case .array(let objects)? = (try? JSONValue(dump, count: Self.mostValues))?.content,
      let name = name ?? Self.defaultSink(in: objects),
      let node = objects.compactMap(Self.properties).first(where: { Self.isNode($0, called: name) })
    else { return nil }
    let device = objects.first { $0["id"] != nil && $0["id"] == node["device.id"] }.flatMap(Self.properties)
    func text(_ key: String) -> String? {
      if case .text(let text)? = (node[key] ?? device?[key])?.content { text } else { nil }
    }
    if let address = text("api.bluez5.address") {
      self = .bluetooth(address: address)
    } else if text("device.bus") == "usb", let maker = Self.number(text("device.vendor.id")),
      let product = Self.number(text("device.product.id"))
    {
      self = .usb(maker: maker, product: product, name: text("device.description"))
    } else {
      self = .other
    }
  }

  private static func properties(_ object: JSONValue) -> JSONValue? { object["info"]?["props"] }

  /// True for a node of this name or serial number.
  private static func isNode(_ properties: JSONValue, called name: String) -> Bool {
    guard let own = properties["node.name"] else { return false }
    if own == .text(name) { return true }
    return Int(name).map { properties["object.serial"] == .number(Double($0)) } ?? false
  }

  /// The sink that the person has chosen last, of those that there are: an entry of the metadata "default".
  private static func defaultSink(in objects: [JSONValue]) -> String? {
    for object in objects where object["props"]?["metadata.name"] == "default" {
      guard case .array(let entries)? = object["metadata"]?.content else { continue }
      let entry = entries.first { $0["key"] == "default.audio.sink" }
      if case .text(let name)? = entry?["value"]?["name"]?.content { return name }
    }
    return nil
  }

  /// `0x046d`, or `1133` in older versions.
  private static func number(_ text: String?) -> UInt16? {
    guard let text else { return nil }
    return text.hasPrefix("0x") ? UInt16(text.dropFirst(2), radix: 16) : UInt16(text)
  }

  // MARK: - The program

  /// Output of pw-dump; nil when it fails, writes too much or takes too long.
  static func dump(by program: String) -> [UInt8]? {
    guard let output = ProgramOutput(of: program, limit: longestDump, patience: patience),
      output.ending == .exit(0)
    else { return nil }
    return output.bytes
  }
}
