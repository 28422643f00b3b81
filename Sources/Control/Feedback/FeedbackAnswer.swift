/// What was done about measured feedback paths, if anything, and what is known then, as `auricle fit feedback --json`
/// prints it.
public struct FeedbackAnswer: Sendable, Codable, Hashable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  public static let schema = 100

  public let schema: Int
  /// One or more whole sentences for the person who asked.
  public let message: String
  public let feedback: StatusReport.Feedback

  public init(message: String, feedback: StatusReport.Feedback) {
    schema = Self.schema
    self.message = message
    self.feedback = feedback
  }
}

extension ControlClient {
  /// Keeps or forgets measured feedback paths.
  public func change(_ call: FeedbackCall) throws(Failure) -> FeedbackAnswer {
    try ask(.feedback(call), for: FeedbackAnswer.self)
  }
}
