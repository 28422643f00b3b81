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
    /// Days of the study on which the person took part.
    var days = 0
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
  let kind: PersonKind
  let content: StudyContent
  private let version: String
  let start: CalendarDate
  private let home: Zone
  private let away: Zone
  let drawing: AnswerDrawing
  let watch: SelfHarmWatch
  let database: any Database
  let acknowledged: (Rehearsal.Acknowledged) -> Void
  var numbers: PersonNumbers
  var responses: [Response] = []
  /// ``DataType/id`` of what the person gives; nil where the study asks for no consent.
  private var kinds: Set<String>?
  var measurements: [GivenMeasurement] = []
  var matcher: SimulatedMatcher
  var outcome: Outcome

  var subject: String { "person-\(number)" }

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

  func session(_ moment: Instant) -> Session { Session(subject: subject, at: moment) }

  mutating func run() throws(ParticipationError) -> Outcome {
    guard isEligible() else { return outcome }
    let begun = home.instant(of: LocalMoment(start, .midnight)) + 300
    let agreement = drawnAgreement()
    let (id, drawn) = (numbers.id(), numbers.seed())
    var enrolment = try Enrolments(database).begin(
      id, version: version, on: start, in: home.name, seed: drawn, under: agreement, session(begun))
    // A part that was begun before keeps the seed that it has.
    let seed = enrolment.seed ?? drawn
    kinds = agreement.map { Set($0.ticks.filter(\.isGiven).map(\.kind)) }
    var zones = ZoneHistory(home)
    let last =
      kind == .withdrawing ? numbers.whole(1...max(1, content.study.dayCount - 1)) : content.study.dayCount
    outcome.days = last
    for day in 1...last {
      if kind == .travelling, day == 4 || day == 10 {
        try move(enrolment, to: day == 4 ? away : home, on: day, &zones)
      }
      try answer(
        day, Course(content, from: start, seed: seed, in: zones, giving: kinds), enrolment)
    }
    let course = Course(content, from: start, seed: seed, in: zones, giving: kinds)
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
    // As of the last day: what nobody could be asked by then had no day for another reason.
    let modules = course.modules(given, today: 1, present: content.study.dayCount)
    outcome.gateways = modules.states.open.map(\.gateway)
    outcome.overflow = modules.plan.overflow
    (outcome.minutes, outcome.prompts, outcome.alerts) = (
      self.outcome.minutes, self.outcome.prompts, self.outcome.alerts
    )
    (outcome.measured, outcome.unmeasured) = (self.outcome.measured, self.outcome.unmeasured)
    outcome.days = self.outcome.days
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
