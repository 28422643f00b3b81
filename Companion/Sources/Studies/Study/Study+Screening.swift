import Questionnaires

extension Study {
  /// Decision on somebody who has answered the questionnaire of the eligibility, with the answers that follow from theirs.
  ///
  /// - Parameter display: Of the completed questionnaire: what it hides nobody was asked.
  public func eligibility(by display: Display) -> Eligibility.Decision {
    let answers = Dictionary(display.submitted.map { ($0.key.item, $0.answer.value) }) { first, _ in first }
    let hidden = display.hiddenQuestions
    let derived = self.derived.filter { !hidden.isDisjoint(with: $0.questions) }.map(\.id)
    return eligibility.decision(by: completed(answers), hidden: hidden.union(derived))
  }
}
