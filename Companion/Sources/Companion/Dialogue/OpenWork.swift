import Almanac
import Base
import Questionnaires
import Records
import Studies

/// A questionnaire that is open and not complete, as whoever asks it finds it.
public struct OpenWork: Sendable {
  public let part: Part
  public let due: Course.Due
  public let piece: Course.Part
  /// Nil where nobody has begun it.
  public let response: Response?
  /// True where another part has an occurrence of the same name, so that a step of it names its study too.
  public internal(set) var isShared = false

  /// Items that are shown for the answers so far.
  public var display: Display { response?.display ?? Display(piece.outline, AnswerSheet()) }

  /// Window in which answers are taken.
  public var window: AnswerWindow { part.window(of: piece, in: due) }

  /// Name among all that is asked in a part.
  public var name: String { Self.name(due, piece) }

  static func name(_ due: Course.Due, _ piece: Course.Part) -> String {
    due.occurrence.id + " " + piece.outline.questionnaire.url
  }
}

/// Time in which the answers to a questionnaire of an occurrence are taken.
public struct AnswerWindow: Sendable, Hashable {
  public let opens: Instant
  /// This moment left out.
  public let closes: Instant
  /// Name of the zone by which it opened.
  public let zone: String

  public func isOpen(at moment: Instant) -> Bool { opens <= moment && moment < closes }
}

extension Part {
  /// Window of a questionnaire: its occurrence's, and once it was begun the one in which it was, whatever window
  /// a later edition has.
  public func window(of piece: Course.Part, in due: Course.Due) -> AnswerWindow {
    if let begun = response(to: piece, of: due) {
      return AnswerWindow(opens: begun.opens, closes: begun.closes, zone: begun.zone)
    }
    let occurrence = due.occurrence
    return AnswerWindow(opens: occurrence.opens, closes: occurrence.closes, zone: occurrence.zoneName)
  }

  /// Everything that is open and not complete at a moment, in the order in which it is asked.
  public func openWork(at now: Instant) -> [OpenWork] {
    due(at: now).flatMap { due in
      due.parts.filter { !$0.isDone && window(of: $0, in: due).isOpen(at: now) }.map { piece in
        OpenWork(part: self, due: due, piece: piece, response: response(to: piece, of: due))
      }
    }
  }

  /// Measurements that are open and have no result, in the order of their opening.
  public func openMeasurements(at now: Instant) -> [Course.Due] {
    due(at: now).filter { $0.occurrence.isOpen(at: now) && $0.isMeasured == false }
  }

  /// Those of ``openMeasurements(at:)`` that may be taken before the questions that are open: all but those
  /// of which the study says the contrary.
  public func measurementsBeforeQuestions(at now: Instant) -> [Course.Due] {
    let isAsked = !openWork(at: now).isEmpty
    return openMeasurements(at: now).filter { !($0.task.isAfterQuestions && isAsked) }
  }

  /// The next measurement to offer at a moment: the first that waits for no question and was not offered.
  public func nextMeasurement(at now: Instant, except offered: OfferedMeasurements) -> Course.Due? {
    measurementsBeforeQuestions(at: now).first { !offered.contains($0, of: self) }
  }

  /// Measurements that were not offered and wait for questions that are open.
  public func waitingMeasurements(at now: Instant, except offered: OfferedMeasurements) -> [Course.Due] {
    guard !openWork(at: now).isEmpty else { return [] }
    return openMeasurements(at: now).filter { $0.task.isAfterQuestions && !offered.contains($0, of: self) }
  }

  /// Ending of a part that ends at a moment: completed once the study's days are over and nothing is open any more.
  public func ending(at now: Instant) -> Enrolment.Ending {
    let isOver = course.day(at: now) > study.dayCount
    return isOver && openWork(at: now).isEmpty && openMeasurements(at: now).isEmpty
      ? .completed : .withdrawn
  }

