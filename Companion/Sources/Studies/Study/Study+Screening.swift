import Questionnaires

extension Study {
  /// Decision on somebody who has answered the questionnaire of the eligibility, with the answers that follow from theirs.
  ///
  /// - Parameter display: Of the completed questionnaire: what it hides nobody was asked.
  public func eligibility(by display: Display) -> Eligibility.Decision {
    let (answers, hidden) = screened(display)
    return eligibility.decision(by: answers, hidden: hidden)
  }

  /// True where somebody who may not take part by these answers is shown the help page (``helpText``).
  ///
  /// - Parameter display: As of ``eligibility(by:)``.
  public func showsHelp(by display: Display) -> Bool {
    let (answers, hidden) = screened(display)
    return eligibility.showsHelp(by: answers, hidden: hidden)
  }

  /// Answers with those that follow from them, and questions that nobody was asked.
  private func screened(_ display: Display) -> (answers: [String: [AnswerValue]], hidden: Set<String>) {
    var answers: [String: [AnswerValue]] = [:]
    for (key, answer) in display.submitted { answers[key.item, default: []].append(answer.value) }
    let hidden = display.hiddenQuestions
    let derived = self.derived.filter { !hidden.isDisjoint(with: $0.questions) }.map(\.id)
    return (completed(answers), hidden.union(derived))
  }
}
