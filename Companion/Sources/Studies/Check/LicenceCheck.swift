import Almanac
import Base
import Instruments

extension StudyCheck {
  /// Instruments that may not be asked: modules are replaced or left out with a warning; where nothing can take the place of what is asked,
  /// and self-harm is asked about without anybody who answers, the study cannot be published.
  func licenceFindings(in bundle: StudyBundle) -> [StudyFinding] {
    let edition = StudyEdition(bundle, use)
    return bundle.study.instruments.enumerated().flatMap { index, entry -> [StudyFinding] in
      guard let obstacle = bundle.obstacle(to: entry, use) else {
        return endingFindings(of: entry, index, in: bundle)
      }
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

  /// A licence that ends before the last day of whoever begins on the day of the check.
  private func endingFindings(
    of entry: StudyInstrument, _ index: Int, in bundle: StudyBundle
  ) -> [StudyFinding] {
    let study = bundle.study
    guard let last = entry.licence?.expires, let after = last.adding(days: 1),
      let end = use.date.adding(days: study.dayCount - 1), last < end
    else { return [] }
    let later = BundleUse(on: after, isCommercial: use.isCommercial)
    guard bundle.obstacle(to: entry, later) != nil else { return [] }
    let uses = moduleUses(of: entry, StudyEdition(bundle, later))
    let isTask = study.tasks.contains { $0.work == .questionnaire(entry.questionnaire) }
    guard isTask || !uses.isEmpty else { return [] }
    let substitutes = uses.compactMap(\.substitute)
    let consequence =
      isTask
      ? "no task asks it"
      : substitutes.count < uses.count
        ? "its module is left out" : "\(substitutes.joined(separator: ", ")) takes its place"
    return [
      StudyFinding.warning(
        .licence, Study.file, "instruments[\(index)]",
        "the licence of \(entry.instrument?.name ?? entry.id) ends on \(last), and whoever begins on "
          + "\(use.date) takes part up to \(end): afterwards \(consequence)",
        remedy: "once it is extended, state its new last day")
    ]
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
