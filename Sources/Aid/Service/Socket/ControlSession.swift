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
  private var queue: [ControlNotification] = []
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
    do throws(Request.Refusal) {
      let request = try Request(line: line)
      let result = carryOut(request, now: now)
      return request.identifier.map { bytes(Response(to: $0, result, version: greeting())) }
    } catch {
      return refuse(error.failure, to: error.identifier)
    }
  }

  /// A response to nothing in particular.
  mutating func refuse(_ failure: ControlFailure, to identifier: RequestIdentifier = .null) -> [UInt8] {
    bytes(Response(to: identifier, .failure(failure), version: greeting()))
  }

  private mutating func carryOut(
    _ request: Request, now: Double
  ) -> Result<any Encodable & Sendable, ControlFailure> {
    caller = Caller(caller.peer, subscription: caller.subscription)
    defer {
      if caller.hasSubscribed { metersDue = now }
      if caller.subscription == nil { queue = [] }
    }
    do throws(ControlFailure) {
      return .success(try methods.carryOut(request, from: &caller, under: rule, log: log))
    } catch {
      return .failure(error)
    }
  }

  private mutating func greeting() -> ProtocolVersion? {
    defer { isGreeted = true }
    return isGreeted ? nil : .current
  }

  private func bytes(_ response: Response) -> [UInt8] {
    if let bytes = try? JSON.bytes(response) { return bytes + [.newline] }
    // Only a number that JSON does not have can fail, and reports let none pass.
    let failure = ControlFailure(.internal, "The answer cannot be written as JSON.")
    let fallback = Response(to: response.identifier, .failure(failure), version: response.version)
    return ((try? JSON.bytes(fallback)) ?? []) + [.newline]
  }

  // MARK: - Notifications

  /// Takes note of a state for this client, if it wants it.
  mutating func notify(_ state: StatusReport.State) {
    guard let subscription, subscription.topics.contains(.state) else { return }
    sequence += 1
    enqueue(.state(state, sequence: sequence))
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
    sequence += 1
    queue.removeAll { if case .meters = $0 { true } else { false } }
    enqueue(.meters(meters, sequence: sequence))
  }

  private mutating func enqueue(_ notification: ControlNotification) {
    if queue.count == Self.longestQueue { queue.removeFirst() }
    queue.append(notification)
  }

  /// The oldest notification that waits, with its line break.
  mutating func nextNotification() -> [UInt8]? {
    guard !queue.isEmpty, let bytes = try? JSON.bytes(queue.removeFirst()) else { return nil }
    return bytes + [.newline]
  }
}
