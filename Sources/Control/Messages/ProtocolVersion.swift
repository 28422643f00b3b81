/// Version of the messages on the control socket.
public struct ProtocolVersion: Sendable, Codable, Hashable {
  /// Changes when a client written for an older version would misunderstand.
  public let major: Int
  /// Grows when something is added.
  public let minor: Int

  /// What this code speaks.
  public static let current = ProtocolVersion(major: 1, minor: 2)
}

extension ProtocolVersion: CustomStringConvertible {
  public var description: String { "\(major).\(minor)" }
}
