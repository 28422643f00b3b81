/// What a client calls a request, given back with its response (JSON-RPC 2.0, section 4).
public enum RequestIdentifier: Sendable, Hashable {
  case string(String)
  case number(Int64)
  /// Of a response to something that had no readable identifier.
  case null
}

extension RequestIdentifier: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else {
      self = .number(try container.decode(Int64.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .string(let text): try container.encode(text)
    case .number(let number): try container.encode(number)
    case .null: try container.encodeNil()
    }
  }
}
