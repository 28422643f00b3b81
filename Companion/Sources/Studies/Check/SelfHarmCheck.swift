import Instruments

extension StudyBundle {
  /// Self-harm that is asked where no answer can be watched: by conditions on other answers, or before anybody takes part, where none is kept
  /// and nobody can be told; and of a site's study without an address.
  var selfHarmFindings: [StudyFinding] { watchFindings + addressFindings }

  /// The contact of a site's study, and after the stated hours its investigator, are told by mail alone.
  private var addressFindings: [StudyFinding] {
    // Without somebody who can be reached nobody is asked.
    guard study.kind == .site, study.instruments.contains(where: { $0.id == Instrument.phq9.id }),
      let contact = study.contact, contact.isReachable
    else { return [] }
    var found: [StudyFinding] = []
    if contact.person.email == nil {
      found.append(
        StudyFinding(
          .safety, Study.file, "contact.email",
          "PHQ-9 asks about self-harm, and \(contact.person.name), who is told by mail, has no address",
          remedy: "state one, or ask PHQ-8"))
    }
    if let investigator = study.investigator, investigator.email == nil {
      found.append(
        StudyFinding.warning(
          .safety, Study.file, "investigator.email",
          "\(investigator.name), who is told by mail of an answer about self-harm that waits for longer "
            + "than is stated, has no address", remedy: "state one"))
    }
    return found
  }

  private var watchFindings: [StudyFinding] {
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
