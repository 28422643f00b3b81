/// One JSON-RPC request, or a notification when it has no identifier.
public struct Request: Sendable, Equatable {
  /// Nil: no answer is wanted.
  public let identifier: RequestIdentifier?
  public let method: String
  public let parameters: JSONValue?

  public init(_ call: ControlCall, identifier: RequestIdentifier?) {
    self.identifier = identifier
    method = call.method
    parameters = call.parameters
  }

  /// Deepest nesting of arrays and objects read. No message of ours has more than 3.
  static let deepestNesting = 16

  /// Reads one line.
  ///
  /// - Throws: ``Refusal``.
  public init(line: [UInt8]) throws(Refusal) {
    guard JSON.depth(of: line) <= Self.deepestNesting else {
      throw Refusal(
        .invalidRequest, "request: found more than \(Self.deepestNesting) levels of nesting.", to: .null)
    }
    guard let value = try? JSON.value(JSONValue.self, from: line) else {
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
  public struct Refusal: Error, Sendable, Equatable {
    public let failure: ControlFailure
    public let identifier: RequestIdentifier

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

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode("2.0", forKey: .jsonrpc)
    try values.encodeIfPresent(identifier, forKey: .id)
    try values.encode(method, forKey: .method)
    try values.encodeIfPresent(parameters, forKey: .params)
  }
}

extension JSONValue? {
  /// For messages: `nothing`, the string in quotation marks, or the kind of value.
  fileprivate var shown: String {
    switch self {
    case nil: "nothing"
    case .string(let text): "\"\(text.prefix(64))\""
    case .some(let value): value.kind
    }
  }
}
