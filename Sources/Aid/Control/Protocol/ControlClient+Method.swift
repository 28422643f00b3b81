// Whoever imports the protocol has its client and its messages too.
@_exported import AuricleClient
import Base

extension ControlClient {
  /// Calls a method and waits for its answer.
  ///
  /// - Throws: ``Failure``: what the daemon met, or ``ExitStatus/unavailable`` when it does not answer in time.
  @discardableResult package func ask<Method: ControlMethod>(
    _ method: Method
  ) throws(Failure) -> Method.Reply {
    let parameters: String?
    do { parameters = try method.parametersText() } catch {
      throw Failure(Method.name, found: "a request that cannot be written as JSON", exit: .software)
    }
    switch try ask(Method.name, parameters: parameters) {
    case .failure(let refusal): throw Failure(refusal, by: Method.name)
    case .success(let result):
      guard let reply = try? JSON.value(Method.Reply.self, from: result) else {
        throw unreadable(Method.name)
      }
      return reply
    }
  }
}

extension Failure {
  /// A refused request as a command tells it.
  fileprivate init(_ refusal: ControlFailure, by method: String) {
    if let inner = refusal.failure {
      self = inner
      return
    }
    let exit: ExitStatus =
      switch refusal.code {
      case .notPermitted: .noPermission
      case .tooManyClients, .tooSlow: .temporary
      case .unknownMethod, .invalidParameters, .invalidRequest, .parse: .protocolMismatch
      case .failed, .internal: .software
      }
    let words = refusal.message.hasSuffix(".") ? String(refusal.message.dropLast()) : refusal.message
    self.init(
      method, found: "that the daemon refuses: \(words)",
      remedy: refusal.code == .unknownMethod ? ControlClient.sameVersion : nil, exit: exit)
  }
}

extension ControlLine {
  /// - Throws: `EncodingError`, for numbers that JSON does not have.
  package static func request(_ method: some ControlMethod, identifier: Int64) throws -> [UInt8] {
    request(type(of: method).name, parameters: try method.parametersText(), identifier: identifier)
  }
}

extension ControlMethod {
  /// JSON text of its parameters; nil: it has none.
  fileprivate func parametersText() throws -> String? {
    Self.description.parameters.isEmpty ? nil : try JSON.text(self)
  }
}
