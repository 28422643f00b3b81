import Base
import Control

/// Methods of measured feedback paths.
package enum FeedbackMethods {
  static let all: [any DaemonMethod.Type] = [
    Borrow.self, Renew.self, Return.self, Keep.self, Clear.self,
  ]

  package struct Borrow: DaemonMethod {
    package static let description = MethodDescription(
      "feedback.borrow", for: .wearer,
      "Gives the sound devices away for a feedback test; sound comes back when they are returned, the connection ends, "
        + "nothing renews the loan in its term, or somebody stops or mutes.",
      answer: "'devices_free', false while the daemon still fades out; 'term_seconds'")

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<DeviceLoan> {
      try state.lend(to: peer)
      return .when(.settled) { DeviceLoan($0) }
    }
  }

  package struct Renew: DaemonMethod {
    // Who renews had to be one who may borrow.
    package static let description = MethodDescription(
      "feedback.renew", for: .any, "Keeps them for another term; an error when they are not lent any more.",
      answer: "as of feedback.borrow")

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<DeviceLoan> {
      try state.renewLoan(of: peer)
      return .now(DeviceLoan(state))
    }
  }

  package struct Return: DaemonMethod {
    package static let description = MethodDescription(
      "feedback.return", for: .wearer, "Gives them back.", answer: "'state'")

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<StateAnswer> {
      state.endLoan(of: peer)
      return .when(.opened) { StateAnswer(state: $0.state) }
    }
  }

  package struct Keep: DaemonMethod {
    private static let expectation = "paths as auricle fit feedback measures them"

    package static let description = MethodDescription(
      "feedback.keep", for: .wearer, "Keeps measured paths; an ear that is not in it keeps what it has.",
      [MethodParameter("paths", .object(expectation), "as in feedback.json")],
      answer: FeedbackAnswer.words)

    package let paths: FeedbackRecord

    package init(_ paths: FeedbackRecord) { self.paths = paths }

    package func check() throws(ControlFailure) {
      guard !paths.isEmpty, paths.isReadable else {
        throw .parameter("paths", found: "something else", expected: Self.expectation)
      }
    }

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<FeedbackAnswer> {
      state.work(.feedback) { state in
        let whole = paths.over(state.feedback.record)
        return { $0.keep(whole) }
      } then: { state, failure throws(Failure) in
        try state.hear(failure) { $0.keep(paths) }
        return .now(FeedbackAnswer("Kept; it limits the gain from now on.", state))
      }
    }
  }

  package struct Clear: DaemonMethod {
    package static let description = MethodDescription(
      "feedback.clear", for: .wearer, "Forgets all measured paths.", answer: FeedbackAnswer.words)

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<FeedbackAnswer> {
      state.work(.feedback) { _ in
        { $0.clearFeedback() }
      } then: { state, failure throws(Failure) in
        try state.hear(failure) { $0.clear() }
        return .now(FeedbackAnswer("Forgotten: feedback limits nothing now.", state))
      }
    }
  }
}

extension FeedbackAnswer {
  fileprivate init(_ message: String, _ state: ServiceState) {
    self.init(message: message, feedback: state.feedbackReport)
  }
}

extension DeviceLoan {
  fileprivate init(_ state: ServiceState) {
    self.init(areDevicesFree: !state.sound.hasThread, term: DeviceLoanState.term)
  }
}

/// What was done about measured feedback paths, if anything, and what is known then, as `auricle fit
/// feedback --json` prints it.
package struct FeedbackAnswer: Sendable, Codable, Hashable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  package static let schema = 100

  fileprivate static let words = "'message', whole sentences; 'feedback' then"

  package let schema: Int
  /// One or more whole sentences for the person who asked.
  package let message: String
  package let feedback: StatusReport.Feedback

  package init(message: String, feedback: StatusReport.Feedback) {
    schema = Self.schema
    self.message = message
    self.feedback = feedback
  }
}

/// The daemon's devices in the hands of a feedback test: the answer to borrowing and to renewing.
package struct DeviceLoan: Sendable, Codable, Hashable {
  /// Whether the daemon has let go of the devices; otherwise it is still fading out.
  package let areDevicesFree: Bool
  /// Time within which the loan must be renewed, s.
  package let term: Double

  enum CodingKeys: String, CodingKey {
    case areDevicesFree = "devices_free"
    case term = "term_seconds"
  }
}
