import Base

/// The answer to one request, as the server sends it.
package struct Response: Sendable {
  package let identifier: RequestIdentifier
  package let result: Result<any Encodable & Sendable, ControlFailure>
  /// Sent with the first response of a connection.
  package let version: ProtocolVersion?

  package init(
    to identifier: RequestIdentifier, _ result: Result<any Encodable & Sendable, ControlFailure>,
    version: ProtocolVersion? = nil
  ) {
    self.identifier = identifier
    self.result = result
    self.version = version
  }
}

extension Response: Encodable {
  enum CodingKeys: String, CodingKey {
    case jsonrpc, id, result, error
    case version = "protocol"
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode("2.0", forKey: .jsonrpc)
    try values.encode(identifier, forKey: .id)
    switch result {
    case .success(let reply): try values.encode(reply, forKey: .result)
    case .failure(let failure): try values.encode(failure, forKey: .error)
    }
    try values.encodeIfPresent(version, forKey: .version)
  }
}

/// Version of the messages on the control socket.
package struct ProtocolVersion: Sendable, Codable, Hashable {
  /// Changes when a client written for an older version would misunderstand.
  package let major: Int
  /// Grows when something is added.
  package let minor: Int

  /// What this code speaks.
  package static let current = ProtocolVersion(major: 1, minor: 3)
}

extension ProtocolVersion: CustomStringConvertible {
  package var description: String { "\(major).\(minor)" }
}
