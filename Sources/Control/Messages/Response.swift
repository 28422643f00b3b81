/// The answer to one request.
public struct Response: Sendable, Equatable {
  public let identifier: RequestIdentifier
  public let result: Result<ControlReply, ControlFailure>
  /// Sent with the first response of a connection.
  public let version: ProtocolVersion?

  public init(
    to identifier: RequestIdentifier, _ result: Result<ControlReply, ControlFailure>,
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

  public func encode(to encoder: any Encoder) throws {
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

/// The answer to one request as a client reads it, when it knows what result to expect.
struct ReceivedResponse<Reply: Decodable>: Decodable {
  let identifier: RequestIdentifier
  let result: Result<Reply, ControlFailure>
  let version: ProtocolVersion?

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Response.CodingKeys.self)
    identifier = try values.decode(RequestIdentifier.self, forKey: .id)
    version = try values.decodeIfPresent(ProtocolVersion.self, forKey: .version)
    if let failure = try values.decodeIfPresent(ControlFailure.self, forKey: .error) {
      result = .failure(failure)
    } else {
      result = .success(try values.decode(Reply.self, forKey: .result))
    }
  }
}
