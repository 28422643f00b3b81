import Questionnaires

extension StudyBundle {
  /// Conditions of gateways whose question comes first when no day is left for the modules that they call for, or only one. Only a gateway that
  /// no other condition opens in time loses its modules.
  var lateGatewayFindings: [StudyFinding] {
    guard let filling = study.filling else { return [] }
    return study.gateways.enumerated().flatMap { index, gateway -> [StudyFinding] in
      let first = firstDays(before: gateway, filling.days.lowerBound)
      let (from, to) = (filling.days.lowerBound, filling.days.upperBound)
      let days = gateway.conditions.map { firstDay(of: $0, first) }
      let opensOtherwise = gateway.enablement == .any && days.contains { $0.map { $0 <= to } ?? false }
      return zip(gateway.conditions, days).enumerated().compactMap { number, part -> StudyFinding? in
        guard let day = part.1, day >= to else { return nil }
        let id = part.0.question
        let place = "gateways[\(index)].enableWhen[\(number)]"
        let (found, remedy) = (
          "\"\(id)\" is asked first on day \(day)", "ask it earlier, or fill later days"
        )
        let late = "\(found), and modules fill days \(from) to \(to)"
        if day > to, !opensOtherwise {
          return .publishing(.unreachable, Study.file, place, late, remedy: remedy)
        }
        return .warning(
          .unreachable, Study.file, place,
          day > to
            ? "\(late): no module comes by this condition"
            : "\(found), the last that modules fill: by this condition they come on it, or not at all",
          remedy: remedy)
      }
    }
  }

  /// Day of the study on which a gateway's condition may hold first; 0: it needs no answer; nil: nothing asks its question.
  ///
  /// - Parameter asked: First day of each question.
  private func firstDay(of condition: Condition, _ asked: [String: Int]) -> Int? {
    guard !condition.holds(for: []) else { return 0 }
    let id = condition.question
    let needed = study.derived.first { $0.id == id }?.questions ?? [id]
    return needed.compactMap { asked[$0] }.max()
  }

  /// First day of the study on which each question may be asked by a task, by a module of the day's own or of another gateway, or by one that
  /// takes such a one's place.
  ///
  /// - Parameter filled: First day that modules of gateways fill.
  private func firstDays(before gateway: Gateway, _ filled: Int) -> [String: Int] {
    let ofTasks = study.tasks.compactMap { task -> (String, Int)? in
      guard case .questionnaire(let id) = task.work, let day = task.schedule.firstDueDay else { return nil }
      return (id, day)
    }
    func asked(_ modules: [String], on day: Int) -> [(String, Int)] {
      study.askable(for: modules).compactMap(study.module).map { ($0.questionnaire, day) }
    }
    let ofDays = study.days.flatMap { asked($0.modules, on: $0.number) }
    let ofGateways = study.gateways.filter { $0.id != gateway.id }.flatMap { asked($0.modules, on: filled) }
    let questions = (ofTasks + ofDays + ofGateways).flatMap { id, day in
      (questionnaires[id]?.allItems ?? []).map { ($0.id, day) }
    }
    return Dictionary(questions, uniquingKeysWith: min)
  }
}
