/// One JSON-RPC request, or a notification when it has no identifier.
package struct Request: Sendable, Equatable {
  /// Nil: no answer is wanted.
  package let identifier: RequestIdentifier?
  package let method: String
  package let parameters: RPCValue?

  package init(_ call: ControlCall, identifier: RequestIdentifier?) {
    self.identifier = identifier
    method = call.method
    parameters = call.parameters
  }

  /// Deepest nesting of arrays and objects read. No message of ours has more than 3.
  static let deepestNesting = 16

  /// Reads one line.
  ///
  /// - Throws: ``Refusal``.
  package init(line: [UInt8]) throws(Refusal) {
    guard JSON.depth(of: line) <= Self.deepestNesting else {
      throw Refusal(
        .invalidRequest, "request: found more than \(Self.deepestNesting) levels of nesting.", to: .null)
    }
    guard let value = try? JSON.value(RPCValue.self, from: line) else {
      throw Refusal(
        .parse, "request: found a line that is not JSON, expected one JSON-RPC 2.0 object a line.",
        to: .null)
    }
    guard case .object(let fields) = value else {
      if case .array = value {
        throw Refusal(
          .invalidRequest, "request: found a batch, expected one object a line. Send the calls one by one.",
          to: .null)
      }
      throw Refusal(
        .invalidRequest, "request: found \(value.kind), expected a JSON-RPC 2.0 object.", to: .null)
    }
    switch fields["id"] {
    case nil: identifier = nil
    case .null: identifier = .null
    case .string(let text): identifier = .string(text)
    case .integer(let number): identifier = .number(number)
    case .some(let other):
      throw Refusal(
        .invalidRequest, "id: found \(other.kind), expected a string or a whole number.", to: .null)
    }
    guard fields["jsonrpc"] == .string("2.0") else {
      throw Refusal(
        .invalidRequest, "jsonrpc: found \(fields["jsonrpc"].shown), expected \"2.0\".",
        to: identifier ?? .null)
    }
    guard case .string(let name) = fields["method"] else {
      throw Refusal(
        .invalidRequest, "method: found \(fields["method"].shown), expected a string.",
        to: identifier ?? .null)
    }
    method = name
    parameters = fields["params"]
  }

  /// Why a line is not a request, and to which identifier the answer goes.
  package struct Refusal: Error, Sendable, Equatable {
    package let failure: ControlFailure
    package let identifier: RequestIdentifier

    init(_ code: ControlFailure.Code, _ message: String, to identifier: RequestIdentifier) {
      failure = ControlFailure(code, message)
      self.identifier = identifier
    }
  }
}

extension Request: Encodable {
  enum CodingKeys: String, CodingKey {
    case jsonrpc, id, method, params
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode("2.0", forKey: .jsonrpc)
    try values.encodeIfPresent(identifier, forKey: .id)
    try values.encode(method, forKey: .method)
    try values.encodeIfPresent(parameters, forKey: .params)
  }
}

extension RPCValue? {
  /// For messages: `nothing`, the string in quotation marks, or the kind of value.
  fileprivate var shown: String {
    switch self {
    case nil: "nothing"
    case .string(let text): "\"\(text.prefix(64))\""
    case .some(let value): value.kind
    }
  }
}

/// What a client calls a request, given back with its response (JSON-RPC 2.0, section 4).
package enum RequestIdentifier: Sendable, Hashable {
  case string(String)
  case number(Int64)
  /// Of a response to something that had no readable identifier.
  case null
}

extension RequestIdentifier: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else {
      self = .number(try container.decode(Int64.self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .string(let text): try container.encode(text)
    case .number(let number): try container.encode(number)
    case .null: try container.encodeNil()
    }
  }
}

/// The answer to one request.
package struct Response: Sendable, Equatable {
  package let identifier: RequestIdentifier
  package let result: Result<ControlReply, ControlFailure>
  /// Sent with the first response of a connection.
  package let version: ProtocolVersion?

  package init(
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

/// Version of the messages on the control socket.
package struct ProtocolVersion: Sendable, Codable, Hashable {
  /// Changes when a client written for an older version would misunderstand.
  package let major: Int
  /// Grows when something is added.
  package let minor: Int

  /// What this code speaks.
  package static let current = ProtocolVersion(major: 1, minor: 2)
}

extension ProtocolVersion: CustomStringConvertible {
  package var description: String { "\(major).\(minor)" }
}
