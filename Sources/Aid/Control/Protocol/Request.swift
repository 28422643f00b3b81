import Base

/// One JSON-RPC request, or a notification when it has no identifier.
package struct Request: Sendable, Equatable {
  /// Nil: no answer is wanted.
  package let identifier: RequestIdentifier?
  package let method: String
  package let parameters: JSONValue?

  /// Deepest nesting of arrays and objects read. No message of ours has more than 5.
  static let deepestNesting = 16

  /// Reads one line, once.
  ///
  /// - Throws: ``Refusal``.
  package init(line: [UInt8]) throws(Refusal) {
    let members = try Self.members(of: line)
    let parts = Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    do throws(ControlFailure) {
      identifier = try parts["id"].map { (value) throws(ControlFailure) in
        try RequestIdentifier(value, in: line)
      }
    } catch {
      throw Refusal(failure: error, identifier: .null)
    }
    guard parts["jsonrpc"] == .text("2.0") else {
      throw Refusal("jsonrpc", found: parts["jsonrpc"], expected: "\"2.0\"", to: identifier)
    }
    guard case .text(let name) = parts["method"]?.content else {
      throw Refusal("method", found: parts["method"], expected: "a text", to: identifier)
    }
    method = name
    parameters = parts["params"]
  }

  private static func members(of line: [UInt8]) throws(Refusal) -> [JSONValue.Member] {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(line, limits: JSONValue.Limits(depth: deepestNesting))
    } catch {
      if case .depth = error.reason {
        throw Refusal(.invalidRequest, "request: found more than \(deepestNesting) levels of nesting.")
      }
      throw Refusal(
        .parse,
        "request: found a line that is not JSON, expected one JSON-RPC 2.0 object a line. "
          + "At byte \(error.position.offset): \(error.words).")
    }
    switch value.content {
    case .object(let members): return members
    case .array:
      throw Refusal(
        .invalidRequest, "request: found a batch, expected one object a line. Send the calls one by one.")
    default: throw Refusal("request", found: value, expected: "a JSON-RPC 2.0 object", to: nil)
    }
  }

  /// Why a line is not a request, and to which identifier the answer goes.
  package struct Refusal: Error, Sendable, Equatable {
    package let failure: ControlFailure
    package let identifier: RequestIdentifier

    fileprivate init(failure: ControlFailure, identifier: RequestIdentifier) {
      self.failure = failure
      self.identifier = identifier
    }

    fileprivate init(_ code: ControlFailure.Code, _ message: String) {
      self.init(failure: ControlFailure(code, message), identifier: .null)
    }

    fileprivate init(_ name: String, found: JSONValue?, expected: String, to identifier: RequestIdentifier?)
    {
      self.init(
        failure: .request(name, found: found?.shown ?? "nothing", expected: expected),
        identifier: identifier ?? .null)
    }
  }
}

extension ControlFailure {
  /// A part of a request that is not as expected.
  fileprivate static func request(_ name: String, found: String, expected: String) -> ControlFailure {
    ControlFailure(.invalidRequest, "\(name): found \(found), expected \(expected).")
  }
}

extension ControlMethod {
  /// The request for this call as a client sends it, without a line break.
  ///
  /// - Throws: `EncodingError`, for numbers that JSON does not have.
  package func line(_ identifier: RequestIdentifier) throws -> [UInt8] {
    try JSON.bytes(SentRequest(identifier: identifier, method: self))
  }
}

/// One request as a client sends it.
private struct SentRequest<Method: ControlMethod>: Encodable {
  let identifier: RequestIdentifier
  let method: Method

  enum CodingKeys: String, CodingKey {
    case jsonrpc, id, method, params
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode("2.0", forKey: .jsonrpc)
    try values.encode(identifier, forKey: .id)
    try values.encode(Method.name, forKey: .method)
    if !Method.description.parameters.isEmpty { try values.encode(method, forKey: .params) }
  }
}

/// The client's name for a request, given back with its response (JSON-RPC 2.0, section 4).
package enum RequestIdentifier: Sendable, Hashable {
  case string(String)
  case number(Int64)
  /// Of a response to something that had no readable identifier.
  case null

  /// - Parameter line: The text that `value` was read from: numbers of more than 53 bits stand there in full.
  /// - Throws: ``ControlFailure`` for anything but a string, a whole number or null.
  init(_ value: JSONValue, in line: [UInt8]) throws(ControlFailure) {
    switch value.content {
    case .null: self = .null
    case .text(let text): self = .string(text)
    default:
      let word = line[value.position.offset...].prefix { !" \t,}".utf8.contains($0) }
      guard case .number(let number) = value.content,
        let whole = Int64(String(decoding: word, as: UTF8.self)) ?? Int64(exactly: number)
      else { throw .request("id", found: value.kind, expected: "a string or a whole number") }
      self = .number(whole)
    }
  }
}

extension RequestIdentifier: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .string(let text): try container.encode(text)
    case .number(let number): try container.encode(number)
    case .null: try container.encodeNil()
    }
  }
}
