import Almanac
import Questionnaires

extension StudyCheck {
  /// Share by which the sum of a day's minutes may differ from what people are told. Own choice.
  private static let tolerance = 0.2

  /// Days and modules that do not fit together.
  func dayFindings(in bundle: StudyBundle) -> [StudyFinding] {
    let study = bundle.study
    return study.days.enumerated().flatMap { findings(of: $1, $0, in: bundle) }
      + fillingFindings(in: bundle)
      + unaskedFindings(in: study) + repeatedFindings(in: study)
      + sharedFindings(in: study) + unusedFindings(in: study)
  }

  /// Days whose modules no task asks, as its schedule leaves them out; of a study without such a task another
  /// finding says so.
  private func unaskedFindings(in study: Study) -> [StudyFinding] {
    guard !study.moduleTasks.isEmpty else { return [] }
    func isUnasked(_ day: Int) -> Bool {
      day <= study.dayCount && study.moduleTimes(on: day).lowerBound == 0
    }
    func words(_ day: Int) -> String {
      "no task asks modules on day \(day)"
        + (study.moduleTimes(on: day).upperBound == 0 ? "" : " of whoever begins on some weekdays")
    }
    let fixed = study.days.enumerated().filter { !$1.modules.isEmpty && isUnasked($1.number) }
      .map { index, day in
        StudyFinding(
          .days, Study.file, "days[\(index)]", words(day.number),
          remedy: "give the schedule of the task with \"modules-of-day\" this day, or move the modules")
      }
    let filled = study.filledDays.filter(isUnasked)
    guard let first = filled.first else { return fixed }
    return fixed + [
      StudyFinding(
        .days, Study.file, "filling",
        words(first) + (filled.count > 1 ? ", nor on \(filled.count - 1) more of these days" : ""),
        remedy: "give the schedule of the task with \"modules-of-day\" each of these days, or fill others")
    ]
  }

  /// Days whose modules are asked more than once: each time they want answers of their own.
  private func repeatedFindings(in study: Study) -> [StudyFinding] {
    let days = study.days.filter { !$0.modules.isEmpty }.map(\.number) + study.filledDays
    let repeated = days.first { $0 <= study.dayCount && study.moduleTimes(on: $0).upperBound > 1 }
    guard let repeated, let task = study.tasks.firstIndex(where: { $0.work == .modulesOfDay }) else {
      return []
    }
    return [
      StudyFinding.warning(
        .days, Study.file, "tasks[\(task)].schedule",
        "the modules of day \(repeated) are asked \(study.moduleTimes(on: repeated).upperBound) times, each "
          + "time anew, and their minutes are counted once",
        remedy: "give the task one time a day")
    ]
  }

  private func findings(of day: StudyDay, _ index: Int, in bundle: StudyBundle) -> [StudyFinding] {
    let place = "days[\(index)]"
    guard day.number <= bundle.study.dayCount else {
      return [
        StudyFinding(
          .days, Study.file, place, "it is day \(day.number) of a study of \(bundle.study.dayCount) days",
          remedy: "remove it, or lengthen \"duration-days\"")
      ]
    }
    let modules = StudyEdition(bundle, use).modules(day.modules)
    let minutes = modules.reduce(bundle.study.dailyMinutes(in: day.number...day.number)) { $0 + $1.minutes }
    guard abs(minutes - day.minutes) > day.minutes * Self.tolerance + 1e-9 else { return [] }
    return [
      StudyFinding.warning(
        .days, Study.file, "\(place).minutes",
        "people are told \(day.minutes) minutes, and its tasks and modules take \(Self.shown(minutes))",
        remedy: "state their sum, or move a module")
    ]
  }

  /// Sums of tenths of minutes are not exact in binary: a message has hundredths.
  private static func shown(_ minutes: Double) -> Double { (minutes * 100).rounded() / 100 }

  private func fillingFindings(in bundle: StudyBundle) -> [StudyFinding] {
    let study = bundle.study
    guard let filling = study.filling else { return [] }
    var found: [StudyFinding] = []
    if filling.days.upperBound > study.dayCount {
      found.append(
        StudyFinding(
          .days, Study.file, "filling.to",
          "it is day \(filling.days.upperBound) of a study of \(study.dayCount) days",
          remedy: "end earlier, or lengthen \"duration-days\""))
    }
    let called = StudyEdition(bundle, use).modules(study.gateways.flatMap(\.modules))
    let room = filling.mostMinutes - study.dailyMinutes(in: filling.days)
    for module in called where module.minutes > room + 1e-6 {
      found.append(
        StudyFinding(
          .days, Study.file, "modules",
          "\"\(module.id)\" takes \(module.minutes) minutes, and a day has \(Self.shown(room)) left",
          remedy: "divide it, or raise \"most-minutes\""))
    }
    let plan = DayPlan(
      called.map(\.module), on: filling.days, most: filling.mostMinutes,
      daily: study.dailyMinutes(in: filling.days))
    let overflow = plan.overflow.filter { id in called.contains { $0.id == id && $0.minutes <= room + 1e-6 }
    }
    if !overflow.isEmpty {
      found.append(
        StudyFinding.warning(
          .days, Study.file, "filling",
          "when all gateways are open, \(overflow.joined(separator: ", ")) find no day",
          remedy: "add days or minutes"))
    }
    return found
  }

