import Base

/// A request about measured feedback paths.
package enum FeedbackCall: Sendable, Hashable {
  /// Asks for the devices, for a test: the daemon falls silent and gives them away until the connection ends, the
  /// devices are given back, or nothing renews the loan in its term. What sounded before then sounds again.
  case borrow
  /// Says that the test still goes on.
  case renew
  /// Gives the devices back.
  case giveBack
  /// Keeps what was measured; an ear that is not in it keeps what it has.
  case keep(FeedbackRecord)
  /// Forgets all.
  case clear

  /// Names of all methods.
  package static let methods = [
    "feedback.borrow", "feedback.renew", "feedback.return", "feedback.keep", "feedback.clear",
  ]

  /// The method's name.
  package var method: String {
    switch self {
    case .borrow: "feedback.borrow"
    case .renew: "feedback.renew"
    case .giveBack: "feedback.return"
    case .keep: "feedback.keep"
    case .clear: "feedback.clear"
    }
  }

  /// Whether it acts on the daemon. Who renews had to be one who may borrow.
  package var isChange: Bool { self != .renew }

  /// Parameters by name; nil when the call has none.
  package var parameters: RPCValue? {
    switch self {
    case .keep(let record):
      // Numbers that JSON does not have make no record, which the other side refuses.
      .object(["paths": (try? JSON.value(RPCValue.self, from: JSON.bytes(record))) ?? .null])
    case .borrow, .renew, .giveBack, .clear: nil
    }
  }

  /// Reads a method with its parameters; nil when the method is none of these.
  ///
  /// - Throws: ``ControlFailure`` with code `invalidParameters`.
  init?(method: String, fields: [String: RPCValue]) throws(ControlFailure) {
    switch method {
    case "feedback.borrow": self = .borrow
    case "feedback.renew": self = .renew
    case "feedback.return": self = .giveBack
    case "feedback.keep":
      guard let value = fields["paths"],
        let record = try? JSON.value(FeedbackRecord.self, from: JSON.bytes(value)), !record.isEmpty,
        record.schema / 100 == FeedbackRecord.schema / 100,
        [record.left, record.right].compactMap(\.self).allSatisfy(\.isSound)
      else {
        throw ControlFailure(
          .invalidParameters,
          "paths: found something else, expected paths as auricle fit feedback measures them.")
      }
      self = .keep(record)
    case "feedback.clear": self = .clear
    default: return nil
    }
  }
}

/// What was done about measured feedback paths, if anything, and what is known then, as `auricle fit feedback --json`
/// prints it.
package struct FeedbackAnswer: Sendable, Codable, Hashable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  package static let schema = 100

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

extension ControlClient {
  /// Keeps or forgets measured feedback paths.
  package func change(_ call: FeedbackCall) throws(Failure) -> FeedbackAnswer {
    try ask(.feedback(call), for: FeedbackAnswer.self)
  }
}

/// The daemon's devices in the hands of a feedback test: the answer to borrowing and to renewing.
package struct DeviceLoan: Sendable, Codable, Hashable {
  /// Whether the daemon has let go of the devices; else it is still fading out.
  package let areDevicesFree: Bool
  /// Time within which the loan must be renewed, s.
  package let term: Double

  package init(areDevicesFree: Bool, term: Double) {
    self.areDevicesFree = areDevicesFree
    self.term = term
  }

  enum CodingKeys: String, CodingKey {
    case areDevicesFree = "devices_free"
    case term = "term_seconds"
  }
}

extension ControlClient {
  /// Asks for the devices; they come back to the daemon when this connection ends, however it does.
  package func borrowDevices() throws(Failure) -> DeviceLoan {
    try ask(.feedback(.borrow), for: DeviceLoan.self)
  }

  /// Keeps them for another term.
  ///
  /// - Throws: ``Failure`` when the daemon has taken them back, or has gone.
  package func renewLoan() throws(Failure) -> DeviceLoan {
    try ask(.feedback(.renew), for: DeviceLoan.self)
  }

  /// Gives them back: what sounded before sounds again.
  @discardableResult package func giveDevicesBack() throws(Failure) -> StatusReport.State {
    try change(.feedback(.giveBack))
  }
}
