import Base

extension Failure {
  /// The same failure with other advice.
  ///
  /// - Parameter sentences: One or more each; nil is left out.
  func withRemedy(_ sentences: String?...) -> Failure {
    // Of a sentence of its own the message does not say that it was found.
    let isWhole = !message.contains(": found \(found)")
    return Failure(
      subject, found: found, expected: expected,
      remedy: sentences.compactMap(\.self).joined(separator: " "), exit: exitStatus, isWhole: isWhole)
  }
}
