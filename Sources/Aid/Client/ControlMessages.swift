import Base

/// Lines as they are written to the socket, without their line breaks.
package enum ControlLine {
  /// - Parameter parameters: JSON text of an object; nil: none.
  package static func request(_ method: String, parameters: String?, identifier: Int64) -> [UInt8] {
    let parameters = parameters.map { ",\"params\":\($0)" } ?? ""
    let method = JSONValue.text(method).minified
    return [UInt8]("{\"id\":\(identifier),\"jsonrpc\":\"2.0\",\"method\":\(method)\(parameters)}".utf8)
  }
}

/// A message to a subscriber that answers no request, as a client reads it.
public struct ControlNotification: Sendable, Equatable {
  /// Topic, one of those under NOTIFICATIONS in auricle-protocol(7).
  public let topic: String
  /// Counts what was meant for this subscriber, from 1; what is missing was left out.
  public let sequence: Int
  /// Value of the topic, as NOTIFICATIONS in auricle-protocol(7) describes it.
  public let content: JSONValue

  /// Nil for a message that is not a notification.
  init?(_ message: JSONValue) {
    guard case .text(let topic) = message["method"]?.content, let content = message["params"]?[topic],
      case .number(let number) = message["params"]?["sequence"]?.content,
      let sequence = Int(exactly: number)
    else { return nil }
    (self.topic, self.sequence, self.content) = (topic, sequence, content)
  }
}

/// Version of the messages on the control socket.
public struct ProtocolVersion: Sendable, Codable, Hashable, CustomStringConvertible {
  /// Changes when a client written for an older version would misunderstand.
  public let major: Int
  /// Grows when something is added, or a method goes, which is refused by its name then.
  public let minor: Int

  /// Version of this code.
  public static let current = ProtocolVersion(major: 1, minor: 6)

  public var description: String { "\(major).\(minor)" }
}
