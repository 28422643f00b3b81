import Instruments

extension StudyBundle {
  /// Self-harm that is asked where no answer can be watched: by conditions on other answers, or before anybody takes part, where none is kept
  /// and nobody can be told.
  var selfHarmFindings: [StudyFinding] {
    study.instruments.enumerated().flatMap { index, entry -> [StudyFinding] in
      guard entry.id == Instrument.phq9.id else { return [] }
      let place = "instruments[\(index)].items.\(Instrument.selfHarmItem)"
      guard case .question(let question) = entry.source(of: Instrument.selfHarmItem) else {
        return [
          StudyFinding(
            .safety, Study.file, place,
            "the item on self-harm follows from conditions, which nobody watches",
            remedy: "ask it as a question of its own")
        ]
      }
      let screening = study.eligibility.questionnaire.flatMap { questionnaires[$0] }
      guard screening?.allItems.contains(where: { $0.id == question }) == true else { return [] }
      return [
        StudyFinding(
          .safety, Study.file, place,
          "\(question) is asked before anybody takes part, when nobody can be told of it",
          remedy: "ask it in a task's questionnaire")
      ]
    }
  }
}
