import Almanac
import Base
import Exchange
import Questionnaires
import Records
import SimulatedListeners
import Studies

/// One simulated person from recruitment to the end.
struct PersonCourse {
  /// Result of one person.
  struct Outcome: Sendable {
    let kind: PersonKind
    /// Nil: may not take part.
    let participant: DataSet.Participant?
    /// Minutes of what was completed, by day of the study.
    var minutes: [Int: Double] = [:]
    /// Prompts that were sent, by day of the study.
    var prompts: [Int: Int] = [:]
    var gateways: [String] = []
    /// Modules that were called for and had no day.
    var overflow: [String] = []
    var alerts = 0
    /// Measurements with a result: task and minutes.
    var measured: [(task: String, minutes: Double)] = []
    /// Tasks that could not be measured, once for each time.
    var unmeasured: [String] = []
  }

  private let number: Int
  private let kind: PersonKind
  private let content: StudyContent
  private let version: String
  private let start: CalendarDate
  private let home: Zone
  private let away: Zone
  private let drawing: AnswerDrawing
  private let watch: SelfHarmWatch
  private let database: any Database
  private let acknowledged: (Rehearsal.Acknowledged) -> Void
  private var numbers: PersonNumbers
  private var responses: [Response] = []
  /// ``DataType/id`` of what the person gives; nil where the study asks for no consent.
  private var kinds: Set<String>?
  private var measurements: [GivenMeasurement] = []
  private var matcher: SimulatedMatcher
  private var outcome: Outcome

  private var subject: String { "person-\(number)" }

  init(
    _ number: Int, _ content: StudyContent, _ version: String, from start: CalendarDate, at home: Zone,
    away: Zone,
    _ numbers: PersonNumbers, _ matcher: SimulatedMatcher, _ database: any Database,
    _ acknowledged: @escaping (Rehearsal.Acknowledged) -> Void
  ) {
    (self.number, self.content, self.version, self.start) = (number, content, version, start)
    (self.home, self.away, self.numbers, self.database) = (home, away, numbers, database)
    (self.matcher, self.acknowledged) = (matcher, acknowledged)
    kind = .of(number)
    drawing = AnswerDrawing(kind, content.study)
    watch = SelfHarmWatch(content.study)
    outcome = Outcome(kind: kind, participant: nil)
  }

  private func session(_ moment: Instant) -> Session { Session(subject: subject, at: moment) }

  mutating func run() throws(ParticipationError) -> Outcome {
    guard isEligible() else { return outcome }
    let begun = home.instant(of: LocalMoment(start, .midnight)) + 300
    let agreement = drawnAgreement()
    var enrolment = try Enrolments(database).begin(
      numbers.id(), version: version, on: start, in: home.name, seed: numbers.seed(), under: agreement,
      session(begun))
    kinds = agreement.map { Set($0.ticks.filter(\.isGiven).map(\.kind)) }
    var zones = ZoneHistory(home)
    let last =
      kind == .withdrawing ? numbers.whole(1...max(1, content.study.dayCount - 1)) : content.study.dayCount
    for day in 1...last {
      if kind == .travelling, day == 4 || day == 10 {
        try move(enrolment, to: day == 4 ? away : home, on: day, &zones)
      }
      try answer(
        day, Course(content, from: start, seed: enrolment.seed, in: zones, giving: kinds), enrolment)
    }
    let course = Course(content, from: start, seed: enrolment.seed, in: zones, giving: kinds)
    enrolment = try end(enrolment, course, after: last)
    let consents = try Consents(database).all(of: enrolment.id, session(begun))
    return finished(enrolment, course, consents)
  }

  /// Consent in the study's main language, of whoever is asked for it: a kind of data that may be left out is given by half of them.
  private mutating func drawnAgreement() -> Agreement? {
    guard let form = content.edition.bundle.consentForm(in: content.study.languages.first ?? "") else {
      return nil
    }
    var given: Set<String> = []
    for kind in form.kinds where kind.isRequired || numbers.happens(0.5) { given.insert(kind.id) }
    return try? form.agreement(giving: given)
  }

  /// By answers to the study's own questions, which are not kept.
  private mutating func isEligible() -> Bool {
    guard let id = content.study.eligibility.questionnaire, let outline = content.outlines[id] else {
      return true
    }
    // Of those who ask to take part most may: own choice.
    let isSuited = numbers.happens(0.85)
    for _ in 0..<(isSuited ? 500 : 1) where isEligible(by: outline) { return true }
    return false
  }

  private mutating func isEligible(by outline: Outline) -> Bool {
    var sheet = AnswerSheet()
    answer(outline.questionnaire.items, [], on: &sheet)
    return content.study.eligibility(by: Display(outline, sheet)) == .eligible
  }

  /// Each question once, of a repeated group the first repetition; what others hide is on the sheet and not shown.
  private mutating func answer(_ items: [Item], _ repetition: [Int], on sheet: inout AnswerSheet) {
    for item in items {
      if item.kind.isQuestion, let value = drawing.answer(to: item, &numbers) {
        sheet.set(value, for: AnswerKey(item.id, repetition), at: Instant(seconds: 0))
      }
      let isRepeated = if case .group(repeats: .some) = item.kind { true } else { false }
      answer(item.items, isRepeated ? repetition + [0] : repetition, on: &sheet)
    }
  }

