import Base
import Control

/// The connection that calls a method.
package struct Caller: Sendable {
  package let peer: Peer
  /// Topics that are sent to it without a request; nil: none.
  package var subscription: Subscription? { didSet { hasSubscribed = true } }
  /// Set by a method that gives or ends a subscription.
  private(set) var hasSubscribed = false

  package init(_ peer: Peer, subscription: Subscription? = nil) {
    self.peer = peer
    self.subscription = subscription
  }
}

/// The methods that a server offers: the one list from which parameters are read, access is checked, calls are logged, and
/// the manual page is made.
package struct MethodTable: Sendable {
  private struct Entry: Sendable {
    let description: MethodDescription
    let read: @Sendable (JSONValue?) throws(ControlFailure) -> any ControlMethod
    let answer: @Sendable (any ControlMethod, inout Caller) throws(Failure) -> any Encodable & Sendable
  }

  private var entries: [String: Entry] = [:]
  /// In the order of registration.
  package private(set) var descriptions: [MethodDescription] = []

  package init() {}

  /// Adds a method.
  ///
  /// - Parameter answer: Carries out a call that is permitted. While it lasts no other client is served, so it should take
  ///   no longer than some tenths of a second.
  package mutating func register<Method: ControlMethod>(
    _ type: Method.Type,
    answer: @escaping @Sendable (Method, inout Caller) throws(Failure) -> Method.Reply
  ) {
    precondition(entries[Method.name] == nil, "\(Method.name) is registered already")
    descriptions.append(Method.description)
    entries[Method.name] = Entry(
      description: Method.description,
      read: { (parameters) throws(ControlFailure) in try Method(parameters: parameters) },
      answer: { (method, caller) throws(Failure) in
        guard let method = method as? Method else {
          throw Failure(Method.name, found: "parameters of another method", exit: .software)
        }
        return try answer(method, &caller)
      })
  }

  /// Carries out a call: its method is looked up, its parameters are read, access is checked, and the log is written,
  /// a notice of every change and a warning of every refusal.
  ///
  /// - Returns: The answer.
  /// - Throws: ``ControlFailure`` that says why there is none.
  package func carryOut(
    _ call: Request.Call, from caller: inout Caller, under rule: AccessRule, log: (LogLine) -> Void
  ) throws(ControlFailure) -> any Encodable & Sendable {
    guard let entry = entries[call.method] else { throw unknown(call.method) }
    let method = try entry.read(call.parameters)
    let access = entry.description.access
    let who = "user \(caller.peer.userID), process \(caller.peer.processID)"
    guard rule.allows(access, to: caller.peer) else {
      log(LogLine(.warning, "\(call.method) refused to \(who)"))
      throw rule.refusal(of: call.method, by: caller.peer)
    }
    do throws(Failure) {
      let answer = try entry.answer(method, &caller)
      log(LogLine(access == .any ? .debug : .notice, "\(call.method) by \(who)"))
      return answer
    } catch {
      let level = access == .any ? LogLevel.debug : .warning
      log(LogLine(level, "\(call.method) by \(who) failed: \(error.logMessage)"))
      throw ControlFailure(error)
    }
  }

  /// Carries out a method that was read already, whoever may call it.
  ///
  /// - Throws: ``ControlFailure`` that says why there is no answer.
  func carryOut(
    _ method: some ControlMethod, from peer: Peer
  ) throws(ControlFailure) -> any Encodable & Sendable {
    guard let entry = entries[type(of: method).name] else { throw unknown(type(of: method).name) }
    var caller = Caller(peer)
    try method.check()
    do throws(Failure) {
      return try entry.answer(method, &caller)
    } catch {
      throw ControlFailure(error)
    }
  }

  private func unknown(_ name: String) -> ControlFailure {
    let names = descriptions.map(\.name)
    let hint = Spelling.nearest(to: name, among: names).map { " Did you mean \"\($0)\"?" } ?? ""
    return ControlFailure(
      .unknownMethod,
      "method: found \"\(name.prefix(64))\", expected \(English.list(names, "or")).\(hint)")
  }
}
