import Almanac
import Base
import Questionnaires
import Records
import Studies

/// A step that a program takes for a person.
public enum PersonStep: Sendable, Hashable {
  /// An answer as it is typed, choices by their codes; `yes` or `no` for another repetition of a group.
  ///
  /// - took: ms from the question to the answer, by a clock that nobody sets.
  case answer(AnswerKey, String, took: Int?)
  case leaveOut(AnswerKey)
  /// Completes the questionnaire whose questions are all answered or left out.
  case complete
  /// Somebody has seen the help page.
  case helpWasShown
}

/// A step that is not taken. Nothing is changed then.
public enum StepRefusal: Error, Sendable {
  /// The step is not one of this item.
  case refused(AnswerRefusal)
  case failed(Failure)
}

extension OwnParts {
  /// Takes a step. When it returns, it is on the disk.
  ///
  /// While the help page waits, nothing is taken before somebody has seen it.
  ///
  /// - Parameters:
  ///   - parts: Those that it may belong to.
  ///   - occurrence: ``Occurrence/id`` to which the step belongs, as the next step tells it: a question that was shown
  ///     in one window is not answered in the next. Several of the parts may have one of a name: such a step is
  ///     not taken. Nil: whichever is open.
  public func take(
    _ step: PersonStep, in parts: [Part], of occurrence: String? = nil
  ) throws(StepRefusal) {
    let page = try failing { () throws(Failure) in try helpPage() }
    if case .helpWasShown = step {
      guard let page else {
        throw .refused(
          AnswerRefusal(item: "help", found: "no help page that waits", expected: "one, as q next tells"))
      }
      return try failing { () throws(Failure) in try page.page.wasShown(database, session) }
    }
    guard page == nil else {
      throw .refused(
        AnswerRefusal(
          item: step.item, found: "a step before the help page",
          expected: "the page shown, and then auricle q answer --help-was-shown"))
    }
    switch step {
    case .answer(let key, let text, let took): try answer(text, key, took, occurrence, parts)
    case .leaveOut(let key):
      try participating(key, occurrence, parts) { records, response throws(ParticipationError) in
        try records.leaveOut(key, in: &response, session)
      }
    case .complete: try complete(occurrence, parts)
    case .helpWasShown: break
    }
  }

  private func answer(
    _ text: String, _ key: AnswerKey, _ took: Int?, _ occurrence: String?, _ parts: [Part]
  ) throws(StepRefusal) {
    try participating(key, took: took, occurrence, parts) { records, response throws(ParticipationError) in
      guard let item = response.outline.item(key.item) else { return }
      if case .group = item.kind { return try again(text, key, records, &response) }
      guard item.kind.isQuestion else {
        throw .answer(
          AnswerRefusal(item: key.item, found: "an answer to a text", expected: "one to a question"))
      }
      guard let value = AnswerText.value(text, for: item, choosing: .codes) else {
        throw .answer(
          AnswerRefusal(
            item: key.item, found: "\"\(text)\"", expected: AnswerText.expectation(of: item, .codes)))
      }
      let now = surroundings.now()
      response.show(key, at: Instant(milliseconds: now.milliseconds - max(0, took ?? 0)))
      let watch = SelfHarmWatch(study(of: response, parts))
      try records.keep(value, for: item, key, took: took, watch, in: &response, session)
    }
  }

  /// Takes `yes` or `no` to another repetition.
  private func again(
    _ text: String, _ key: AnswerKey, _ records: Responses, _ response: inout Response
  ) throws(ParticipationError) {
    guard let isWanted = AnswerText.yes(text) else {
      throw .answer(AnswerRefusal(item: key.item, found: "\"\(text)\"", expected: "yes or no"))
    }
    let display = response.display
    let count = display.repetitions(of: key)
    let waiting = display.waitingRepetition(of: key, passed: response.passed)
    guard isWanted else {
      // The yes before was a mistake.
      if display.countWithEmptyEnd(of: key) == count, waiting == count - 1 {
        try records.repeatGroup(key, count - 1, in: &response, session)
      }
      return try records.endGroup(key, in: &response, session)
    }
    // Sent again after a lost reply, it would add another one that nobody wants.
    if let waiting {
      throw .answer(
        AnswerRefusal(
          item: key.item, found: "another repetition",
          expected: "the questions of repetition \(waiting + 1) first"))
    }
    try records.repeatGroup(key, count + 1, in: &response, session)
  }

