/// A request about measured feedback paths.
public enum FeedbackCall: Sendable, Hashable {
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
  public static let methods = [
    "feedback.borrow", "feedback.renew", "feedback.return", "feedback.keep", "feedback.clear",
  ]

  /// The method's name.
  public var method: String {
    switch self {
    case .borrow: "feedback.borrow"
    case .renew: "feedback.renew"
    case .giveBack: "feedback.return"
    case .keep: "feedback.keep"
    case .clear: "feedback.clear"
    }
  }

  /// Whether it acts on the daemon. Who renews had to be one who may borrow.
  public var isChange: Bool { self != .renew }

  /// Parameters by name; nil when the call has none.
  public var parameters: JSONValue? {
    switch self {
    case .keep(let record):
      // Numbers that JSON does not have make no record, which the other side refuses.
      .object(["paths": (try? JSON.value(JSONValue.self, from: JSON.bytes(record))) ?? .null])
    case .borrow, .renew, .giveBack, .clear: nil
    }
  }

  /// Reads a method with its parameters; nil when the method is none of these.
  ///
  /// - Throws: ``ControlFailure`` with code `invalidParameters`.
  init?(method: String, fields: [String: JSONValue]) throws(ControlFailure) {
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
