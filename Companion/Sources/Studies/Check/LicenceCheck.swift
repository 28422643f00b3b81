import Instruments

extension StudyCheck {
  /// Instruments that may not be asked: modules are replaced or left out with a warning; where nothing can take the place of what is asked,
  /// and self-harm is asked about without anybody who answers, the study cannot be published.
  func licenceFindings(in bundle: StudyBundle) -> [StudyFinding] {
    let edition = StudyEdition(bundle, use)
    return bundle.study.instruments.enumerated().flatMap { index, entry -> [StudyFinding] in
      guard let obstacle = bundle.obstacle(to: entry, use) else { return [] }
      let place = "instruments[\(index)]"
      let kind: StudyFinding.Kind = obstacle == .nobodyAnswers ? .safety : .licence
      let name = entry.instrument?.name ?? entry.id
      let uses = moduleUses(of: entry, edition)
      // Tasks, and what decides who takes part, have nothing in their place.
      let isFixed = bundle.study.isAskedDirectly(entry.questionnaire)
      let isLeftOut = uses.contains { $0.substitute == nil }
      let isFatal = isFixed || obstacle == .unknown || (obstacle == .nobodyAnswers && isLeftOut)
      let consequence =
        isFixed
        ? "it is asked by a task"
        : isLeftOut
          ? "its module is left out"
          : uses.isEmpty
            ? "nothing asks it" : "\(uses.compactMap(\.substitute).joined(separator: ", ")) takes its place"
      return [
        StudyFinding(
          kind, Study.file, place, "\(name) is not asked, because \(obstacle): \(consequence)",
          remedy: obstacle.remedy, severity: isFatal ? .error : .warning)
      ]
    }
  }

  private func moduleUses(of entry: StudyInstrument, _ edition: StudyEdition) -> [StudyEdition.Reason] {
    edition.bundle.study.modules.compactMap { edition.leftOut[$0.id] }.filter { $0.instrument == entry.id }
  }
}

extension Study {
  fileprivate func isAskedDirectly(_ questionnaire: String) -> Bool {
    eligibility.questionnaire == questionnaire
      || tasks.contains { $0.work == .questionnaire(questionnaire) }
  }
}
