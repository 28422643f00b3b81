import CSystemd
import Glibc

/// A message while it is handled.
struct BusMessage {
  let message: OpaquePointer?

  init(_ message: OpaquePointer?) { self.message = message }

  /// Unique name of the connection that sent it, which the bus itself puts there, `:1.7`; of the bus's own messages
  /// `org.freedesktop.DBus`.
  var sender: String? { sd_bus_message_get_sender(message).map { String(cString: $0) } }

  /// Of a call: `interface.name`.
  var method: String? {
    guard let interface = sd_bus_message_get_interface(message),
      let name = sd_bus_message_get_member(message)
    else { return nil }
    return "\(String(cString: interface)).\(String(cString: name))"
  }

  /// Of an answer.
  var answer: Result<[BusValue], BusError> {
    guard let error = sd_bus_message_get_error(message) else { return .success(values) }
    let name = error.pointee.name.map { String(cString: $0) } ?? "?"
    return .failure(BusError(name: name, words: error.pointee.message.map { String(cString: $0) } ?? name))
  }

  func reply(_ values: [BusValue], on bus: OpaquePointer) -> Int32 {
    var answer: OpaquePointer?
    var code = sd_bus_message_new_method_return(message, &answer)
    defer { sd_bus_message_unref(answer) }
    if code >= 0 { code = BusMessage(answer).append(values) }
    return code < 0 ? code : max(0, sd_bus_send(bus, answer, nil)) + 1
  }

  // MARK: - Reading

  /// All that is in it.
  var values: [BusValue] {
    var room = Int.max
    return readValues(&room) ?? []
  }

  /// All that is in it; nil where that is more than fits.
  ///
  /// - Parameter room: Values and bytes of text together.
  func contents(within room: Int) -> [BusValue]? {
    var room = room
    return readValues(&room)
  }

  /// Values of the message, or of the container that was entered; nil once there is no room.
  private func readValues(_ room: inout Int) -> [BusValue]? {
    var values: [BusValue] = []
    var (type, contents) = (CChar(), UnsafePointer<CChar>?.none)
    while sd_bus_message_peek_type(message, &type, &contents) > 0 {
      room -= 1
      guard room >= 0 else { return nil }
      guard let value = value(of: type, contents, &room) else { break }
      values.append(value)
    }
    return room < 0 ? nil : values
  }

  private func value(
    of type: CChar, _ contents: UnsafePointer<CChar>?, _ room: inout Int
  ) -> BusValue? {
    switch UnicodeScalar(UInt8(bitPattern: type)) {
    case "b": basic(type, Int32(0)).map { .boolean($0 != 0) }
    case "y": basic(type, UInt8(0)).map { .byte($0) }
    case "n": basic(type, Int16(0)).map { .int16($0) }
    case "q": basic(type, UInt16(0)).map { .uint16($0) }
    case "i": basic(type, Int32(0)).map { .int32($0) }
    case "u": basic(type, UInt32(0)).map { .uint32($0) }
    case "x": basic(type, Int64(0)).map { .int64($0) }
    case "t": basic(type, UInt64(0)).map { .uint64($0) }
    case "d": basic(type, Double(0)).map { .double($0) }
    case "s", "g": text(type, &room).map { .string($0) }
    case "o": text(type, &room).map { .path($0) }
    case "h": basic(type, Int32(-1)).map { .descriptor($0) }
    default: container(type, contents, &room)
    }
  }

  private func basic<Value>(_ type: CChar, _ initial: Value) -> Value? {
    var value = initial
    return withUnsafeMutablePointer(to: &value) { sd_bus_message_read_basic(message, type, $0) } > 0
      ? value : nil
  }

  private func text(_ type: CChar, _ room: inout Int) -> String? {
    guard case let characters?? = basic(type, UnsafePointer<CChar>?.none) else { return nil }
    room -= Int(strlen(characters))
    return room < 0 ? nil : String(cString: characters)
  }

  /// The bus itself bounds how deep containers lie in each other, at 64.
  private func container(
    _ type: CChar, _ contents: UnsafePointer<CChar>?, _ room: inout Int
  ) -> BusValue? {
    guard sd_bus_message_enter_container(message, type, contents) > 0, let values = readValues(&room),
      sd_bus_message_exit_container(message) >= 0
    else { return nil }
    return type == CChar(UInt8(ascii: "v")) ? values.first : .list(values)
  }

  // MARK: - Writing

  /// - Returns: 0 or more; `-errno`.
  func append(_ values: [BusValue]) -> Int32 {
    for value in values {
      let code = append(value)
      if code < 0 { return code }
    }
    return 0
  }

  private func append(_ value: BusValue) -> Int32 {
    switch value {
    case .boolean(let value): append("b", Int32(value ? 1 : 0))
    case .byte(let value): append("y", value)
    case .int16(let value): append("n", value)
    case .uint16(let value): append("q", value)
    case .int32(let value): append("i", value)
    case .uint32(let value): append("u", value)
    case .int64(let value): append("x", value)
    case .uint64(let value): append("t", value)
    case .double(let value): append("d", value)
    case .descriptor(let value): append("h", value)
    case .string(let text): sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), text)
    case .path(let text): sd_bus_message_append_basic(message, CChar(UInt8(ascii: "o")), text)
    case .list(let values): inside("a", values.first?.signature ?? "s") { append(values) }
    case .variant(let value): inside("v", value.signature) { append(value) }
    case .strings(let texts): inside("a", "s") { append(texts.map { .string($0) }) }
    case .properties(let properties):
      inside("a", "{sv}") {
        for (key, value) in properties.sorted(by: { $0.key < $1.key }) {
          let code = inside("e", "sv") { append([.string(key), .variant(value)]) }
          if code < 0 { return code }
        }
        return 0
      }
    }
  }

  private func append<Value>(_ type: UnicodeScalar, _ value: Value) -> Int32 {
    var value = value
    return withUnsafePointer(to: &value) { sd_bus_message_append_basic(message, CChar(type.value), $0) }
  }

  private func inside(_ type: UnicodeScalar, _ contents: String, _ body: () -> Int32) -> Int32 {
    let code = sd_bus_message_open_container(message, CChar(type.value), contents)
    if code < 0 { return code }
    let inner = body()
    return inner < 0 ? inner : sd_bus_message_close_container(message)
  }
}
