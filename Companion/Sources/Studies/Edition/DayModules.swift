import Almanac
import Questionnaires

/// Modules of somebody's days: fixed ones, and those that open gateways call for. A pure function of all answers and of the modules that
/// somebody has begun, so that it may be made anew after every answer.
///
/// - Threads: any.
public struct DayModules: Sendable {
  private let editions: DayEditions
  private let begun: [String: Int]
  /// Days of the study on which somebody has begun each of them.
  private let begunDays: [String: Set<Int>]
  private let study: Study
  /// Day by whose edition is asked what nobody has begun.
  private let present: Int
  /// Gateways that are open.
  public let states: GatewayStates
  /// Modules of days that are filled, and those that found no day.
  public let plan: DayPlan

  /// - Parameters:
  ///   - answers: Present answers by question, as of ``GatewayStates/init(_:answers:begun:)``.
  ///   - begun: Modules with an answer, and the day of the study on which they were begun.
  ///   - today: Day of the study, from 1: earlier days are filled no longer.
  public init(
    _ edition: StudyEdition, answers: [String: [AnswerValue]], begun: [String: Int] = [:], today: Int = 1
  ) {
    self.init(
      DayEditions(edition), answers: answers, begunOn: begun.mapValues { [$0] }, today: today,
      present: today)
  }

  /// - Parameters:
  ///   - begunDays: Modules with an answer, and the days of the study on which they were begun. Those that gateways
  ///     call for have the first of these; of a day's own modules each day is asked for itself.
  ///   - present: Day of the study on which it is asked for: today, or a later one where what opened
  ///     on that is open still. What nobody has begun is asked by the licences of that day.
  init(
    _ editions: DayEditions, answers: [String: [AnswerValue]], begunOn begunDays: [String: Set<Int>],
    today: Int, present: Int
  ) {
    let begun = begunDays.compactMapValues { $0.min() }
    let edition = editions[present]
    let study = edition.bundle.study
    // A gateway names the module of the study; begun is that, or what took its place.
    func isBegun(_ id: String) -> Bool { begun[id] != nil }
    let kept = Set(
      study.gateways.flatMap(\.modules).filter { id in
        isBegun(id) || edition.module(id).map { isBegun($0.id) } ?? false
      })
    states = GatewayStates(study.gateways, answers: study.completed(answers), begun: kept)
    let fixed = Set(
      study.days.flatMap { day -> [StudyModule] in
        let asked = day.number < today ? day.number : max(day.number, present)
        return editions[asked].fixedModules(day.modules) {
          begunDays[$0.id]?.contains(day.number) ?? false
        }
      }.map(\.id))
    let called = edition.modules(states.modules, begun: isBegun)
      .filter { !fixed.contains($0.id) }.map(\.module)
    if let filling = study.filling {
      plan = DayPlan(
        called, on: filling.days, most: filling.mostMinutes, daily: edition.dailyMinutes,
        begun: begun, today: max(today, filling.days.lowerBound))
    } else {
      plan = DayPlan(called, on: 1...1, most: 0)
    }
    (self.editions, self.study, self.present) = (editions, study, present)
    (self.begun, self.begunDays) = (begun, begunDays)
  }

  /// Modules of a day of the study, from 1, in their order.
  public func modules(on day: Int) -> [StudyModule] {
    modules(on: day, asked: max(day, present)) { begunDays[$0.id]?.contains(day) ?? false }
  }

  /// - Parameters:
  ///   - asked: Day by whose edition they are asked: an earlier one for what is over.
  ///   - isBegun: True for one of the day's own modules that somebody has begun at the occurrence.
  func modules(on day: Int, asked: Int, begun isBegun: (StudyModule) -> Bool) -> [StudyModule] {
    let edition = editions[asked]
    let fixed = edition.fixedModules(
      study.days.filter { $0.number == day }.flatMap(\.modules), begun: isBegun)
    let called = edition.modules(plan.days[day] ?? []) { begun[$0] != nil }
    var seen: Set<String> = []
    return (fixed + called).filter { seen.insert($0.id).inserted }
  }

  /// Minutes of a day, what is asked every day included.
  public func minutes(on day: Int) -> Double {
    modules(on: day).reduce(study.dailyMinutes(in: day...day)) { $0 + $1.minutes }
  }
}

extension Study {
  /// Minutes of all that is due besides modules, on the fullest of these days.
  ///
  /// Each of them may be any weekday: it depends on the day on which somebody begins.
  public func dailyMinutes(in days: ClosedRange<Int>) -> Double {
    let daily = tasks.filter { $0.work != .modulesOfDay }
    let weekdays = daily.contains { $0.schedule.rule.isWeekly } ? Weekday.allCases : [.monday]
    var most = 0.0
    for day in days {
      for weekday in weekdays {
        let due = daily.filter { $0.schedule.isDue(on: day, weekday) }
        most = max(most, due.reduce(0) { $0 + $1.minutes * Double($1.schedule.rule.mostPerDay) })
      }
    }
    return most
  }
}

extension StudySchedule {
  /// First day of the study on which something may be due, of whoever begins on the weekday that brings it soonest; nil: there is none.
  var firstDueDay: Int? { days.first { day in Weekday.allCases.contains { isDue(on: day, $0) } } }

  /// True for a day of the study on which something may be due; after an event, for each of its days.
  fileprivate func isDue(on day: Int, _ weekday: Weekday) -> Bool {
    guard days.contains(day) else { return false }
    guard case .recurring(let recurrence) = rule else { return true }
    return recurrence.days.include(day - firstDay, on: weekday)
  }
}

extension Plan.Rule {
  /// Times that it is due on a day at most; after an event, once for the event that people have every day.
  var mostPerDay: Int {
    switch self {
    case .recurring(let recurrence):
      switch recurrence.times {
      case .at(let times, _): times.count
      case .windows(let windows): windows.count
      case .drawn(let count, _, _, _): count
      }
    case .interval(let seconds, _, _): (86_400 + seconds - 1) / max(1, seconds)
    case .after: 1
    }
  }
}
