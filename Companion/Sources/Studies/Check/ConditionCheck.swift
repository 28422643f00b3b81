import Questionnaires

extension Study {
  /// Answers that follow from others as if they were questions: numbers.
  var derivedItems: [String: Item] {
    Dictionary(derived.map { ($0.id, Item($0.id, LocalizedText($0.id), .number(NumberRange()))) }) {
      first, _ in first
    }
  }
}

extension StudyBundle {
  /// Conditions of gateways and criteria: questions that are not there or are not asked before, and answers that never come.
  var conditionFindings: [StudyFinding] {
    let items = self.items.merging(study.derivedItems) { first, _ in first }
    let (asked, first) = (gatewayItems, eligibilityItems)
    let (toGateways, toCriteria) = (
      "ask it in a daily task or in a day's own modules; answers to the eligibility are not kept",
      "ask it in the questionnaire of the eligibility"
    )
    let criteria = { (list: String, criteria: [Eligibility.Criterion]) in
      criteria.enumerated().flatMap { index, criterion in
        findings(
          of: criterion.conditions, "eligibility.\(list)[\(index)]", items, askedBy: first,
          remedy: toCriteria)
      }
    }
    return criteria("inclusion", study.eligibility.inclusion)
      + criteria("exclusion", study.eligibility.exclusion)
      + study.gateways.enumerated().flatMap { index, gateway in
        findings(
          of: gateway.conditions, "gateways[\(index)]", items, askedBy: asked, remedy: toGateways)
      } + derivedFindings(items) + repeatedDerivedFindings + sourceFindings(items) + unkeptFindings
      + lateGatewayFindings
  }

  /// - Parameter remedy: For a question that comes too late.
  private func findings(
    of conditions: [Condition], _ place: String, _ items: [String: Item], askedBy asked: Set<String>,
    remedy: String
  ) -> [StudyFinding] {
    conditions.enumerated().compactMap { number, condition in
      let place = "\(place).enableWhen[\(number)]"
      guard let item = items[condition.question] else {
        return StudyFinding(
          .reference, Study.file, place, "there is no question \"\(condition.question)\"",
          remedy: "correct the name or add the question")
      }
      let needed = study.derived.first { $0.id == item.id }?.questions ?? [item.id]
      guard needed.allSatisfy(asked.contains) else {
        return StudyFinding(
          .unreachable, Study.file, place, "\"\(item.id)\" is not asked of everybody before it decides",
          remedy: remedy)
      }
      return condition.problem(asking: item).map {
        StudyFinding(.condition, Study.file, place, $0, remedy: "correct the condition on \"\(item.id)\"")
      }
    }
  }

  private func derivedFindings(_ items: [String: Item]) -> [StudyFinding] {
    study.derived.enumerated().flatMap { index, derived in
      zip(derived.questions, derived.kind.operands).enumerated().compactMap {
        number, pair -> StudyFinding? in
        let isRight =
          switch (items[pair.0]?.kind, pair.1) {
          case (.time?, .time), (.number?, .number), (.numberScroll?, .number), (.scale?, .number): true
          default: false
          }
        guard !isRight else { return nil }
        return StudyFinding(
          .reference, Study.file, "derived[\(index)].of[\(number)]",
          "\"\(pair.0)\" is no question for a \(pair.1.rawValue)",
          remedy: "name a question of this kind")
      }
    }
  }

  /// Questions of the eligibility alone, whose answers are not kept, that a derived answer or an instrument needs.
  private var unkeptFindings: [StudyFinding] {
    let modules = study.modules.map(\.questionnaire)
    let unkept = eligibilityItems.subtracting(gatewayItems).subtracting(modules.flatMap(items))
    func finding(_ question: String, _ place: String) -> StudyFinding {
      StudyFinding(
        .unreachable, Study.file, place,
        "\"\(question)\" is asked for the eligibility alone, whose answers are not kept",
        remedy: "ask it in a task or a module")
    }
    let criteria = study.eligibility.criteria.flatMap(\.conditions)
    let derived = study.derived.enumerated().flatMap { index, derived -> [StudyFinding] in
      // One that decides the eligibility has what it needs.
      guard !criteria.contains(where: { $0.question == derived.id }) else { return [] }
      return derived.questions.filter(unkept.contains).map { finding($0, "derived[\(index)].of") }
    }
    let sources = study.instruments.enumerated().flatMap { index, entry -> [StudyFinding] in
      let questions = (entry.instrument?.items ?? []).flatMap { entry.source(of: $0.code).questions }
      let needed = questions.flatMap { id in
        study.derived.first { $0.id == id }?.questions ?? [id]
      }
      return Set(needed).intersection(unkept).sorted().map { finding($0, "instruments[\(index)].items") }
    }
    return derived + sources
  }

  private func items(of questionnaire: String) -> [String] {
    questionnaires[questionnaire]?.allItems.map(\.id) ?? []
  }

  private var eligibilityItems: Set<String> { Set(study.eligibility.questionnaire.map(items) ?? []) }

  /// Questions that are asked of everybody and whose answers are kept: in tasks and in the modules of fixed days.
  private var gatewayItems: Set<String> {
    let tasks = study.tasks.compactMap { task in
      if case .questionnaire(let id) = task.work { id } else { nil }
    }
    let modules = study.days.flatMap(\.modules).compactMap(study.module).map(\.questionnaire)
    return Set((tasks + modules).flatMap(items))
  }
}
