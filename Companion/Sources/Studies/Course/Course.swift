import Almanac
import Base
import Questionnaires

/// Somebody's way through a study: what is due when, for all that they have answered. A pure function of study, beginning, zones and answers.
///
/// - Threads: any.
public struct Course: Sendable {
  public let content: StudyContent
  /// Day 1, on the person's wall.
  public let firstDate: CalendarDate
  /// Of what is drawn for this person.
  public let seed: UInt64
  public let zones: ZoneHistory
  /// ``DataType/id`` of what the person gives: a task that gives another is not due. Nil: everything.
  public let kinds: Set<String>?
  /// Study as it may be asked on each day of the part.
  private let editions: DayEditions

  public init(
    _ content: StudyContent, from firstDate: CalendarDate, seed: UInt64, in zones: ZoneHistory,
    giving kinds: Set<String>? = nil
  ) {
    (self.content, self.firstDate, self.seed, self.zones) = (content, firstDate, seed, zones)
    self.kinds = kinds
    editions = DayEditions(content.edition, from: firstDate)
  }

  /// Day of the study, from 1, at a moment; outside of 1 to ``Study/dayCount`` nothing is due.
  public func day(at moment: Instant) -> Int {
    StudySchedule.day(of: zones.date(at: moment), beginning: firstDate)
  }

  /// Occurrences of all tasks within some days of the study, by their opening, and those that open together in the study's order.
  public func occurrences(on days: ClosedRange<Int>) -> [(task: StudyTask, occurrence: Occurrence)] {
    occurrences(of: content.study.tasks, on: days)
  }

  func occurrences(
    of tasks: [StudyTask], on days: ClosedRange<Int>
  ) -> [(task: StudyTask, occurrence: Occurrence)] {
    guard let first = firstDate.adding(days: days.lowerBound - 1),
      let last = firstDate.adding(days: days.upperBound - 1)
    else { return [] }
    let all = tasks.enumerated().flatMap {
      place, task -> [(place: Int, occurrence: Occurrence)] in
      guard kinds?.contains(task.dataType) ?? true,
        let plan = task.schedule.plan(id: task.id, beginning: firstDate, seed: seed)
      else { return [] }
      return plan.occurrences(on: first...last, in: zones).map { (place, $0) }
    }
    return all.sorted { ($0.occurrence.opens, $0.place) < ($1.occurrence.opens, $1.place) }
      .map { (tasks[$0.place], $0.occurrence) }
  }

  // MARK: - Modules

  /// Modules of the days for some answers.
  ///
  /// - Parameter today: Day of the study: what nobody began on an earlier one moves on.
  public func modules(_ all: [GivenAnswers], today: Int) -> DayModules {
    modules(all, today: today, present: today)
  }

  /// - Parameter present: Day by whose licences is asked what nobody has begun.
  package func modules(_ all: [GivenAnswers], today: Int, present: Int) -> DayModules {
    modules(StudyAnswers(all, content), all, today: today, present: present)
  }

  private func modules(
    _ answers: StudyAnswers, _ all: [GivenAnswers], today: Int, present: Int
  ) -> DayModules {
    DayModules(
      editions, answers: answers.lists, begunOn: begunModules(all), today: today, present: present)
  }

  /// Days of the study on which somebody has begun modules, by module. One that was left out as a whole is done on that day, unless it was answered on another.
  ///
  /// Answers to the same questionnaire in a task of its own begin no module. A task that this version does
  /// not have may have been the modules' own under another name.
  private func begunModules(_ all: [GivenAnswers]) -> [String: Set<Int>] {
    let all = all.filter { given in
      content.study.task(OccurrenceName(given.occurrence).task).map { $0.work == .modulesOfDay } ?? true
    }
    let answered = days(of: all.filter { !$0.sheet.answers.isEmpty })
    let leftOut = days(of: all.filter { $0.sheet.answers.isEmpty && $0.isCompleted })
    return answered.merging(leftOut) { answered, _ in answered }
  }

  /// Days of each module among these answers.
  private func days(of all: [GivenAnswers]) -> [String: Set<Int>] {
    var result: [String: Set<Int>] = [:]
    for answers in all {
      guard let date = answers.occurrence.split(separator: "/").dropLast().last,
        let day = CalendarDate(String(date)).map({ StudySchedule.day(of: $0, beginning: firstDate) })
      else { continue }
      let url = content.url(of: answers)
      for module in content.study.modules
      where content.outlines[module.questionnaire]?.questionnaire.url == url {
        result[module.id, default: []].insert(day)
      }
    }
    return result
  }

