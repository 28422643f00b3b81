/// What the daemon answers when a call succeeds.
public enum ControlReply: Sendable, Equatable {
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
  public func encode(to encoder: any Encoder) throws {
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
