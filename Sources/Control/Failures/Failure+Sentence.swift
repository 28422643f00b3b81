extension Failure {
  /// A failure from a sentence of the form `what was found: expected what should be`, as the acoustic types
  /// describe their errors.
  public init(_ subject: String, saying sentence: String, remedy: String? = nil, exit: ExitStatus) {
    let mark = ": expected "
    guard let cut = sentence.firstRange(of: mark) else {
      self.init(subject, found: sentence, remedy: remedy, exit: exit)
      return
    }
    self.init(
      subject, found: String(sentence[..<cut.lowerBound]),
      expected: String(sentence[cut.upperBound...]), remedy: remedy, exit: exit)
  }
}
