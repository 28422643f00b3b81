import Base
import Control

/// One client's requests and notifications: the protocol without the socket.
struct ControlSession {
  /// Most notifications that wait for a slow reader; after that the oldest go.
  static let longestQueue = 16

  private let methods: MethodTable
  private let rule: AccessRule
  private let log: @Sendable (LogLine) -> Void
  private var caller: Caller
  private var isGreeted = false
  private var sequence = 0
  /// Lines that wait for a slow reader.
  private var queue: [(topic: Subscription.Topic, line: [UInt8])] = []
  /// When meters are due next, monotonic s.
  private(set) var metersDue = 0.0

  init(
    peer: Peer, methods: MethodTable, rule: AccessRule, log: @escaping @Sendable (LogLine) -> Void
  ) {
    caller = Caller(peer)
    self.methods = methods
    self.rule = rule
    self.log = log
  }

  var peer: Peer { caller.peer }
  var subscription: Subscription? { caller.subscription }

  // MARK: - Requests

  /// Carries out one line.
  ///
  /// - Returns: The response with its line break; nil when there is nothing to say.
  mutating func respond(to line: [UInt8], now: Double) -> [UInt8]? {
    if line.allSatisfy({ $0 == .space || $0 == .tab }) { return nil }
    let request = Request(line: line)
    let result = request.call.flatMap { carryOut($0, now: now) }
    return request.identifier.map { response(to: $0, result) }
  }

  /// A response to nothing in particular.
  mutating func refuse(_ failure: ControlFailure) -> [UInt8] { response(to: "null", .failure(failure)) }

  private mutating func carryOut(
    _ call: Request.Call, now: Double
  ) -> Result<any Encodable & Sendable, ControlFailure> {
    caller = Caller(caller.peer, subscription: caller.subscription)
    defer {
      if caller.hasSubscribed { metersDue = now }
      if caller.subscription == nil { queue = [] }
    }
    do throws(ControlFailure) {
      return .success(try methods.carryOut(call, from: &caller, under: rule, log: log))
    } catch {
      return .failure(error)
    }
  }

  private mutating func response(
    to identifier: String, _ result: Result<any Encodable & Sendable, ControlFailure>
  ) -> [UInt8] {
    defer { isGreeted = true }
    return ControlLine.response(to: identifier, result, version: isGreeted ? nil : .current) + [.newline]
  }

  // MARK: - Notifications

  /// Takes note of a state for this client, if it wants it.
  mutating func notify(_ state: StatusReport.State) {
    guard let subscription, subscription.topics.contains(.state) else { return }
    enqueue(.state, state)
  }

  /// Whether meters are wanted at `now`.
  func wantsMeters(at now: Double) -> Bool {
    guard let subscription, subscription.topics.contains(.meters) else { return false }
    return now >= metersDue
  }

  /// Takes note of meters; they replace any that still wait.
  mutating func notify(_ meters: MetersReport, now: Double) {
    guard let subscription else { return }
    // From the time it was due, so that intervals do not stretch; unless it is long past.
    metersDue = max(metersDue + subscription.interval, now)
    queue.removeAll { $0.topic == .meters }
    enqueue(.meters, meters)
  }

  private mutating func enqueue(_ topic: Subscription.Topic, _ content: some Encodable) {
    sequence += 1
    guard
      let line = try? ControlLine.notification(topic.rawValue, sequence: sequence, content)
    else { return }
    if queue.count == Self.longestQueue { queue.removeFirst() }
    queue.append((topic, line + [.newline]))
  }

  /// The oldest notification that waits, with its line break.
  mutating func nextNotification() -> [UInt8]? { queue.isEmpty ? nil : queue.removeFirst().line }
}
