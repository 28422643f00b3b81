/// What the daemon answers when a call succeeds.
package enum ControlReply: Sendable, Equatable {
  /// To `start`, `stop`, `mute`, `unmute`, `shutdown` and `feedback.return`: the state that the call led to.
  case state(StatusReport.State)
  case status(StatusReport)
  case devices(DevicesReport)
  case version(VersionReport)
  case reload(ReloadReport)
  /// To `subscribe`: what was granted.
  case subscribed(Subscription)
  case unsubscribed
  case book(BookReply)
  case program(ProgramReply)
  /// To a call about feedback paths.
  case feedback(FeedbackAnswer)
  /// To `feedback.borrow` and `feedback.renew`.
  case loan(DeviceLoan)
}

extension ControlReply: Encodable {
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .state(let state): try StateReply(state: state).encode(to: encoder)
    case .status(let report): try report.encode(to: encoder)
    case .devices(let report): try report.encode(to: encoder)
    case .version(let report): try report.encode(to: encoder)
    case .reload(let report): try report.encode(to: encoder)
    case .subscribed(let subscription): try subscription.encode(to: encoder)
    case .book(let reply): try reply.encode(to: encoder)
    case .program(let reply): try reply.encode(to: encoder)
    case .feedback(let answer): try answer.encode(to: encoder)
    case .loan(let loan): try loan.encode(to: encoder)
    case .unsubscribed: try [String: Bool]().encode(to: encoder)
    }
  }
}

/// `{"state": {…}}`.
struct StateReply: Codable {
  let state: StatusReport.State
}

/// What a client wants to be told without asking.
package struct Subscription: Sendable, Hashable, Codable {
  package enum Topic: String, Sendable, Codable, CaseIterable {
    /// Each change of state.
    case state
    /// Levels, gains and load at regular intervals.
    case meters
  }

  /// Shortest time between two meter notifications, s.
  package static let shortestInterval = 0.05
  /// Longest time between two meter notifications, s.
  package static let longestInterval = 60.0

  package let topics: Set<Topic>
  /// Time between two meter notifications, s, ``shortestInterval``...``longestInterval``.
  package let interval: Double

  /// An interval outside the range is moved to its nearer end.
  package init(to topics: Set<Topic>, every interval: Double = 1) {
    self.topics = topics
    self.interval = min(max(interval, Self.shortestInterval), Self.longestInterval)
  }

  enum CodingKeys: String, CodingKey {
    case topics
    case interval = "interval_seconds"
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(topics.map(\.rawValue).sorted(), forKey: .topics)
    try values.encode(interval, forKey: .interval)
  }
}
