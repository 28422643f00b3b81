import Questionnaires

/// Repetitions of a group.
extension Responses {
  /// Keeps that a repeated group has not another repetition after the present ones.
  public func endGroup(
    _ key: AnswerKey, in response: inout Response, _ session: Session
  ) throws(ParticipationError) {
    guard case .group(.some)? = response.outline.item(key.item)?.kind, response.display.isShown(key) else {
      throw .answer(
        AnswerRefusal(
          item: key.item, found: "the end of its repetitions", expected: "a repeated group that is shown"))
    }
    try pass(key, response.display.repetitions(of: key), in: &response, session)
  }

  /// Keeps how often a repeated group is answered.
  ///
  /// - Throws: ``ParticipationError/changedElsewhere(_:)`` where another program has changed the number meanwhile,
  ///   or has answered where a smaller one is to be kept, and others.
  public func repeatGroup(
    _ key: AnswerKey, _ count: Int, in response: inout Response, _ session: Session
  ) throws(ParticipationError) {
    guard case .group(let most?)? = response.outline.item(key.item)?.kind, response.display.isShown(key),
      1...max(1, most) ~= count
    else {
      throw .answer(
        AnswerRefusal(
          item: key.item, found: "\(count) repetitions",
          expected: "a repeated group that is shown, within its limit"))
    }
    let known = response.display.repetitions(of: key)
    let parameters: [String: Value] = [
      "response": .text(response.id), "item": .text(key.item), "repetition": .text(key.repetitionText),
      "count": .integer(count), "known": .integer(known),
    ]
    var next = response
    next.sheet.repeatGroup(key, count)
    if count < known {
      next.passed = try shorten(key, count, parameters, of: response, leadingTo: next, session)
    } else {
      try step(ResponseStatements.repeatGroup, parameters, key, of: response, session)
    }
    response = next
  }

  /// Keeps a smaller number of repetitions. What was passed in those that are taken back is asked again where they
  /// come again.
  ///
  /// - Returns: ``Response/passed`` by then.
  private func shorten(
    _ key: AnswerKey, _ count: Int, _ parameters: [String: Value], of response: Response,
    leadingTo next: Response, _ session: Session
  ) throws(ParticipationError) -> [AnswerKey: Int] {
    try database.participating(session) { transaction throws(ParticipationError) in
      var passed = try Self.step(
        ResponseStatements.repeatGroup, parameters, key, of: response, leadingTo: next, session, transaction
      ).passed
      for place in passed.keys where response.outline.isPlace(place, in: key, from: count) {
        let parameters: [String: Value] = [
          "response": .text(response.id), "item": .text(place.item),
          "repetition": .text(place.repetitionText), "count": .integer(Response.notPassed),
        ]
        guard try !transaction.rows(ResponseStatements.pass, parameters).isEmpty else {
          throw try ResponseStatements.refusal(to: response, session, transaction)
        }
        passed[place] = Response.notPassed
      }
      return passed
    }
  }
}
