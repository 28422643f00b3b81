import Questionnaires

extension StudyBundle {
  /// Conditions of gateways and criteria: questions that are not there or are not asked before, and answers that never come.
  var conditionFindings: [StudyFinding] {
    let items = self.items
    let criteria = { (list: String, criteria: [Eligibility.Criterion]) in
      criteria.enumerated().flatMap { index, criterion in
        findings(
          of: criterion.conditions, "eligibility.\(list)[\(index)]", items, askedBy: eligibilityItems)
      }
    }
    return criteria("inclusion", study.eligibility.inclusion)
      + criteria("exclusion", study.eligibility.exclusion)
      + study.gateways.enumerated().flatMap { index, gateway in
        findings(of: gateway.conditions, "gateways[\(index)]", items, askedBy: gatewayItems)
      }
  }

  private func findings(
    of conditions: [Condition], _ place: String, _ items: [String: Item], askedBy asked: Set<String>
  ) -> [StudyFinding] {
    conditions.enumerated().compactMap { number, condition in
      let place = "\(place).enableWhen[\(number)]"
      guard let item = items[condition.question] else {
        return StudyFinding(
          .reference, Study.file, place, "there is no question \"\(condition.question)\"",
          remedy: "correct the name or add the question")
      }
      guard asked.contains(item.id) else {
        return StudyFinding(
          .unreachable, Study.file, place, "\"\(item.id)\" is not asked of everybody before it decides",
          remedy:
            "ask it in the questionnaire of the eligibility, in a daily task or in a day's own modules")
      }
      return condition.problem(asking: item).map {
        StudyFinding(.condition, Study.file, place, $0, remedy: "correct the condition on \"\(item.id)\"")
      }
    }
  }

  private func items(of questionnaire: String) -> [String] {
    questionnaires[questionnaire]?.allItems.map(\.id) ?? []
  }

  private var eligibilityItems: Set<String> { Set(study.eligibility.questionnaire.map(items) ?? []) }

  /// Questions that are asked of everybody: with the eligibility, in tasks and in the modules of fixed days.
  private var gatewayItems: Set<String> {
    let tasks = study.tasks.compactMap { task in
      if case .questionnaire(let id) = task.work { id } else { nil }
    }
    let modules = study.days.flatMap(\.modules).compactMap(study.module).map(\.questionnaire)
    return eligibilityItems.union((tasks + modules).flatMap(items))
  }
}
