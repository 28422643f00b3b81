import Questionnaires

/// Conditions for taking part, which answers to a questionnaire decide.
public struct Eligibility: Sendable, Hashable {
  /// ``QuestionnaireFile/id``; nil: everybody may take part.
  public var questionnaire: String?
  /// All of these must hold.
  public var inclusion: [Criterion]
  /// None of these may.
  public var exclusion: [Criterion]

  public init(_ questionnaire: String? = nil, inclusion: [Criterion] = [], exclusion: [Criterion] = []) {
    (self.questionnaire, self.inclusion, self.exclusion) = (questionnaire, inclusion, exclusion)
  }

  /// A sentence, and the answers that make it true.
  public struct Criterion: Sendable, Hashable {
    public var id: String
    public var text: LocalizedText
    public var conditions: [Condition]
    public var enablement: Enablement
    /// True for one after which whoever may not take part is shown the study's help page (``Study/helpText``).
    /// Nil: not stated, as in studies of before; where no criterion states it, the page comes after each exclusion.
    public var showsHelp: Bool?

    public init(
      _ id: String, _ text: LocalizedText, when conditions: [Condition], _ enablement: Enablement = .all,
      showsHelp: Bool? = nil
    ) {
      (self.id, self.text, self.conditions, self.enablement) = (id, text, conditions, enablement)
      self.showsHelp = showsHelp
    }
  }

  /// Those of inclusion and of exclusion.
  public var criteria: [Criterion] { inclusion + exclusion }

  /// True where the criteria themselves say after which of them the help page comes.
  var statesHelp: Bool { criteria.contains { $0.showsHelp != nil } }

  public enum Decision: Sendable, Hashable {
    case eligible
    /// Criteria that speak against it, in the study's order.
    case ineligible([String])
    /// Questions whose answers decide and are not there.
    case undecided([String])
  }

  /// - Parameters:
  ///   - answers: By item, several of one in a repeated group, of which one is enough, as for conditions within
  ///     a questionnaire; what is hidden is left out.
  ///   - hidden: Questions that nobody is asked for these answers: they leave nothing open, and no condition on their answer holds.
  public func decision(by answers: [String: [AnswerValue]], hidden: Set<String> = []) -> Decision {
    let missing = (inclusion + exclusion).flatMap { $0.undecided(by: answers, hidden: hidden) }
    let against =
      inclusion.filter { $0.undecided(by: answers, hidden: hidden).isEmpty && !$0.holds(for: answers) }
      + exclusion.filter { $0.holds(for: answers) }
    guard against.isEmpty else { return .ineligible(against.map(\.id)) }
    let questions = missing.enumerated().filter { !missing[..<$0.offset].contains($0.element) }
    return missing.isEmpty ? .eligible : .undecided(questions.map(\.element))
  }

  /// True where a criterion that shows the help page keeps somebody from taking part, or its questions were left out:
  /// whoever leaves the question of a crisis out may be in one.
  ///
  /// - Parameters: As of ``decision(by:hidden:)``.
  func showsHelp(by answers: [String: [AnswerValue]], hidden: Set<String>) -> Bool {
    func shows(_ criterion: Criterion, whereItHolds isExclusion: Bool) -> Bool {
      guard statesHelp ? criterion.showsHelp == true : isExclusion else { return false }
      return criterion.holds(for: answers) == isExclusion
        || !criterion.undecided(by: answers, hidden: hidden).isEmpty
    }
    return inclusion.contains { shows($0, whereItHolds: false) }
      || exclusion.contains { shows($0, whereItHolds: true) }
  }
}

extension Eligibility.Criterion {
  /// - Parameter answers: As of ``Eligibility/decision(by:hidden:)``.
  /// - Returns: False while a condition on an answer needs one that is not there, also one that it must not be equal to.
  func holds(for answers: [String: [AnswerValue]]) -> Bool {
    let held = conditions.map { condition in
      let given = answers[condition.question] ?? []
      return (!given.isEmpty || condition.relation == .exists) && condition.holds(for: given)
    }
    return enablement == .all ? held.allSatisfy(\.self) : held.contains(true)
  }

  /// Questions without an answer that could still change it; whether there is an answer at all is always known.
  ///
  /// - Parameters: As of ``Eligibility/decision(by:hidden:)``.
  func undecided(by answers: [String: [AnswerValue]], hidden: Set<String> = []) -> [String] {
    let asked = conditions.filter { $0.relation != .exists }
    let known = asked.filter { answers[$0.question] != nil }
    let isSettled =
      switch enablement {
      case .all:
        known.contains { !$0.holds(for: answers[$0.question] ?? []) }
          || asked.contains { hidden.contains($0.question) }
      case .any: holds(for: answers)
      }
    return isSettled ? [] : asked.map(\.question).filter { answers[$0] == nil && !hidden.contains($0) }
  }
}