  /// Modules that share a questionnaire, of which a gateway calls for one: answers are kept by questionnaire, so
  /// that whoever was asked the one counts as done with the other, and as called for by the gateway.
  private func sharedFindings(in study: Study) -> [StudyFinding] {
    let called = study.askable(for: study.gateways.flatMap(\.modules))
    let asked = called.union(study.askable(for: study.days.flatMap(\.modules)))
    return study.modules.enumerated().compactMap { index, module -> StudyFinding? in
      let other = study.modules[..<index].first { former in
        let pair: Set = [former.id, module.id]
        return pair.count == 2 && former.questionnaire == module.questionnaire
          && pair.isSubset(of: asked) && !pair.isDisjoint(with: called)
      }
      return other.map { other in
        StudyFinding(
          .unreachable, Study.file, "modules[\(index)]",
          "\"\(module.id)\" asks \"\(module.questionnaire)\" as \"\(other.id)\" does, and a gateway calls for one of "
            + "them: whoever was asked the one counts as done with the other, which is never asked",
          remedy: "give it a questionnaire of its own, with a url and ids of its own")
      }
    }
  }

  /// Modules that nobody is ever asked.
  private func unusedFindings(in study: Study) -> [StudyFinding] {
    let used = Set(
      study.days.flatMap(\.modules) + study.gateways.flatMap(\.modules)
        + study.modules.compactMap(\.substitute))
    return study.modules.enumerated().filter { !used.contains($1.id) }.map { index, module in
      StudyFinding.warning(
        .unreachable, Study.file, "modules[\(index)]", "no day and no gateway asks \"\(module.id)\"",
        remedy: "name it in a day or a gateway, or remove it")
    }
  }
}

extension Study {
  /// ``StudyModule/id`` of all that may be asked for modules of these ids: themselves and their substitutes. A
  /// substitute with the questionnaire of one before it is never asked for them: whatever leaves out that one
  /// leaves it out too.
  func askable(for ids: [String]) -> Set<String> {
    Set(
      ids.compactMap(module).flatMap { module -> [String] in
        var questionnaires: Set<String> = []
        return ([module] + substitutes(of: module))
          .filter { questionnaires.insert($0.questionnaire).inserted }.map(\.id)
      })
  }

  /// Tasks that ask the modules of a day.
  fileprivate var moduleTasks: [StudyTask] { tasks.filter { $0.work == .modulesOfDay } }

  /// Days that modules of gateways fill; none where no gateway calls for one.
  fileprivate var filledDays: [Int] {
    guard let filling, !gateways.isEmpty else { return [] }
    return Array(filling.days)
  }

  /// Times that the modules of a day of the study are asked, on the weekday with the fewest and on that with
  /// the most: it may be any.
  fileprivate func moduleTimes(on day: Int) -> ClosedRange<Int> {
    let schedules = moduleTasks.map(\.schedule)
    let weekdays = schedules.contains { $0.rule.isWeekly } ? Weekday.allCases : [.monday]
    let counts = weekdays.map { weekday in schedules.reduce(0) { $0 + $1.times(on: day, weekday) } }
    return (counts.min() ?? 0)...(counts.max() ?? 0)
  }
}

extension StudySchedule {
  /// Times that it is due on a day of the study, where no clocks change; after an event, once.
  fileprivate func times(on day: Int, _ weekday: Weekday) -> Int {
    guard days.contains(day) else { return 0 }
    switch rule {
    case .recurring(let recurrence):
      return recurrence.days.include(day - firstDay, on: weekday) ? rule.mostPerDay : 0
    case .interval(let seconds, let from, _):
      let step = max(1, seconds)
      // Openings of less than so many seconds from the first one on.
      func openings(before end: Int) -> Int { end <= 0 ? 0 : (end + step - 1) / step }
      let begin = (day - firstDay) * 86_400 - from.seconds
      return openings(before: begin + 86_400) - openings(before: begin)
    case .after: return 1
    }
  }
}
