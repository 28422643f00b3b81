import Almanac
import Questionnaires
import Records
import Studies

/// Questionnaires and measurements of a day.
extension PersonCourse {
  mutating func answer(
    _ day: Int, _ course: Course, _ enrolment: Enrolment
  ) throws(ParticipationError) {
    var waiting: [Waiting] = []
    // Moment up to which the day's questions have taken the person; nil: none was asked.
    var answered: Instant?
    for (task, occurrence) in course.occurrences(on: day...day) where occurrence.remark != .vanished {
      guard day <= content.study.dayCount else { continue }
      try measure(&waiting, before: occurrence.opens, behind: answered, enrolment)
      // Of a day without modules nobody is told, nor of a task whose licence has ended.
      let isTold = task.measurement != nil || due(task, occurrence, course, at: occurrence.opens) != nil
      let prompts = isTold ? 1 : 0
      outcome.prompts[day, default: 0] += prompts
      if numbers.happens(kind.omission) {
        // The reminder, which comes too late as well.
        outcome.prompts[day, default: 0] += prompts
        continue
      }
      let span = max(1, occurrence.closes - occurrence.opens)
      var now =
        occurrence.opens + numbers.whole(0...max(0, min(span - 1, kind == .forgetful ? span / 2 : 3600)))
      if let (kind, settings) = task.measurement {
        // Those behind one that waits keep the study's order: a match needs the hearing test before it.
        if task.isAfterQuestions || !waiting.isEmpty {
          waiting.append(
            Waiting(task: task, kind: kind, settings: settings, occurrence: occurrence, moment: now))
        } else {
          try measure(task, kind, settings, occurrence, enrolment, at: now)
        }
        continue
      }
      // Again after each questionnaire: an answer may call for another.
      while let part = next(task, occurrence, course, at: now) {
        guard try answer(part, occurrence, enrolment, from: &now) else { break }
        outcome.minutes[day, default: 0] += part.module?.minutes ?? task.minutes
      }
      answered = max(answered ?? now, now)
    }
    try measure(&waiting, behind: answered, enrolment)
  }

  /// A measurement that its study wants behind the questions that are open at its moment.
  private struct Waiting {
    let task: StudyTask
    let kind: TaskKind.Key
    let settings: [String: Double]
    let occurrence: Occurrence
    let moment: Instant
  }

  /// Takes the measurements whose moment is before an opening, or all of them: nothing that was open then comes
  /// after them.
  private mutating func measure(
    _ waiting: inout [Waiting], before opens: Instant? = nil, behind answered: Instant?,
    _ enrolment: Enrolment
  ) throws(ParticipationError) {
    while let next = waiting.first, opens.map({ next.moment < $0 }) ?? true {
      waiting.removeFirst()
      try measure(
        next.task, next.kind, next.settings, next.occurrence, enrolment,
        at: max(next.moment, answered ?? next.moment))
    }
  }

  private func next(
    _ task: StudyTask, _ occurrence: Occurrence, _ course: Course, at now: Instant
  ) -> Course.Part? {
    guard occurrence.isOpen(at: now) else { return nil }
    return due(task, occurrence, course, at: now)?.parts.first { !$0.isDone }
  }

  /// Nil for the modules of a day that has none, and for a task whose licence has ended.
  private func due(
    _ task: StudyTask, _ occurrence: Occurrence, _ course: Course, at now: Instant
  ) -> Course.Due? {
    let day = StudySchedule.day(of: occurrence.date, beginning: start)
    return course.due(given, on: day...day, at: now).first {
      $0.occurrence.id == occurrence.id && $0.task.id == task.id
    }
  }

  var given: [GivenAnswers] { responses.map(\.given) }

  /// - Returns: False where the person stops in the middle.
  private mutating func answer(
    _ part: Course.Part, _ occurrence: Occurrence, _ enrolment: Enrolment, from now: inout Instant
  ) throws(ParticipationError) -> Bool {
    let records = Responses(database)
    var response = try records.open(numbers.id(), occurrence, of: enrolment.id, part.outline, session(now))
    let breaksOff = numbers.happens(kind.breakOff)
    defer { responses.append(response) }
    var left: Set<AnswerKey> = []
    while let key = response.display.shown.first(where: { waits($0, response, left) }) {
      guard let item = part.outline.item(key.item) else { break }
      response.show(key, at: now)
      // Some seconds for each, which end before the window does.
      let took = numbers.whole(1500...9000)
      let moment = Instant(milliseconds: now.milliseconds + took)
      guard moment < occurrence.closes else { return false }
      now = moment
      guard let value = drawing.answer(to: item, &numbers) else {
        left.insert(key)
        continue
      }
      let isAlarming = watch.isAlarming(value, to: item)
      outcome.alerts += isAlarming ? 1 : 0
      try records.answer(value, for: key, took: took, isAlarming: isAlarming, in: &response, session(now))
      acknowledged(.answer(response: response.id, item: key.item, isAlarming: isAlarming))
      if breaksOff, response.sheet.answers.count == 2 { return false }
    }
    try records.complete(&response, session(now))
    return true
  }

  private func waits(_ key: AnswerKey, _ response: Response, _ left: Set<AnswerKey>) -> Bool {
    response.outline.item(key.item)?.kind.isQuestion == true && response.sheet[key] == nil
      && !left.contains(key)
  }
}
