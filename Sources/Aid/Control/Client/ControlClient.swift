import Base
import CLinux
import Glibc

/// Calls the daemon's methods, one after another.
///
///     let client = try ControlClient(path: paths.clientSocket(explicit: nil) { access($0, F_OK) == 0 })
///     let answer = try client.ask(ProgramMethods.Use("music"))
///
/// - Threads: one at a time.
package final class ControlClient {
  /// Of an answer: a line of ``ClientStream`` has fewer values.
  private static let greatestCount = 1 << 20

  /// Path of the socket.
  package let path: String
  /// Time in which the daemon must answer, s.
  package let timeout: Double
  /// Version of the daemon's messages; nil before the first answer.
  package private(set) var version: ProtocolVersion?

  private let stream: ClientStream
  private var nextIdentifier: Int64 = 1
  /// Notifications that came between question and answer, oldest first.
  private var notifications: [ControlNotification] = []

  /// Connects.
  ///
  /// - Parameters:
  ///   - path: Path of the socket.
  ///   - timeout: Time in which the daemon must answer each question, s.
  /// - Throws: ``Failure``: ``ExitStatus/unavailable`` when no daemon listens, ``ExitStatus/noPermission`` when
  ///   this user may not connect.
  package init(path: String, timeout: Double = 5) throws(Failure) {
    stream = try ClientStream(path: path, timeout: timeout)
    self.path = path
    self.timeout = timeout
  }

  /// Calls a method and waits for its answer.
  ///
  /// - Throws: ``Failure``: what the daemon met, or ``ExitStatus/unavailable`` when it does not answer in time.
  @discardableResult package func ask<Method: ControlMethod>(
    _ method: Method
  ) throws(Failure) -> Method.Reply {
    let identifier = nextIdentifier
    nextIdentifier += 1
    let deadline = SystemTime.monotonic + timeout
    guard let bytes = try? ControlLine.request(method, identifier: identifier) else {
      throw Failure(Method.name, found: "a request that cannot be written as JSON", exit: .software)
    }
    try stream.write(bytes + [.newline], before: deadline)
    while let message = try nextMessage(before: deadline) {
      if let notification = ControlNotification(message) {
        if notifications.count == 64 { notifications.removeFirst() }
        notifications.append(notification)
        continue
      }
      return try reply(in: message, to: identifier, Method.self)
    }
    throw Failure(
      "control socket \(path)", found: "no answer to \(Method.name) in \(NumberText.exact(timeout)) s",
      expected: "an answer", remedy: "The daemon hangs or is busy; look at its log.", exit: .unavailable)
  }

  /// The next notification, or nil when none came in time.
  ///
  /// - Parameter timeout: s.
  /// - Throws: ``Failure`` when the daemon has gone.
  package func nextNotification(timeout: Double) throws(Failure) -> ControlNotification? {
    if !notifications.isEmpty { return notifications.removeFirst() }
    let deadline = SystemTime.monotonic + timeout
    while let message = try nextMessage(before: deadline) {
      if let notification = ControlNotification(message) { return notification }
    }
    return nil
  }

  // MARK: - Messages

  /// The next line, parsed once, null for one that is not JSON; nil when none came in time.
  private func nextMessage(before deadline: Double) throws(Failure) -> JSONValue? {
    guard let line = try stream.readLine(before: deadline) else { return nil }
    return (try? JSONValue(line, count: Self.greatestCount)) ?? JSONValue(.null)
  }

  private func reply<Method: ControlMethod>(
    in message: JSONValue, to identifier: Int64, _ method: Method.Type
  ) throws(Failure) -> Method.Reply {
    // The envelope first: the form of a newer daemon's result may be unknown.
    if let version = message["protocol"].flatMap({ try? JSON.value(ProtocolVersion.self, from: $0) }) {
      try accept(version)
    }
    if let error = message["error"].flatMap({ try? JSON.value(ControlFailure.self, from: $0) }) {
      throw Self.failure(error, Method.name)
    }
    guard message["id"] == .number(Double(identifier)), let result = message["result"],
      let reply = try? JSON.value(Method.Reply.self, from: result)
    else {
      throw mismatch(
        "an answer to \(Method.name) that cannot be read", "protocol \(ProtocolVersion.current)")
    }
    return reply
  }

  private func accept(_ version: ProtocolVersion) throws(Failure) {
    self.version = version
    guard version.major != ProtocolVersion.current.major else { return }
    throw mismatch("a daemon with protocol \(version)", "protocol \(ProtocolVersion.current.major)")
  }

  private static let sameVersion =
    "Install auricle and auricled of the same version, and start the daemon again."

  private func mismatch(_ found: String, _ expected: String) -> Failure {
    Failure(
      "control socket \(path)", found: found, expected: expected,
      remedy: Self.sameVersion, exit: .protocolMismatch)
  }

  /// A refused request as a command tells it.
  private static func failure(_ failure: ControlFailure, _ method: String) -> Failure {
    if let inner = failure.failure { return inner }
    let exit: ExitStatus =
      switch failure.code {
      case .notPermitted: .noPermission
      case .tooManyClients, .tooSlow: .temporary
      case .unknownMethod, .invalidParameters, .invalidRequest, .parse: .protocolMismatch
      case .failed, .internal: .software
      }
    let words = failure.message.hasSuffix(".") ? String(failure.message.dropLast()) : failure.message
    return Failure(
      method, found: "that the daemon refuses: \(words)",
      remedy: failure.code == .unknownMethod ? sameVersion : nil, exit: exit)
  }
}