  /// Earliest day on which a module is placed that nobody has begun.
  ///
  /// A former day goes on while its modules are open and no later ones have opened. After a journey west the
  /// next day may have opened already: it stays so. A day whose modules have all closed is over.
  func fillingDay(at now: Instant) -> Int {
    let today = day(at: now)
    let tasks = content.study.tasks.filter { $0.work == .modulesOfDay }
    func modules(on day: Int) -> [Occurrence] { occurrences(of: tasks, on: day...day).map(\.occurrence) }
    if modules(on: today + 1).contains(where: { $0.opens <= now }) { return today + 1 }
    let present = modules(on: today)
    if present.contains(where: { $0.opens <= now }) {
      return present.contains { $0.closes > now } ? today : today + 1
    }
    let open = occurrences(of: tasks, on: (today - daysBack(of: tasks))...(today - 1))
      .map(\.occurrence).filter { $0.isOpen(at: now) }
    return open.map { StudySchedule.day(of: $0.date, beginning: firstDate) }.max() ?? today
  }

  /// Days before a date on which some tasks may have opened that are open still: a journey adds one to the
  /// longest opening.
  public func daysBack(of tasks: [StudyTask]) -> Int {
    let longest = tasks.map(\.schedule.rule.longestOpening).max() ?? 0
    return (longest + 86_399) / 86_400 + 1
  }

  // MARK: - What is due

  /// One occurrence of a task with its questionnaires.
  public struct Due: Sendable {
    public let task: StudyTask
    public let occurrence: Occurrence
    /// Day of the study.
    public let day: Int
    /// Questionnaires in their order; none for a measurement.
    public let parts: [Part]
    /// Nil for everything but a measurement; true when its result is kept.
    public let isMeasured: Bool?
    /// True when all that it asks is answered, or measured.
    public var isDone: Bool { isMeasured ?? (!parts.isEmpty && parts.allSatisfy(\.isDone)) }
  }

  /// A questionnaire that is due.
  public struct Part: Sendable {
    /// Nil for a task's own questionnaire.
    public let module: StudyModule?
    public let outline: Outline
    /// For the answers so far.
    public let progress: Display.Progress
    public let isDone: Bool
  }

  /// Everything of some days of the study, open or not, in the order of its opening.
  ///
  /// Behind the last day of a licence nothing of its instrument is due that nobody has begun at that occurrence: modules
  /// have their substitute, also in a window that opened before; what is over stays as it could be asked last.
  ///
  /// - Parameters:
  ///   - measured: ``Occurrence/id`` of measurements that have a result.
  ///   - now: Moment for which days are filled.
  public func due(
    _ all: [GivenAnswers], measured: Set<String> = [], on days: ClosedRange<Int>, at now: Instant
  ) -> [Due] {
    let answers = StudyAnswers(all, content)
    let present = day(at: now)
    let filled = fillingDay(at: now)
    let modules = modules(answers, all, today: filled, present: max(filled, present))
    return occurrences(on: days).compactMap { task, occurrence in
      let day = StudySchedule.day(of: occurrence.date, beginning: firstDate)
      guard 1...content.study.dayCount ~= day else { return nil }
      // Of a window that is over, the day of its last moment.
      let last = Instant(milliseconds: occurrence.closes.milliseconds - 1)
      let asked = max(day, self.day(at: min(now, last)))
      let parts = questionnaires(of: task, occurrence.id, on: day, asked: asked, modules, answers)
        .map { part(of: $0, $1, occurrence, answers) }
      guard task.measurement != nil || !parts.isEmpty else { return nil }
      return Due(
        task: task, occurrence: occurrence, day: day, parts: parts,
        isMeasured: task.measurement == nil ? nil : measured.contains(occurrence.id))
    }
  }

  /// - Parameter asked: Day by whose licences is asked what nobody has begun.
  private func questionnaires(
    of task: StudyTask, _ occurrence: String, on day: Int, asked: Int, _ modules: DayModules,
    _ answers: StudyAnswers
  ) -> [(module: StudyModule?, outline: Outline)] {
    switch task.work {
    case .measurement: return []
    case .questionnaire(let id):
      guard let outline = content.outlines[id] else { return [] }
      let isAsked = !editions[asked].ended.contains(id) || answers[occurrence, outline] != nil
      return isAsked ? [(nil, outline)] : []
    case .modulesOfDay:
      let due = modules.modules(on: day, asked: asked) { module in
        let given = content.outlines[module.questionnaire].flatMap { answers[occurrence, $0] }
        return given.map { !$0.sheet.answers.isEmpty || $0.isCompleted } ?? false
      }
      return due.compactMap { module in content.outlines[module.questionnaire].map { (module, $0) } }
    }
  }

  private func part(
    of module: StudyModule?, _ outline: Outline, _ occurrence: Occurrence, _ answers: StudyAnswers
  ) -> Part {
    let given = answers[occurrence.id, outline]
    // One that was begun goes on as it was asked.
    let outline = given?.outline ?? outline
    return Part(
      module: module, outline: outline, progress: Display(outline, given?.sheet ?? AnswerSheet()).progress,
      isDone: given?.isCompleted ?? false)
  }
}
