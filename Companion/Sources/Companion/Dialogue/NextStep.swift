import Almanac
import Base
import Questionnaires
import Records
import Studies

/// The thing that comes next for a person, found from what is kept alone: a terminal, a page and a program go on from the same place, and
/// a program that was killed before from there too.
public enum NextStep: Sendable {
  /// The help page, before anything else.
  case help(HelpPage, Part)
  /// A question, or the question for another repetition of a group, with the texts to read before it.
  case ask(QuestionPlace, OpenWork, texts: [AnswerKey])
  /// Everything of a questionnaire is answered or left out: it waits to be completed, with the texts at its end.
  case complete(OpenWork, texts: [AnswerKey])
  /// A measurement that is open, for which the aid plays: at a terminal, by `auricle q today`.
  case measure(Course.Due, Part)
  case nothing(Reason)

  /// Reason why nothing is asked.
  public enum Reason: Sendable, Hashable {
    case noStudy
    /// Studies that have not begun; the first day of the first.
    case notBegun(CalendarDate)
    /// Everything that was open is done, or nothing was; when something opens, if that is within two weeks.
    case noneOpen(opens: Instant?)
    /// The days of all studies are over.
    case over
  }
}

extension OwnParts {
  /// Parts that go on, or one of them.
  ///
  /// - Parameter study: Its name; nil: all.
  /// - Throws: ``Failure`` where there is no such one.
  public func running(_ study: String? = nil) throws(Failure) -> [Part] {
    try running(study, among: all())
  }

  /// The same of parts that were read already.
  public func running(_ study: String?, among all: [Part]) throws(Failure) -> [Part] {
    let parts = all.filter { $0.enrolment.ended == nil }
    guard let study else { return parts }
    let found = parts.filter { $0.study.id == study || $0.enrolment.id == study }
    guard found.isEmpty else { return found }
    throw Failure(
      study, inWords: "You take part in no such study", remedy: "See: auricle study list --json",
      exit: .noInput)
  }

  /// The next step in the parts that go on, or in one of them. Nothing is changed by asking for it.
  ///
  /// - Parameter study: Its name; nil: all. The help page comes whatever it is, also after the end of its part.
  public func nextStep(of study: String? = nil) throws(Failure) -> NextStep {
    if let (page, part) = try helpPage() { return .help(page, part) }
    return try nextStep(in: running(study))
  }

  /// The next step in some parts.
  public func nextStep(in parts: [Part]) throws(Failure) -> NextStep {
    // After the end of a part too.
    if let (page, part) = try helpPage() { return .help(page, part) }
    let now = surroundings.now()
    for part in parts {
      guard var work = part.openWork(at: now).first else { continue }
      let occurrence = work.due.occurrence.id
      work.isShared = parts.contains {
        $0.enrolment.id != part.enrolment.id && $0.has(occurrence, asking: nil)
      }
      return work.nextStep
    }
    // Behind the questions of all: a measurement needs a terminal, and must not keep a program from asking.
    for part in parts {
      if let due = part.openMeasurements(at: now).first { return .measure(due, part) }
    }
    return .nothing(reason(parts, now))
  }

  private func reason(_ parts: [Part], _ now: Instant) -> NextStep.Reason {
    guard !parts.isEmpty else { return .noStudy }
    let days = parts.map { (part: $0, day: $0.course.day(at: now)) }
    if days.allSatisfy({ $0.day > $0.part.study.dayCount }) { return .over }
    if days.allSatisfy({ $0.day < 1 }), let first = parts.map(\.enrolment.firstDate).min() {
      return .notBegun(first)
    }
    return .noneOpen(opens: parts.compactMap { $0.nextOpening(after: now) }.min())
  }
}

extension OpenWork {
  /// The first place that waits, with what is to be read before it.
  var nextStep: NextStep {
    let display = display
    var walk = Walk(display, passed: response?.passed ?? [:])
    var texts: [AnswerKey] = []
    while let place = walk.place(in: display) {
      guard case .reading(let key) = place else { return .ask(place, self, texts: texts) }
      texts.append(key)
      walk.pass(place)
    }
    return .complete(self, texts: texts)
  }
}
