/// Object of a feedback test.
package enum FeedbackTestKind: Sendable, CaseIterable {
  /// Paths from the earphones back to the microphones, which limit the gain.
  case path
  /// Delay of the loop alone.
  case delay

  /// Name of the procedure in a status.
  var procedure: String {
    switch self {
    case .path: "feedback"
    case .delay: "loop delay"
    }
  }

  /// Name of the test, `feedback test`.
  package var words: String {
    switch self {
    case .path: "feedback test"
    case .delay: "test of the loop's delay"
    }
  }
}
