import Almanac
import Base
import Questionnaires
import Records
import Studies

/// A person at a terminal, or a script in their place.
public protocol Asking {
  /// True for somebody who reads what is said and answers it: lines of a file would go on with the next question's answer.
  var isPresent: Bool { get }
  /// Shows text, which has its own line breaks.
  func say(_ text: String)
  /// Shows a prompt and waits for a line; nil at the end of them.
  ///
  /// - Throws: ``Failure`` for a line of a file that is no text.
  func ask(_ prompt: String) throws(Failure) -> String?
  /// Drops what was typed before now, which was meant for something earlier.
  func dropTyped()
}

extension Asking {
  /// Nobody types ahead but at a terminal.
  public func dropTyped() {}
}

/// Asks a questionnaire, line by line; every answer is kept before the next question comes.
public struct Questioner {
  let database: any Database
  let surroundings: Surroundings
  let subject: String
  let person: any Asking
  /// Questions about self-harm, and the page that follows an answer above 0.
  let watch: SelfHarmWatch
  let help: String
  /// Shown with that page where the answer could not be kept: the study gets no message of it then.
  let contact: Contact?
  /// Runs while that page is on the screen, before the person goes on from it.
  let onHelp: () throws(Failure) -> Void

  public init(
    _ database: any Database, _ surroundings: Surroundings, subject: String, person: any Asking,
    watch: SelfHarmWatch, help: String, contact: Contact? = nil,
    onHelp: @escaping () throws(Failure) -> Void = {}
  ) {
    (self.database, self.surroundings, self.subject) = (database, surroundings, subject)
    (self.person, self.watch, self.help) = (person, watch, help)
    self.contact = contact
    self.onHelp = onHelp
  }

  /// End of a sitting.
  public enum Ending: Sendable, Hashable {
    case completed
    /// Stopped before its end; what was answered is kept.
    case stopped
  }

  private var session: Session { Session(subject: subject, at: surroundings.now()) }

  /// Asks what is not answered, up to the questionnaire's end.
  ///
  /// - Throws: ``Failure``; what was answered before is kept.
  public func ask(_ response: inout Response) throws(Failure) -> Ending {
    guard try showHelp(of: response) else { return .stopped }
    var walk = Walk(response.display, passed: response.passed)
    while true {
      while let place = walk.place(in: response.display) {
        switch place {
        case .reading(let key):
          if let item = response.outline.item(key.item) {
            person.say("\n" + item.text.text(in: surroundings.language) + "\n")
          }
          walk.pass(place)
        case .again(let key, let count):
          guard try again(key, count, &response, &walk) else { return .stopped }
        case .question(let key): guard try question(key, &response, &walk) else { return .stopped }
        }
      }
      switch try decision(at: response.display, walk) {
      case .complete: if try complete(&response, &walk) { return .completed }
      case .goBack: goBack(in: response.display, &walk)
      case .stop: return .stopped
      }
    }
  }

  /// - Returns: False where another program has answered meanwhile, which is said: what waits by then comes next.
  private func complete(_ response: inout Response, _ walk: inout Walk) throws(Failure) -> Bool {
    let isTaken = try take(&response, saying: Self.notCompleted, failing: "not completed") {
      records, response throws(ParticipationError) in
      try records.complete(&response, session)
    }
    guard !isTaken else { return true }
    walk = Walk(response.display, passed: response.passed)
    // Answers in a repetition that another program has taken back would be hidden for good: yes to
    // another one brings it back. The first group comes first.
    for place in response.display.hiddenRepetitions.reversed() { walk.revisit(place) }
    return false
  }

  private func participating<Outcome>(
    _ body: () throws(ParticipationError) -> Outcome
  ) throws(Failure) -> Outcome {
    try Failure.participating("not saved", body)
  }

  // MARK: - One place

  /// - Returns: False when the person stops.
  private func again(
    _ key: AnswerKey, _ count: Int, _ response: inout Response, _ walk: inout Walk
  ) throws(Failure) -> Bool {
    let title = response.outline.item(key.item)?.text.text(in: surroundings.language) ?? key.item
    let prompt = "\(title): another one? [yes or no, Enter: no] > "
    guard let line = try person.ask(prompt) else { return false }
    let text = line.trimmingSpaces
    if text == "q" { return false }
    if text == "<" {
      goBack(in: response.display, &walk)
    } else if AnswerText.yes(text) == true {
      // Where another program has changed the number, the place comes again as it is by then.
      _ = try take(&response) { records, response throws(ParticipationError) in
        try records.repeatGroup(key, count + 1, in: &response, session)
      }
    } else if text.isEmpty || AnswerText.yes(text) == false {
      try participating { () throws(ParticipationError) in
        try Responses(database).endGroup(key, in: &response, session)
      }
      walk.pass(.again(key, count: count))
    } else {
      person.say("Found \"\(text)\"; expected yes or no.\n")
    }
    return true
  }

  /// - Returns: False when the person stops.
  private func question(
    _ key: AnswerKey, _ response: inout Response, _ walk: inout Walk
  ) throws(Failure) -> Bool {
    guard let item = response.outline.item(key.item) else { return true }
    response.show(key, at: surroundings.now())
    let began = SystemTime.monotonic
    let former = response.sheet[key]
    person.say(QuestionText.question(item, response.display, former, in: surroundings.language))
    guard let line = try person.ask("> ") else { return false }
    switch line.trimmingSpaces {
    case "q": return false
    case "<": try goBack(from: key, &response, &walk)
    case "?":
      person.say(
        (item.help?.text(in: surroundings.language) ?? "There is no help with this question.") + "\n")
    case "-" where item.isRequired: person.say("This question needs an answer.\n")
    case "-":
      let isTaken = try take(&response) { records, response throws(ParticipationError) in
        try records.leaveOut(key, in: &response, session)
      }
      if isTaken { walk.pass(.question(key)) } else { walk.revisit(.question(key)) }
    case "" where former != nil: walk.pass(.question(key))
    case "":
      person.say(
        item.isRequired ? "This question needs an answer.\n" : "Type an answer, or - to leave it out.\n")
    case let text:
      let took = Int((SystemTime.monotonic - began) * 1000)
      if try keep(text, for: item, key, took, &response) {
        walk.pass(.question(key))
        return try showHelp(of: response, after: AnswerText.value(text, for: item), to: item)
      }
      if response.sheet[key] != former { walk.revisit(.question(key)) }
    }
    return true
  }

