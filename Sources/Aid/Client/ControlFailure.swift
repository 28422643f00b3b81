import Base

/// Why a request was not carried out: the error object of a JSON-RPC response.
public struct ControlFailure: Error, Sendable, Hashable, Codable {
  /// Error codes; those below −32000 are JSON-RPC's own (section 5.1).
  public enum Code: Int, Sendable, Codable, CaseIterable {
    /// Not JSON.
    case parse = -32700
    /// JSON, but not a request.
    case invalidRequest = -32600
    /// A method that the daemon does not have.
    case unknownMethod = -32601
    /// A parameter is missing or wrong; the message names it.
    case invalidParameters = -32602
    /// A fault of the daemon, or a code of a newer one.
    case `internal` = -32603
    /// Understood and attempted, but it failed; `data` says how.
    case failed = -32000
    /// The peer lacks the role, or may not have the one it asks for.
    case notPermitted = -32001
    /// As many clients are connected as are allowed.
    case tooManyClients = -32002
    /// Nothing was said in time.
    case tooSlow = -32003

    /// A newer daemon may have codes that are not known here.
    public init(from decoder: any Decoder) throws {
      self = Self(rawValue: try decoder.singleValueContainer().decode(Int.self)) ?? .internal
    }
  }

  private enum CodingKeys: String, CodingKey {
    case code, message
    case failure = "data"
  }

  /// Kind of the refusal.
  public let code: Code
  /// One sentence.
  public let message: String
  /// The failure behind it, when there is one: what was found, what to do, how a command exits.
  public let failure: Failure?

  package init(_ code: Code, _ message: String, failure: Failure? = nil) {
    (self.code, self.message, self.failure) = (code, message, failure)
  }

  /// Something that the daemon tried and could not do, by default.
  package init(_ failure: Failure, _ code: Code = .failed) {
    self.init(code, failure.message, failure: failure)
  }

  /// The sentence for a log, without anything that a file about somebody's hearing holds.
  package var logMessage: String { failure?.logMessage ?? message }
}