  /// The window of a questionnaire that was begun, asks an item and closed before it was complete; the last one of these.
  ///
  /// - Parameter earliest: One that closed at this moment or before does not count.
  func closed(
    asking item: String, before now: Instant, after earliest: Instant = Instant(milliseconds: .min)
  ) -> ParticipationError? {
    let begun = responses.last {
      $0.completed == nil && $0.closes <= now && $0.closes > earliest && $0.outline.item(item) != nil
    }
    return begun.map { .outsideWindow(opens: $0.opens, closes: $0.closes, zone: $0.zone, now: now) }
  }

  /// The window of an occurrence that is not open: the one in which its questionnaire was begun, otherwise that of
  /// its task.
  ///
  /// - Parameter item: One that the questionnaire asks; nil: whichever.
  /// - Returns: Nil for one that is open, and for one that the part does not have.
  func outside(_ occurrence: String, asking item: String?, at now: Instant) -> ParticipationError? {
    let begun = responses.first { response in
      response.occurrence == occurrence && (item.map { response.outline.item($0) != nil } ?? true)
    }
    let window =
      begun.map { AnswerWindow(opens: $0.opens, closes: $0.closes, zone: $0.zone) }
      ?? named(occurrence).map { AnswerWindow(opens: $0.opens, closes: $0.closes, zone: $0.zoneName) }
    guard let window, !window.isOpen(at: now) else { return nil }
    return .outsideWindow(opens: window.opens, closes: window.closes, zone: window.zone, now: now)
  }

  /// True for an occurrence that the part has, open or not, or at which something was begun.
  ///
  /// - Parameter item: One that it asks, or may ask; nil: whichever.
  func has(_ occurrence: String, asking item: String?) -> Bool {
    func asks(_ outline: Outline) -> Bool { item.map { outline.item($0) != nil } ?? true }
    if responses.contains(where: { $0.occurrence == occurrence && asks($0.outline) }) { return true }
    guard let task = study.task(OccurrenceName(occurrence).task), named(occurrence) != nil else {
      return false
    }
    let questionnaires: [String] =
      switch task.work {
      case .questionnaire(let id): [id]
      case .modulesOfDay: study.modules.map(\.questionnaire)
      case .measurement: []
      }
    return questionnaires.compactMap { content.outlines[$0] }.contains(where: asks)
  }

  /// The occurrence of a name, open or not, among those of the study's tasks.
  private func named(_ occurrence: String) -> Occurrence? {
    guard let date = OccurrenceName(occurrence).date else { return nil }
    let day = StudySchedule.day(of: date, beginning: course.firstDate)
    guard 1...study.dayCount ~= day else { return nil }
    return course.occurrences(on: day...day).map(\.occurrence).first { $0.id == occurrence }
  }

  /// Moment at which something opens that is not open yet; nil: nothing within two weeks, or the end.
  ///
  /// A window that a change of clocks or zones takes away never opens.
  func nextOpening(after now: Instant) -> Instant? {
    let today = max(1, course.day(at: now))
    let last = min(study.dayCount, today + Self.daysAhead)
    guard today <= last else { return nil }
    return course.due(given, measured: measurements.measured, on: today...last, at: now).filter { due in
      // A begun questionnaire has opened already, whatever window the present edition has.
      due.occurrence.opens > now && due.occurrence.remark != .vanished
        && (due.isMeasured == false
          || due.parts.contains { !$0.isDone && response(to: $0, of: due) == nil })
    }.map(\.occurrence.opens).min()
  }

  /// Days over which an opening is looked for. Own choice: longer pauses are told by the calendar.
  private static let daysAhead = 14
}

extension OwnParts {
  /// The answers to open work, begun now where nobody has.
  public func response(to work: OpenWork) throws(Failure) -> Response {
    try Failure.participating(work.part.study.id) { () throws(ParticipationError) in
      try Responses(database).open(
        surroundings.newID(), work.due.occurrence, of: work.part.enrolment.id, work.piece.outline,
        under: work.part.enrolment.studyVersion, session)
    }
  }
}