  private func move(
    _ enrolment: Enrolment, to zone: Zone, on day: Int, _ zones: inout ZoneHistory
  ) throws(ParticipationError) {
    guard let date = start.adding(days: day - 1) else { return }
    // Just after midnight, where everybody sleeps on the plane.
    let moment =
      zones.zone(at: Instant(seconds: date.dayNumber * 86_400)).instant(
        of: LocalMoment(date, .midnight)) + 600
    try Enrolments(database).move(enrolment, to: zone.name, session(moment))
    zones.move(to: zone, at: moment)
  }

  // MARK: - A day

  private mutating func answer(
    _ day: Int, _ course: Course, _ enrolment: Enrolment
  ) throws(ParticipationError) {
    var waiting: [Waiting] = []
    // Moment up to which the day's questions have taken the person; nil: none was asked.
    var answered: Instant?
    for (task, occurrence) in course.occurrences(on: day...day) where occurrence.remark != .vanished {
      guard day <= content.study.dayCount else { continue }
      try measure(&waiting, before: occurrence.opens, behind: answered, enrolment)
      outcome.prompts[day, default: 0] += 1
      if numbers.happens(kind.omission) {
        // The reminder, which comes too late as well.
        outcome.prompts[day, default: 0] += 1
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
    let day = StudySchedule.day(of: occurrence.date, beginning: start)
    return course.due(given, on: day...day, at: now).first {
      $0.occurrence.id == occurrence.id && $0.task.id == task.id
    }?
    .parts.first { !$0.isDone }
  }

  private var given: [GivenAnswers] { responses.map(\.given) }

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

  // MARK: - Measurements

  /// By the aid's procedure, in simulated time; the result comes when it has ended.
  private mutating func measure(
    _ task: StudyTask, _ kind: TaskKind.Key, _ settings: [String: Double], _ occurrence: Occurrence,
    _ enrolment: Enrolment, at now: Instant
  ) throws(ParticipationError) {
    // One after the other: a match on the day of a hearing test follows it.
    let now = max(now, measurements.last?.end?.moment ?? now)
    guard occurrence.isOpen(at: now) else { return }
    let records = TaskRuns(database)
    let run = try records.begin(
      numbers.id(), occurrence, of: enrolment.id, kind, settings, session(now))
    // Left in its middle, it has no end.
    guard !numbers.happens(self.kind.breakOff) else { return measurements.append(run) }
    let found = SimulatedMeasurement(
      kind, settings, by: &matcher, hasThresholds: hasThresholds, named: "\(subject)/\(occurrence.id)")
    let ended = Instant(milliseconds: now.milliseconds + Int(found.seconds * 1000))
    measurements.append(try records.end(run, found.outcome, session(ended)))
    acknowledged(.measurement(run.id))
    let day = StudySchedule.day(of: occurrence.date, beginning: start)
    outcome.minutes[day, default: 0] += found.seconds / 60
    if found.outcome.isMeasured {
      outcome.measured.append((task.id, found.seconds / 60))
    } else {
      outcome.unmeasured.append(task.id)
    }
  }

  /// Of a study without a hearing test everybody was tested before.
  private var hasThresholds: Bool {
    let test = TaskKind.hearingTest.key
    return measurements.contains { $0.kind == test && $0.isMeasured }
      || !content.study.tasks.contains { $0.measurement?.kind == test }
  }

  // MARK: - The end

  private func end(
    _ enrolment: Enrolment, _ course: Course, after day: Int
  ) throws(ParticipationError) -> Enrolment {
    guard let date = start.adding(days: day) else { return enrolment }
    let moment =
      course.zones.zone(at: Instant(seconds: date.dayNumber * 86_400)).instant(
        of: LocalMoment(date, .midnight)) + 18_000
    let records = Enrolments(database)
    try records.end(enrolment, kind == .withdrawing ? .withdrawn : .completed, session(moment))
    return try records.all(session(moment)).first { $0.id == enrolment.id } ?? enrolment
  }

  private func finished(_ enrolment: Enrolment, _ course: Course, _ consents: [Consent]) -> Outcome {
    var outcome = Outcome(
      kind: kind,
      participant: DataSet.Participant(
        code: "P" + String(repeating: "0", count: max(0, 4 - "\(number + 1)".count)) + "\(number + 1)",
        course: course,
        ended: enrolment.ended, ending: enrolment.ending?.rawValue,
        responses: responses.map {
          DataSet.GivenResponse(
            id: $0.id, given: $0.given, zone: $0.zone, begun: $0.begun, completed: $0.completed)
        }, consents: consents.map { DataSet.GivenConsent($0, content.study) }, measurements: measurements,
        begun: enrolment.begun))
    let modules = course.modules(given, today: 1)
    outcome.gateways = modules.states.open.map(\.gateway)
    outcome.overflow = modules.plan.overflow
    (outcome.minutes, outcome.prompts, outcome.alerts) = (
      self.outcome.minutes, self.outcome.prompts, self.outcome.alerts
    )
    (outcome.measured, outcome.unmeasured) = (self.outcome.measured, self.outcome.unmeasured)
    return outcome
  }
}

extension DataSet.GivenConsent {
  fileprivate init(_ consent: Consent, _ study: Study) {
    self.init(
      number: consent.number, version: study.version, versionHash: consent.studyVersion, text: consent.text,
      language: consent.language,
      ticks: consent.ticks.map {
        Tick(kind: $0.kind, isGiven: $0.isGiven, since: $0.since, zone: $0.zone)
      })
  }
}
