import Almanac
import Base

extension StudyCheck {
  /// Windows of a task that overlap, have no time or never come, on ordinary days and over the next changes of
  /// clocks.
  func scheduleFindings(of task: StudyTask, _ index: Int, in study: Study) -> [StudyFinding] {
    let place = "tasks[\(index)].schedule"
    var found: [StudyFinding] = []
    let last = task.schedule.days.upperBound - 1
    if last > study.dayCount {
      found.append(
        StudyFinding(
          .days, Study.file, place, "it goes on to day \(last) of a study of \(study.dayCount) days",
          remedy: "shorten it, or lengthen \"duration-days\""))
    }
    if case .after(let event, _, _) = task.schedule.rule {
      found.append(
        StudyFinding(
          .unreachable, Study.file, place, "no program here raises \"\(event)\", so that it is never due",
          remedy: "state \"windows\", \"times\", \"drawn\" or \"interval\" in the place of \"after\""))
    }
    if isNeverDue(task.schedule) {
      found.append(
        StudyFinding(
          .unreachable, Study.file, place, "it is never due, on whatever day somebody begins",
          remedy: "name days and times within its days"))
    } else if let late = task.schedule.numberedBehindLast {
      found.append(
        .publishing(
          .days, Study.file, "\(place).numbered",
          "day \(late) lies behind its last day, \(last), and is never due",
          remedy: "correct the number, or give the schedule more \"days\""))
    }
    for zone in zones {
      for change in zone.clockChanges(after: use.date) {
        found += findings(of: task.schedule, on: change, in: zone, place)
      }
    }
    // One fault of a rule comes on many days: the first of each kind says it.
    var kinds: Set<StudyFinding.Kind> = []
    return found.filter { kinds.insert($0.kind).inserted }
  }

  /// True when no occurrence comes, in a week of beginnings; what follows an event has a finding of its own.
  private func isNeverDue(_ schedule: StudySchedule) -> Bool {
    guard case .recurring(let recurrence) = schedule.rule, let zone = zones.first else { return false }
    // Times of one day, on the first that the days include.
    let days = schedule.dayCount
    let isIncluded =
      switch recurrence.days {
      case .every: true
      // A week has each of them, fewer days begin on any.
      case .weekdays(let weekdays): !weekdays.isEmpty
      case .numbered(let numbers): numbers.contains { 0..<days ~= $0 }
      }
    let daily = Plan(
      id: "check", rule: .recurring(Recurrence(times: recurrence.times)), firstDate: use.date, dayCount: 1)
    return !isIncluded || daily.occurrences(on: use.date...use.date, in: ZoneHistory(zone)).isEmpty
  }

  /// Days of the change and beside it, as any day of the study; of weekdays, which are the calendar's on whatever
  /// day somebody begins, the week behind it too.
  private func findings(
    of schedule: StudySchedule, on change: CalendarDate, in zone: Zone, _ place: String
  ) -> [StudyFinding] {
    // Of what opened earlier something may be open still.
    let daysBack = max(1, (schedule.rule.longestOpening + 86_399) / 86_400)
    let isWeekly = schedule.rule.isWeekly
    guard let before = change.adding(days: -1), let after = change.adding(days: isWeekly ? 7 : 1),
      let earliest = change.adding(days: -daysBack - (isWeekly ? 7 : 0))
    else { return [] }
    let days = before...after
    return changeDays(of: schedule, daysBack).flatMap { day -> [StudyFinding] in
      guard let first = change.adding(days: -day) else { return [] }
      // Two weekdays that lie within the schedule's days do so for some beginning: none of these has to be tried.
      let plan = Plan(
        id: "check", rule: schedule.rule, firstDate: first, dayCount: isWeekly ? nil : schedule.dayCount)
      let occurrences = plan.occurrences(on: earliest...after, in: ZoneHistory(zone))
      let gone = occurrences.filter { $0.remark == .vanished && days.contains($0.date) }
      let vanished = gone.map { occurrence in
        StudyFinding(
          .vanished, Study.file, place,
          "number \(occurrence.number) of \(occurrence.date) in \(zone.name) has no time, because of the clocks or its own length",
          remedy: "choose times outside 01:00 to 03:00, or a longer window")
      }
      let pairs = zip(occurrences, occurrences.dropFirst())
      let overlapping = pairs.filter { former, next in
        days.contains(next.date) && next.date.dayNumber - former.date.dayNumber < schedule.dayCount
          && former.closes - next.opens > schedule.rule.leeway(from: former.opens, to: next.opens, in: zone)
      }.map { _, next in
        StudyFinding(
          .overlap, Study.file, place,
          "number \(next.number) of \(next.date) in \(zone.name) opens before the one before it closes",
          remedy: "shorten it, or begin it later")
      }
      return vanished + overlapping
    }
  }

