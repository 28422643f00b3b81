import Base

/// Why a request was not carried out: the error object of a JSON-RPC response.
package struct ControlFailure: Error, Sendable, Hashable {
  /// Error codes; those below −32000 are JSON-RPC's own (section 5.1).
  package enum Code: Int, Sendable, Codable, CaseIterable {
    /// Not JSON.
    case parse = -32700
    /// JSON, but not a request.
    case invalidRequest = -32600
    case unknownMethod = -32601
    case invalidParameters = -32602
    case `internal` = -32603
    /// Understood and attempted, but it failed; `data` says how.
    case failed = -32000
    /// The peer may read but not change.
    case notPermitted = -32001
    /// As many clients are connected as are allowed.
    case tooManyClients = -32002
    /// Nothing was said in time.
    case tooSlow = -32003
  }

  package let code: Code
  /// One sentence.
  package let message: String
  /// The failure behind it, when there is one: what was found, what to do, how a command exits.
  package let failure: Failure?

  package init(_ code: Code, _ message: String, failure: Failure? = nil) {
    self.code = code
    self.message = message
    self.failure = failure
  }

  /// Something the daemon tried and could not do.
  package init(_ failure: Failure) {
    self.init(.failed, failure.message, failure: failure)
  }

  /// The sentence for a log, without anything that a file about somebody's hearing holds.
  package var logMessage: String { failure?.logMessage ?? message }
}

extension ControlFailure: Codable {
  enum CodingKeys: String, CodingKey {
    case code, message
    case failure = "data"
  }
}

extension ControlFailure.Code {
  /// A newer daemon may have codes that are not known here.
  package init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(Int.self)) ?? .internal
  }
}
