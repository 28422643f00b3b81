import Base
import Control
import Engine

/// One client's requests and notifications: the protocol without the socket.
struct ControlSession {
  /// Most notifications that wait for a slow reader; after that the oldest go.
  static let longestQueue = 16

  /// As it connected, without roles.
  let peer: Peer
  let methods: MethodTable
  var rule: AccessRule
  /// Topics that are sent without a request; nil: none.
  private(set) var subscription: Subscription?
  /// The request that waits for its answer.
  private var request: (identifier: String?, method: any ControlMethod.Type)?
  private var isGreeted = false
  private var sequence = 0
  /// Lines that wait for a slow reader.
  private var queue: [(topic: String, line: [UInt8])] = []
  /// True while it receives notifications of a feedback test or a procedure that it began.
  private(set) var isFollowing = false
  /// Spectra that are sent; nil: none.
  private(set) var spectra: SpectrumSubscription?
  /// When a spectrum is due next, monotonic s.
  private var spectrumDue = 0.0
  /// When meters are due next, monotonic s.
  private(set) var metersDue = 0.0
  /// A role that was proved; nil: none.
  var grant: RoleGrant?

  init(peer: Peer, methods: MethodTable, rule: AccessRule) {
    self.peer = peer
    self.methods = methods
    self.rule = rule
  }

  // MARK: - Requests

  /// Outcome of a line.
  enum LineOutcome {
    /// Nothing more to do; the response, nil: none is wanted; and what the owner is told, where it is anything.
    case done([UInt8]?, ControlServer.Occurrence? = nil)
    /// To be carried out for a peer, ``answer(_:)`` follows; and a line for the log, where it changes something: who asked for
    /// it stands before what it leads to.
    case call(any ControlMethod, Peer, LogLine?)
  }

  /// The peer with the roles that it has now.
  func caller(at now: Double) -> Peer {
    var caller = peer
    caller.roles = rule.roles(of: peer)
    if let grant, grant.due > now {
      caller.roles.insert(grant.role)
      caller.grant = grant
    }
    return caller
  }

  /// Takes one line's request.
  mutating func take(_ asked: Request, now: Double) -> LineOutcome {
    do throws(ControlFailure) {
      let method = try methods.read(try asked.call.get())
      let type = Swift.type(of: method)
      let caller = caller(at: now)
      guard type.description.access.allows(caller.roles) else {
        let refusal = rule.refusal(of: type.description, to: caller)
        return .done(
          asked.identifier.map { response(to: $0, .failure(refusal)) }, .refused(type.name, caller))
      }
      if let granted = subscribe(method, for: caller, now: now) {
        // Whoever looks into somebody's hearing is noted.
        let told: ControlServer.Occurrence? =
          method is Unsubscription
          ? .unsubscribed(peer)
          : type.description.access == .any
            ? nil : .log(LogLine(.notice, "\(type.name) by \(peer.words)"))
        return .done(asked.identifier.map { response(to: $0, .success(granted)) }, told)
      }
      request = (asked.identifier, type)
      return .call(
        method, caller, Self.isChange(type) ? LogLine(.notice, "\(type.name) by \(peer.words)") : nil)
    } catch { return .done(asked.identifier.map { response(to: $0, .failure(error)) }) }
  }

  /// Ends what the peer may no longer be sent, because a role has ended. Of spectra it is told, for their silence would say nothing.
  mutating func endUnpermitted(at now: Double) {
    let roles = caller(at: now).roles
    if spectra != nil, !SpectrumSubscription.description.access.allows(roles) {
      spectra = nil
      queue.removeAll { $0.topic == SpectrumSubscription.topic }
      enqueue(SpectrumSubscription.topic, SpectrumEnd(ended: RoleGrant.ended))
    }
    if let asked = subscription, roles.isEmpty {
      let granted = asked.withoutHearing
      subscription = granted
      queue.removeAll { line in
        asked.topics.contains { $0.rawValue == line.topic }
          && !granted.topics.contains { $0.rawValue == line.topic }
      }
    }
  }

  /// Gives or ends a subscription, which is the connection's own.
  ///
  /// - Returns: The answer; nil of every other method.
  private mutating func subscribe(
    _ method: any ControlMethod, for caller: Peer, now: Double
  ) -> (any Encodable & Sendable)? {
    switch method {
    case let method as Subscription:
      let granted = caller.roles.isEmpty ? method.withoutHearing : method
      subscription = granted
      metersDue = now
      return granted
    case let method as SpectrumSubscription:
      (spectra, spectrumDue) = (method, now)
      return method
    case is Unsubscription:
      (subscription, spectra) = (nil, nil)
      queue.removeAll { $0.topic != FeedbackNotice.topic && $0.topic != ProcedureNotice.topic }
      return [String: Bool]()
    default: return nil
    }
  }

