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

    func answer(by daemon: Daemon, to peer: Peer) throws(Failure) -> DeviceLoan {
      try daemon.lend(to: peer)
    }
  }

  package struct Renew: DaemonMethod {
    // Who renews had to be one who may borrow.
    package static let description = MethodDescription(
      "feedback.renew", for: .any, "Keeps them for another term; an error when they are not lent any more.",
      answer: "as of feedback.borrow")

    package init() {}

    func answer(by daemon: Daemon, to peer: Peer) throws(Failure) -> DeviceLoan {
      try daemon.renewLoan(of: peer)
    }
  }

  package struct Return: DaemonMethod {
    package static let description = MethodDescription(
      "feedback.return", for: .wearer, "Gives them back.", answer: "'state'")

    package init() {}

    func answer(by daemon: Daemon, to peer: Peer) -> StateAnswer {
      StateAnswer(state: daemon.endLoan(of: peer))
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

    func answer(by daemon: Daemon, to peer: Peer) throws(Failure) -> FeedbackAnswer {
      try daemon.keep(paths)
    }
  }

  package struct Clear: DaemonMethod {
    package static let description = MethodDescription(
      "feedback.clear", for: .wearer, "Forgets all measured paths.", answer: FeedbackAnswer.words)

    package init() {}

    func answer(by daemon: Daemon, to peer: Peer) throws(Failure) -> FeedbackAnswer {
      try daemon.clearFeedback()
    }
  }
}

/// What was done about measured feedback paths, if anything, and what is known then, as `auricle fit feedback --json`
/// prints it.
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
