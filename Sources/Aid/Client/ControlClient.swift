@_exported import Base
import CLinux

/// A call that gave no result.
public enum CallFailure: Error, Sendable, CustomStringConvertible {
  /// The daemon answered that it does not do this, and why.
  case refused(ControlFailure)
  /// No daemon, no permission to connect, no answer in time, the end of the connection, or another protocol; its
  /// ``Failure/exitStatus`` says which.
  case connection(Failure)

  public var description: String {
    switch self {
    case .refused(let failure): failure.message
    case .connection(let failure): failure.message
    }
  }
}

/// A connection to the hearing aid's daemon: calls its methods, one after another, and receives its notifications.
///
///     let aid = try ControlClient()
///     try aid.call("program.use", ["program": "music"])
///     try aid.call("subscribe", ["topics": ["state"]])
///     while true {
///       if let news = try aid.nextNotification(timeout: 60) { print(news.content.minified) }
///     }
///
/// The methods, their parameters and answers stand in auricle-protocol(7). When the daemon ends, every function
/// throws; connecting again is the caller's, with a new client.
///
/// - Threads: one at a time. Every function waits, no longer than its time.
public final class ControlClient {
  /// Of an answer: a line of ``ClientStream`` has fewer values.
  private static let greatestCount = 1 << 20

  /// Path of the socket.
  public let path: String
  /// Time in which the daemon must answer, s.
  public let timeout: Double
  /// Version of the daemon's messages; nil before the first answer.
  public private(set) var version: ProtocolVersion?

  /// User of the process that listens; nil where the system does not tell.
  package var peerUserID: UInt32? { stream.peerUserID }

  /// Readable when a notification may have come, or the daemon has gone; to be polled and not read.
  package var descriptor: Int32 { stream.descriptor }

  /// True where the daemon has gone, or dropped the connection.
  package var hasEnded: Bool { stream.hasEnded }

  private let stream: ClientStream
  private var nextIdentifier: Int64 = 1
  /// Notifications that came between question and answer, oldest first.
  private var notifications: [ControlNotification] = []

  /// Connects.
  ///
  /// - Parameters:
  ///   - path: Path of the socket; nil: the one that `AURICLE_SOCKET` names, otherwise the person's own daemon's,
  ///     otherwise the system's. One that only a configuration file names is to be given.
  ///   - timeout: Time in which the daemon must answer each question, s.
  /// - Throws: ``Failure``: ``ExitStatus/unavailable`` when no daemon listens, ``ExitStatus/noPermission`` when
  ///   this user may not connect.
  public init(path: String? = nil, timeout: Double = 5) throws(Failure) {
    let path = StandardPaths.current.clientSocket(explicit: path)
    stream = try ClientStream(path: path, timeout: timeout)
    self.path = path
    self.timeout = timeout
  }

  /// Calls a method and waits for its answer.
  ///
  /// - Parameters:
  ///   - method: `program.use`.
  ///   - parameters: An object of named parameters; nil: none.
  /// - Returns: The result.
  /// - Throws: ``CallFailure``: ``CallFailure/refused(_:)``, or ``CallFailure/connection(_:)`` with
  ///   ``ExitStatus/unavailable`` when there is no answer within ``timeout`` or the daemon has gone, and
  ///   ``ExitStatus/protocolMismatch`` when its protocol has another major version.
  @discardableResult public func call(
    _ method: String, _ parameters: JSONValue? = nil
  ) throws(CallFailure) -> JSONValue {
    let answer: Result<JSONValue, ControlFailure>
    do throws(Failure) { answer = try ask(method, parameters: parameters?.minified) } catch {
      throw .connection(error)
    }
    do throws(ControlFailure) { return try answer.get() } catch { throw .refused(error) }
  }

  /// Calls a method and waits for its answer.
  ///
  /// - Parameter parameters: JSON text of an object; nil: none.
  /// - Throws: ``Failure``: ``ExitStatus/unavailable`` when it does not come in time.
  package func ask(
    _ method: String, parameters: String?
  ) throws(Failure) -> Result<JSONValue, ControlFailure> {
    let identifier = nextIdentifier
    nextIdentifier += 1
    let deadline = stream.deadline(after: timeout)
    let line = ControlLine.request(method, parameters: parameters, identifier: identifier)
    try stream.write(line + [.newline], before: deadline)
    while let message = try nextMessage(before: deadline) {
      if let notification = ControlNotification(message) {
        if notifications.count == 64 { notifications.removeFirst() }
        notifications.append(notification)
        continue
      }
      try noteVersion(in: message)
      // The answer to a call that was not waited for any longer has come late.
      if case .number(let earlier)? = message["id"]?.content, earlier < Double(identifier) { continue }
      return try answer(in: message, to: identifier, method)
    }
    throw Failure(
      "control socket \(path)", found: "no answer to \(method) in \(NumberText.exact(timeout)) s",
      expected: "an answer", remedy: "The daemon hangs or is busy; look at its log.", exit: .unavailable)
  }

  /// The next notification, or nil when none came in time.
  ///
  /// - Parameter timeout: s.
  /// - Throws: ``Failure`` when the daemon has gone.
  public func nextNotification(timeout: Double) throws(Failure) -> ControlNotification? {
    if !notifications.isEmpty { return notifications.removeFirst() }
    let deadline = stream.deadline(after: timeout)
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

  private func answer(
    in message: JSONValue, to identifier: Int64, _ method: String
  ) throws(Failure) -> Result<JSONValue, ControlFailure> {
    let isOwn = message["id"] == .number(Double(identifier))
    // A daemon that drops the connection answers nothing in particular.
    if isOwn || message["id"]?.content == .null,
      let error = message["error"].flatMap({ try? JSON.value(ControlFailure.self, from: $0) })
    {
      return .failure(error)
    }
    guard isOwn, let result = message["result"] else { throw unreadable(method) }
    return .success(result)
  }

  /// Takes note of the daemon's version, which comes with its first answer: the form of a newer daemon's result may be unknown.
  private func noteVersion(in message: JSONValue) throws(Failure) {
    guard let version = message["protocol"].flatMap({ try? JSON.value(ProtocolVersion.self, from: $0) })
    else { return }
    self.version = version
    guard version.major != ProtocolVersion.current.major else { return }
    throw mismatch("a daemon with protocol \(version)", "protocol \(ProtocolVersion.current.major)")
  }

  /// An answer that is not of the form that this code reads.
  package func unreadable(_ method: String) -> Failure {
    mismatch("an answer to \(method) that cannot be read", "protocol \(ProtocolVersion.current)")
  }

  private func mismatch(_ found: String, _ expected: String) -> Failure {
    Failure(
      "control socket \(path)", found: found, expected: expected,
      remedy: Self.sameVersion, exit: .protocolMismatch)
  }

  package static let sameVersion =
    "Install auricle and auricled of the same version, and start the daemon again."
}
