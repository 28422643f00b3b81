import Instruments

extension StudyBundle {
  /// Self-harm that is asked where no answer can be watched: by conditions on other answers, or before anybody takes part, where none is kept
  /// and nobody can be told; by a question that stays where nobody answers; and of a site's study without an address.
  var selfHarmFindings: [StudyFinding] { watchFindings + addressFindings }

  /// The contact of a site's study, and after the stated hours its investigator, are told by mail alone.
  private var addressFindings: [StudyFinding] {
    // Without a contact who can be reached there are other findings, of the instrument and of its question.
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
      return screeningFindings(of: question, place) + unansweredFindings(of: question, place)
    }
  }

  private func screeningFindings(of question: String, _ place: String) -> [StudyFinding] {
    guard let screening = study.eligibility.questionnaire, asks(question, in: screening) else { return [] }
    return [
      StudyFinding(
        .safety, Study.file, place,
        "\(question) is asked before anybody takes part, when nobody can be told of it",
        remedy: "ask it in a task's questionnaire")
    ]
  }

  /// A question that is asked although nobody answers: the instrument's own questionnaire is left out then, or a finding of its own, and
  /// others are not.
  private func unansweredFindings(of question: String, _ place: String) -> [StudyFinding] {
    guard !study.answersSelfHarm else { return [] }
    let own = study.instruments.filter { $0.id == Instrument.phq9.id }.map(\.questionnaire)
    let others = study.askedQuestionnaires.subtracting(own).sorted()
    return others.filter { asks(question, in: $0) }.map { questionnaire in
      StudyFinding(
        .safety, Study.file, place,
        "\(question) asks about self-harm in \(questionnaire), and nobody answers",
        remedy: "name contact, \"answers-within-hours\" and \"help-text\", or take the question out of it")
    }
  }

  private func asks(_ question: String, in questionnaire: String) -> Bool {
    questionnaires[questionnaire]?.allItems.contains { $0.id == question } == true
  }
}

extension Study {
  /// ``QuestionnaireFile/id`` of those that a task asks, or a module of a day or a gateway, or one that takes its place.
  fileprivate var askedQuestionnaires: Set<String> {
    let ofTasks = tasks.compactMap { if case .questionnaire(let id) = $0.work { id } else { nil } }
    let modules = askable(for: days.flatMap(\.modules) + gateways.flatMap(\.modules))
    return Set(ofTasks + modules.compactMap { module($0)?.questionnaire })
  }
}