  /// Days of a schedule, from 0, on which a change of clocks is tried.
  ///
  /// - Parameter daysBack: Days before the change on which something may have opened that is open still.
  private func changeDays(of schedule: StudySchedule, _ daysBack: Int) -> [Int] {
    guard schedule.dayCount > 0 else { return [] }
    // One beginning, before everything that may be open still.
    if schedule.rule.isWeekly { return [7 + daysBack] }
    guard case .recurring(let recurrence) = schedule.rule, case .numbered(let numbers) = recurrence.days
    else {
      // A week of beginnings brings the change to each day of the week and to even and odd days.
      return Array(0..<max(0, min(schedule.dayCount, 8)))
    }
    func isIncluded(_ day: Int) -> Bool { day >= 0 && day < schedule.dayCount }
    let numbered = Set(numbers.filter(isIncluded))
    let near = Set(numbered.flatMap { [$0 - 1, $0, $0 + 1] }).filter(isIncluded).sorted()
    // Beside the same numbered days a change does the same: it is tried once, however many days there are.
    var tried: Set<[Bool]> = []
    return near.filter { day in
      tried.insert((day - daysBack...day + 1).map { numbered.contains($0) }).inserted
    }
  }
}

extension StudySchedule {
  /// The first numbered day of the study behind the last of ``days``; nil: there is none.
  fileprivate var numberedBehindLast: Int? {
    guard case .recurring(let recurrence) = rule, case .numbered(let numbers) = recurrence.days else {
      return nil
    }
    return numbers.sorted().map { $0 + firstDay }.first { $0 >= days.upperBound }
  }
}

extension Plan.Rule {
  /// True for weekdays, which beginnings do not move.
  var isWeekly: Bool {
    if case .recurring(let recurrence) = self, case .weekdays = recurrence.days { true } else { false }
  }

  /// Time by which an opening may overlap the next one, s: where it is of whole days in seconds, it ends by so much
  /// later on the wall where clocks are set forward, and is meant to end as the next one opens.
  fileprivate func leeway(from former: Instant, to next: Instant, in zone: Zone) -> Int {
    guard case .recurring(let recurrence) = self, case .at(_, let length) = recurrence.times,
      length % 86_400 == 0
    else { return 0 }
    return max(0, zone.offset(at: next).seconds - zone.offset(at: former).seconds)
  }
}

extension Zone {
  /// Days with a change of clocks within the 400 days from a date on.
  func clockChanges(after date: CalendarDate) -> [CalendarDate] {
    func shift(_ day: Int) -> Int? {
      CalendarDate(dayNumber: day).map { offset(at: instant(of: LocalMoment($0, .noon))).seconds }
    }
    var changes: [CalendarDate] = []
    // No zone changes its clocks twice within four weeks and back; then only the last would count.
    for first in stride(from: date.dayNumber, to: date.dayNumber + 400, by: 28) {
      var (low, high) = (first, first + 28)
      guard let before = shift(low), let after = shift(high), before != after else { continue }
      while high - low > 1 {
        let middle = (low + high) / 2
        if shift(middle) == before { low = middle } else { high = middle }
      }
      if let change = CalendarDate(dayNumber: high) { changes.append(change) }
    }
    return changes
  }
}