  /// Answers the request that was taken.
  ///
  /// - Returns: The response with its line break, nil when none is wanted; and a line for the log: a warning of every change that
  ///   failed.
  mutating func answer(_ answer: Answer) -> (bytes: [UInt8]?, line: LogLine?)? {
    guard let (identifier, type) = request else { return nil }
    request = nil
    let line: LogLine? =
      switch answer {
      case .success: Self.isChange(type) ? nil : LogLine(.debug, "\(type.name) by \(peer.words)")
      case .failure(let failure):
        LogLine(
          Self.isChange(type) ? .warning : .debug,
          "\(type.name) by \(peer.words) failed: \(failure.logMessage)")
      }
    return (identifier.map { response(to: $0, answer.mapError { ControlFailure($0) }) }, line)
  }

  /// True for what not everybody may ask, and is noted each time.
  private static func isChange(_ type: any ControlMethod.Type) -> Bool {
    type.description.access != .any && ![.frequent, .sparing].contains(type.description.conduct)
  }

  /// A response to nothing in particular.
  mutating func refuse(_ failure: ControlFailure) -> [UInt8] { response(to: "null", .failure(failure)) }

  private mutating func response(
    to identifier: String, _ result: Result<any Encodable & Sendable, ControlFailure>
  ) -> [UInt8] {
    defer { isGreeted = true }
    return ControlLine.response(to: identifier, result, version: isGreeted ? nil : .current) + [.newline]
  }

  // MARK: - Notifications

  /// Takes note of a state for this client, if it wants it.
  mutating func notify(_ state: StatusReport.State) {
    if wants(.state) { enqueue(Subscription.Topic.state.rawValue, state) }
  }

  /// Takes note of the prescription in force for this client, if it wants it.
  mutating func notify(_ prescription: StatusReport.Prescription) {
    if wants(.prescription) { enqueue(Subscription.Topic.prescription.rawValue, prescription) }
  }

  /// True when the client has subscribed to it.
  func wants(_ topic: Subscription.Topic) -> Bool { subscription?.topics.contains(topic) == true }

  /// True when meters are wanted at `now`.
  func wantsMeters(at now: Double) -> Bool { wants(.meters) && now >= metersDue }

  /// Takes note of meters; they replace any that still wait.
  mutating func notify(_ meters: MetersReport, now: Double) {
    guard let subscription else { return }
    // From the time it was due, so that intervals do not stretch; unless it is long past.
    metersDue = max(metersDue + subscription.intervalSeconds, now)
    let topic = Subscription.Topic.meters.rawValue
    queue.removeAll { $0.topic == topic }
    enqueue(topic, meters)
  }

  /// True when a spectrum is wanted at `now`; half an interval of the frames early, so that none is left out.
  func wantsSpectrum(at now: Double) -> Bool {
    spectra != nil && now >= spectrumDue - SpectrumWatch.interval / 2
  }

  /// Takes note of a spectrum, as JSON.
  mutating func notify(spectrum: String, now: Double) {
    guard let spectra else { return }
    spectrumDue = max(spectrumDue + spectra.intervalSeconds, now)
    enqueue(SpectrumSubscription.topic, json: spectrum)
  }

  /// Takes note of news of the feedback test that this client has called.
  mutating func notify(_ notice: FeedbackNotice) {
    isFollowing = !notice.isLast
    enqueue(FeedbackNotice.topic, notice)
  }

  /// Takes note of news of the procedure that this client has begun.
  mutating func notify(_ notice: ProcedureNotice) {
    isFollowing = !notice.isLast
    enqueue(ProcedureNotice.topic, notice)
  }

  /// Takes note of sound that this client may record. A slow reader loses the oldest, and sees by its position that it
  /// is missing; the last word it does not lose.
  mutating func notify(_ sound: SoundNotice) { enqueue(SoundNotice.topic, sound) }

  private mutating func enqueue(_ topic: String, _ content: some Encodable) {
    guard let json = try? JSON.text(content) else { return sequence += 1 }
    enqueue(topic, json: json)
  }

  private mutating func enqueue(_ topic: String, json: String) {
    sequence += 1
    if queue.count == Self.longestQueue { queue.removeFirst() }
    queue.append((topic, ControlLine.notification(topic, sequence: sequence, json: json) + [.newline]))
  }

  /// The oldest notification that waits, with its line break.
  mutating func nextNotification() -> [UInt8]? { queue.isEmpty ? nil : queue.removeFirst().line }
}
