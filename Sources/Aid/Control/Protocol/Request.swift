import AuricleClient
import Base

/// One JSON-RPC request as the server reads it.
package struct Request: Sendable {
  /// A method's name with its parameters, which are not checked yet.
  package struct Call: Sendable {
    package let method: String
    package let parameters: JSONValue?
  }

  /// JSON text of the client's identifier, given back as it was sent; nil: no answer is wanted.
  package let identifier: String?
  /// The call, or the reason for which the line is no request.
  package let call: Result<Call, ControlFailure>

  /// Deepest nesting of arrays and objects read. No message of ours has more than 5.
  private static let deepestNesting = 16

  /// Reads one line, once.
  package init(line: [UInt8]) {
    var identifier: String? = "null"
    do throws(ControlFailure) {
      let object = try Self.object(in: line)
      identifier = try Self.identifier(object["id"], in: line)
      guard object["jsonrpc"] == .text("2.0") else {
        throw .request("jsonrpc", found: object["jsonrpc"], expected: "\"2.0\"")
      }
      guard case .text(let method) = object["method"]?.content else {
        throw .request("method", found: object["method"], expected: "a text")
      }
      call = .success(Call(method: method, parameters: object["params"]))
    } catch {
      identifier = identifier ?? "null"
      call = .failure(error)
    }
    self.identifier = identifier
  }

  private static func object(in line: [UInt8]) throws(ControlFailure) -> JSONValue {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(line, depth: deepestNesting)
    } catch {
      if error.kind == .depth {
        throw ControlFailure(
          .invalidRequest, "request: found more than \(deepestNesting) levels of nesting.")
      }
      throw ControlFailure(
        .parse,
        "request: found a line that is not JSON, expected one JSON-RPC 2.0 object a line. "
          + "At byte \(error.position.offset): \(error.words).")
    }
    switch value.content {
    case .object: return value
    case .array:
      throw ControlFailure(
        .invalidRequest, "request: found a batch, expected one object a line. Send the calls one by one.")
    default: throw .request("request", found: value, expected: "a JSON-RPC 2.0 object")
    }
  }

  private static func identifier(_ value: JSONValue?, in line: [UInt8]) throws(ControlFailure) -> String? {
    guard let value else { return nil }
    switch value.content {
    case .null, .text: return value.minified
    case .number(let number) where number.rounded() == number:
      // As it was written: a double does not hold every number of more than 53 bits.
      let digits = line[value.position.offset...].prefix { "+-.0123456789Ee".utf8.contains($0) }
      return String(decoding: digits, as: UTF8.self)
    default: throw .request("id", found: value, expected: "a string or a whole number")
    }
  }
}

extension ControlFailure {
  /// A part of a request that is not as expected.
  fileprivate static func request(_ name: String, found: JSONValue?, expected: String) -> ControlFailure {
    ControlFailure(.invalidRequest, "\(name): found \(found?.shown ?? "nothing"), expected \(expected).")
  }
}

extension ControlLine {
  /// - Parameters:
  ///   - identifier: Of the request, its JSON text.
  ///   - version: With the first response of a connection.
  package static func response(
    to identifier: String, _ result: Result<any Encodable & Sendable, ControlFailure>,
    version: ProtocolVersion?
  ) -> [UInt8] {
    let version = version.map { ",\"protocol\":{\"major\":\($0.major),\"minor\":\($0.minor)}" } ?? ""
    let envelope = "\"id\":\(identifier),\"jsonrpc\":\"2.0\"\(version)"
    do {
      switch result {
      case .success(let reply): return [UInt8]("{\(envelope),\"result\":\(try JSON.text(reply))}".utf8)
      case .failure(let failure): return [UInt8]("{\"error\":\(try JSON.text(failure)),\(envelope)}".utf8)
      }
    } catch {
      // Only a number that JSON does not have can fail, and reports let none pass.
      let code = ControlFailure.Code.internal.rawValue
      return [UInt8](
        "{\"error\":{\"code\":\(code),\"message\":\"The answer cannot be written as JSON.\"},\(envelope)}"
          .utf8)
    }
  }

  /// - Parameters:
  ///   - sequence: Counts what was meant for this subscriber, from 1, so that a gap shows how much was left out
  ///     because it read too slowly.
  ///   - json: The content, one value.
  package static func notification(_ topic: String, sequence: Int, json: String) -> [UInt8] {
    let parameters = "{\"sequence\":\(sequence),\"\(topic)\":\(json)}"
    return [UInt8]("{\"jsonrpc\":\"2.0\",\"method\":\"\(topic)\",\"params\":\(parameters)}".utf8)
  }
}