  private func complete(_ occurrence: String?, _ parts: [Part]) throws(StepRefusal) {
    if let occurrence { try refuseShared(occurrence, asking: nil, "complete", parts) }
    let now = surroundings.now()
    let works = parts.flatMap { $0.openWork(at: now) }.filter {
      occurrence == nil || $0.due.occurrence.id == occurrence
    }
    if works.isEmpty, let occurrence {
      try refuseOutside(occurrence, asking: nil, "complete", parts, at: now)
    }
    let ready = works.first { if case .complete = $0.nextStep { true } else { false } }
    guard let work = ready else {
      throw .refused(
        AnswerRefusal(
          item: "complete", found: works.isEmpty ? "nothing that is open" : "a question that waits",
          expected: "a questionnaire of which everything is answered or left out"))
    }
    try failing { () throws(Failure) in
      var response = try self.response(to: work)
      try Failure.participating("complete") { () throws(ParticipationError) in
        try Responses(database).complete(&response, session)
      }
    }
  }

  private func study(of response: Response, _ parts: [Part]) -> Study {
    let part = parts.first { $0.enrolment.id == response.enrolment }
    return part?.study(version: response.studyVersion) ?? parts[0].study
  }

  // MARK: - Where an item is asked

  /// Runs a step on the questionnaire in which an item is asked now.
  private func participating(
    _ key: AnswerKey, took: Int? = nil, _ occurrence: String?, _ parts: [Part],
    _ body: (Responses, inout Response) throws(ParticipationError) -> Void
  ) throws(StepRefusal) {
    let work: OpenWork
    if let occurrence {
      work = try self.work(that: key.item, of: occurrence, parts)
    } else {
      work = try self.work(that: key.item, took: took ?? 0, parts)
    }
    var response = try failing { () throws(Failure) -> Response in try self.response(to: work) }
    do throws(ParticipationError) { try body(Responses(database), &response) } catch {
      if case .answer(let refusal) = error { throw .refused(refusal) }
      throw .failed(Failure(key.item, error))
    }
  }

  /// - Throws: ``StepRefusal`` with the reason why the item of an occurrence cannot be answered: unknown, complete,
  ///   or not open, and when it is.
  private func work(
    that item: String, of occurrence: String, _ parts: [Part]
  ) throws(StepRefusal) -> OpenWork {
    try refuseShared(occurrence, asking: item, item, parts)
    let now = surroundings.now()
    let works = parts.flatMap { $0.openWork(at: now) }
    let meant = works.first { $0.due.occurrence.id == occurrence && $0.piece.outline.item(item) != nil }
    if let meant { return meant }
    try refuseOutside(occurrence, asking: item, item, parts, at: now)
    let isComplete = parts.flatMap(\.responses).contains {
      $0.occurrence == occurrence && $0.completed != nil && $0.outline.item(item) != nil
    }
    throw .refused(
      isComplete
        ? Self.answerToComplete(item)
        : AnswerRefusal(
          item: item, found: "a question that \(occurrence) does not ask", expected: "one of q next"))
  }

  /// - Parameters:
  ///   - item: One that is asked there; nil: whichever.
  ///   - subject: Subject of the refusal.
  /// - Throws: ``StepRefusal`` for an occurrence that several parts have, open or not: its name is unique within one,
  ///   and the answer would be kept in another study than the one that asked it.
  private func refuseShared(
    _ occurrence: String, asking item: String?, _ subject: String, _ parts: [Part]
  ) throws(StepRefusal) {
    let studies = parts.filter { $0.has(occurrence, asking: item) }.map(\.study.id)
    guard studies.count > 1 else { return }
    let names = studies.joined(separator: ", ")
    throw .failed(
      Failure(
        subject, inWords: "Several studies have the occurrence \(occurrence): \(names)",
        remedy: "Name the one that asked, as q next tells it: --study STUDY", exit: .temporary))
  }

