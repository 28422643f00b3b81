import Base
import CLinux
import Glibc

/// Talks to the daemon, one question after another.
///
///     let client = try ControlClient(path: paths.clientSocket(explicit: nil) { access($0, F_OK) == 0 })
///     let report = try client.status()
///
/// - Threads: one at a time.
package final class ControlClient {
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

  // MARK: - Questions

  @discardableResult package func start() throws(Failure) -> StatusReport.State { try change(.start) }
  @discardableResult package func stop() throws(Failure) -> StatusReport.State { try change(.stop) }
  @discardableResult package func mute() throws(Failure) -> StatusReport.State { try change(.mute) }
  @discardableResult package func unmute() throws(Failure) -> StatusReport.State { try change(.unmute) }
  @discardableResult package func shutdown() throws(Failure) -> StatusReport.State { try change(.shutdown) }
  package func reload() throws(Failure) -> ReloadReport { try ask(.reload, for: ReloadReport.self) }
  package func status() throws(Failure) -> StatusReport { try ask(.status, for: StatusReport.self) }
  package func devices() throws(Failure) -> DevicesReport { try ask(.devices, for: DevicesReport.self) }
  package func versionReport() throws(Failure) -> VersionReport {
    try ask(.version, for: VersionReport.self)
  }

  /// Asks to be told; then call ``nextNotification(timeout:)`` again and again.
  @discardableResult package func subscribe(_ wanted: Subscription) throws(Failure) -> Subscription {
    try ask(.subscribe(wanted), for: Subscription.self)
  }

  package func unsubscribe() throws(Failure) {
    _ = try ask(.unsubscribe, for: [String: Bool].self)
    notifications = []
  }

  /// The next notification, or nil when none came in time.
  ///
  /// - Parameter timeout: s.
  /// - Throws: ``Failure`` when the daemon has gone.
  package func nextNotification(timeout: Double) throws(Failure) -> ControlNotification? {
    if !notifications.isEmpty { return notifications.removeFirst() }
    let deadline = SystemTime.monotonic + timeout
    while let line = try stream.readLine(before: deadline) {
      if let notification = try? JSON.value(ControlNotification.self, from: line) { return notification }
    }
    return nil
  }

  // MARK: - Asking

  func change(_ call: ControlCall) throws(Failure) -> StatusReport.State {
    try ask(call, for: StateReply.self).state
  }

  func ask<Reply: Decodable>(_ call: ControlCall, for type: Reply.Type) throws(Failure) -> Reply {
    let identifier = RequestIdentifier.number(nextIdentifier)
    nextIdentifier += 1
    let deadline = SystemTime.monotonic + timeout
    guard let bytes = try? JSON.bytes(Request(call, identifier: identifier)) else {
      throw Failure(call.method, found: "a request that cannot be written as JSON", exit: .software)
    }
    try stream.write(bytes + [.newline], before: deadline)
    while let line = try stream.readLine(before: deadline) {
      if let notification = try? JSON.value(ControlNotification.self, from: line) {
        if notifications.count == 64 { notifications.removeFirst() }
        notifications.append(notification)
        continue
      }
      return try reply(in: line, to: identifier, call, type)
    }
    throw Failure(
      "control socket \(path)", found: "no answer to \(call.method) in \(NumberText.exact(timeout)) s",
      expected: "an answer", remedy: "The daemon hangs or is busy; look at its log.", exit: .unavailable)
  }

  private func reply<Reply: Decodable>(
    in line: [UInt8], to identifier: RequestIdentifier, _ call: ControlCall, _ type: Reply.Type
  ) throws(Failure) -> Reply {
    // The envelope first: what a newer daemon's result looks like may be unknown.
    guard let envelope = try? JSON.value(Envelope.self, from: line) else { throw unreadable(call) }
    if let greeted = envelope.version {
      version = greeted
      guard greeted.major == ProtocolVersion.current.major else {
        throw Failure(
          "control socket \(path)", found: "a daemon with protocol \(greeted)",
          expected: "protocol \(ProtocolVersion.current.major)",
          remedy: "Install auricle and auricled of the same version, and start the daemon again.",
          exit: .protocolMismatch)
      }
    }
    if let failure = envelope.failure { throw Self.failure(failure, call) }
    guard let response = try? JSON.value(ReceivedResponse<Reply>.self, from: line),
      response.identifier == identifier, case .success(let reply) = response.result
    else { throw unreadable(call) }
    return reply
  }

  private func unreadable(_ call: ControlCall) -> Failure {
    Failure(
      "control socket \(path)", found: "an answer to \(call.method) that cannot be read",
      expected: "protocol \(ProtocolVersion.current)",
      remedy: "Install auricle and auricled of the same version, and start the daemon again.",
      exit: .protocolMismatch)
  }

  /// A refused request as a command tells it.
  private static func failure(_ failure: ControlFailure, _ call: ControlCall) -> Failure {
    if let inner = failure.failure { return inner }
    let exit: ExitStatus =
      switch failure.code {
      case .notPermitted: .noPermission
      case .tooManyClients, .tooSlow: .temporary
      case .unknownMethod, .invalidParameters, .invalidRequest, .parse: .protocolMismatch
      case .failed, .internal: .software
      }
    return Failure(
      call.method, found: "that the daemon refuses: \(failure.message.withoutStop)", exit: exit)
  }

  private struct Envelope: Decodable {
    let failure: ControlFailure?
    let version: ProtocolVersion?

    enum CodingKeys: String, CodingKey {
      case failure = "error"
      case version = "protocol"
    }
  }
}

extension String {
  fileprivate var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