  /// Goes back from a question: from the first one of a repetition without answers, which nobody wanted, to the
  /// question for it, by taking it back.
  private func goBack(
    from key: AnswerKey, _ response: inout Response, _ walk: inout Walk
  ) throws(Failure) {
    guard let (group, count) = response.display.groupWithEmptyEnd(beginningWith: key) else {
      return goBack(in: response.display, &walk)
    }
    let isTaken = try take(&response) { records, response throws(ParticipationError) in
      try records.repeatGroup(group, count - 1, in: &response, session)
    }
    if isTaken { walk.revisit(.again(group, count: count - 1)) }
  }

  private func goBack(in display: Display, _ walk: inout Walk) {
    guard !walk.goBack(in: display) else { return }
    person.say("This is the first question; a questionnaire that is complete is not changed any more.\n")
  }

  private static let notSaved = "Another program has answered this meanwhile; nothing of yours was saved."
  private static let notCompleted =
    "Another program has answered in this questionnaire meanwhile; your answers are kept, and it is not completed yet."

  /// Takes a step.
  ///
  /// - Parameters:
  ///   - words: Said where another program has answered meanwhile.
  ///   - subject: Subject of the failure.
  /// - Returns: False where another program has.
  private func take(
    _ response: inout Response, saying words: String = Self.notSaved, failing subject: String = "not saved",
    _ step: (Responses, inout Response) throws(ParticipationError) -> Void
  ) throws(Failure) -> Bool {
    do throws(ParticipationError) {
      try step(Responses(database), &response)
      return true
    } catch {
      guard try isAskedAgain(error, &response, saying: words) else {
        throw Failure(subject, error)
      }
      return false
    }
  }

  /// Reads again what another program has answered meanwhile, and says so: the question comes again with that answer.
  ///
  /// - Returns: False for another reason, or where nobody is there to look at it.
  private func isAskedAgain(
    _ error: ParticipationError, _ response: inout Response, saying words: String = Self.notSaved
  ) throws(Failure) -> Bool {
    guard case .changedElsewhere = error, person.isPresent else { return false }
    person.say(words + "\n")
    try participating { () throws(ParticipationError) in
      try Responses(database).reload(&response, session)
    }
    return true
  }

  /// - Returns: False for what is no answer, which is said.
  private func keep(
    _ text: String, for item: Item, _ key: AnswerKey, _ took: Int, _ response: inout Response
  ) throws(Failure) -> Bool {
    guard let value = AnswerText.value(text, for: item) else {
      person.say("Found \"\(text)\"; expected \(AnswerText.expectation(of: item)).\n")
      return false
    }
    do throws(ParticipationError) {
      try Responses(database).keep(value, for: item, key, took: took, watch, in: &response, session)
    } catch {
      if case .answer(let refusal) = error {
        person.say("Found \(refusal.found); expected \(refusal.expected).\n")
        return false
      }
      // No alert brings the page later.
      sayHelp(after: value, to: item)
      if try isAskedAgain(error, &response) { return false }
      if error.isUnanswered, isKept(value, for: item, key, &response) { return true }
      if case .storage = error, person.isPresent {
        // Asked again: a disk that is made room on, or a server that comes back, takes it then.
        let lead = error.isUnanswered ? "Perhaps not saved" : "Not saved"
        person.say("\(lead): \(error).\nThe question comes again; q stops.\n")
        return false
      }
      throw Failure("not saved", error)
    }
    return true
  }

  /// Looks for an answer whose reply was lost: where it is not kept the question comes again with the one that is.
  private func isKept(
    _ value: AnswerValue, for item: Item, _ key: AnswerKey, _ response: inout Response
  ) -> Bool {
    do throws(ParticipationError) { try Responses(database).reload(&response, session) } catch {
      return false
    }
    return response.sheet[key]?.inOrder(of: item) == value.inOrder(of: item)
  }

  /// The help page of an answer that must not wait and of which no alert can be shown, at once.
  private func sayHelp(after value: AnswerValue?, to item: Item) {
    guard let value, watch.isAlarmingAnswer(value, to: item) else { return }
    person.say("\n" + ImmediateHelp(help, contact, in: surroundings.language).words + "\n")
  }

  /// The help page, for every alert of which it was not shown, before anything else comes.
  ///
  /// - Parameter value: The answer that was kept before; the page follows one that must not wait also where
  ///   the database is gone by then.
  /// - Returns: False where nobody was there to see it.
  private func showHelp(
    of response: Response, after value: AnswerValue? = nil, to item: Item? = nil
  ) throws(Failure) -> Bool {
    let alerts: [Alert]
    do throws(Failure) {
      alerts = try participating { () throws(ParticipationError) in
        try Alerts(database).all(session).filter { $0.response == response.id }
      }
    } catch {
      if let item { sayHelp(after: value, to: item) }
      throw error
    }
    return try HelpPage(help, for: alerts)?.show(to: person, database, { session }, onScreen: onHelp)
      ?? true
  }
}