  /// - Parameters:
  ///   - item: One that is asked there; nil: whichever.
  ///   - subject: Subject of the refusal.
  /// - Throws: ``StepRefusal`` with the window of an occurrence that is not open.
  private func refuseOutside(
    _ occurrence: String, asking item: String?, _ subject: String, _ parts: [Part], at now: Instant
  ) throws(StepRefusal) {
    let found = parts.lazy.compactMap { $0.outside(occurrence, asking: item, at: now) }.first
    guard let found else { return }
    throw .failed(Failure(subject, inWords: "\(found)", exit: found.exitStatus))
  }

  private static func answerToComplete(_ item: String) -> AnswerRefusal {
    AnswerRefusal(
      item: item, found: "an answer to a questionnaire that is complete", expected: "one that is open")
  }

  /// Time within which an answer may still come that was meant for a window before, ms. Own choice: longer than
  /// people look at a question.
  private static let lateness = 600_000

  /// Refuses a step that may belong to a questionnaire that was begun and has closed just now: kept in the next
  /// window, it would be an answer to what nobody was asked there.
  ///
  /// - Parameter took: Time from the question to the answer, ms.
  private func refuseLate(
    _ item: String, took: Int, _ work: OpenWork, _ parts: [Part], at now: Instant
  ) throws(StepRefusal) {
    let earliest = Instant(milliseconds: now.milliseconds - max(took, Self.lateness))
    let late = parts.lazy.compactMap { $0.closed(asking: item, before: now, after: earliest) }.first
    guard let late else { return }
    let words = "The step names no occurrence, and a questionnaire that asks this has closed just now"
    throw .failed(
      Failure(
        item, inWords: "\(words): \(late)",
        remedy: "Ask what is open (auricle q next), and name it: --occurrence \(work.due.occurrence.id)",
        exit: late.exitStatus))
  }

  /// - Parameter took: Time from the question to the answer, ms.
  /// - Throws: ``StepRefusal`` with the reason why the item cannot be answered: unknown, complete, or not open, and when it is.
  private func work(that item: String, took: Int, _ parts: [Part]) throws(StepRefusal) -> OpenWork {
    let now = surroundings.now()
    func asks(_ piece: Course.Part) -> Bool { piece.outline.item(item) != nil }
    if let work = parts.lazy.flatMap({ $0.openWork(at: now) }).first(where: { asks($0.piece) }) {
      try refuseLate(item, took: took, work, parts, at: now)
      return work
    }
    for part in parts {
      for due in part.due(at: now) {
        guard let piece = due.parts.first(where: asks) else { continue }
        let window = part.window(of: piece, in: due)
        guard window.isOpen(at: now) else {
          let error = ParticipationError.outsideWindow(
            opens: window.opens, closes: window.closes, zone: window.zone, now: now)
          throw .failed(Failure(item, inWords: "\(error)", exit: error.exitStatus))
        }
        throw .refused(Self.answerToComplete(item))
      }
    }
    if let error = parts.lazy.compactMap({ $0.closed(asking: item, before: now) }).first {
      throw .failed(Failure(item, inWords: "\(error)", exit: error.exitStatus))
    }
    throw .refused(
      AnswerRefusal(item: item, found: "a question that nobody is asked today", expected: "one of q next"))
  }

  private func failing<Outcome>(_ body: () throws(Failure) -> Outcome) throws(StepRefusal) -> Outcome {
    do throws(Failure) { return try body() } catch { throw .failed(error) }
  }
}

extension PersonStep {
  /// Item that it is for, or its own name.
  var item: String {
    switch self {
    case .answer(let key, _, _), .leaveOut(let key): key.item
    case .complete: "complete"
    case .helpWasShown: "help"
    }
  }
}

extension Responses {
  /// Keeps an answer of a person, with the alert of one that must not wait.
  func keep(
    _ value: AnswerValue, for item: Item, _ key: AnswerKey, took: Int?, _ watch: SelfHarmWatch,
    in response: inout Response, _ session: Session
  ) throws(ParticipationError) {
    try answer(
      value, for: key, took: took, isAlarming: watch.isAlarming(value, to: item), in: &response, session)
  }
}
