import Almanac
import Questionnaires

/// Modules that answers called for and that nobody began on the days that they fill.
public struct MissedModules: Sendable {
  /// Task that asks modules.
  public let task: StudyTask
  /// Its last occurrence on these days.
  public let occurrence: Occurrence
  /// ``StudyModule/id``, in alphabetical order.
  public let modules: [String]
}

extension Course {
  /// Modules without a day since the last of the days that modules fill is over.
  ///
  /// Left out are those that had no day in time: called for when that last day was over, or too long for all of
  /// these days.
  ///
  /// - Returns: Nil before the end of that day, and for a study whose days nothing fills.
  public func missedModules(_ all: [GivenAnswers], at now: Instant) -> MissedModules? {
    guard let days = content.study.filling?.days, let (task, last) = lastModules(on: days),
      last.closes <= now
    else { return nil }
    // Both by the licences of the last of these days, however long ago it was.
    let present = days.upperBound
    let waiting = modules(all, today: fillingDay(at: now), present: present).plan.overflow
    let before = all.map { $0.answered(before: last.closes) }
    let inTime = modules(before, today: days.lowerBound, present: present).plan
    let placed = Set(inTime.days.values.joined())
    return MissedModules(task: task, occurrence: last, modules: waiting.filter(placed.contains).sorted())
  }

  /// The occurrence of modules that closes last on some days, within the study's own.
  private func lastModules(
    on days: ClosedRange<Int>
  ) -> (task: StudyTask, occurrence: Occurrence)? {
    let tasks = content.study.tasks.filter { $0.work == .modulesOfDay }
    return occurrences(of: tasks, on: days.clamped(to: 1...content.study.dayCount))
      .filter { $0.occurrence.remark != .vanished }
      .max { $0.occurrence.closes < $1.occurrence.closes }
  }
}

extension GivenAnswers {
  /// The same without answers of a moment and later.
  fileprivate func answered(before moment: Instant) -> GivenAnswers {
    let former = sheet.answers.filter { $0.value.answered < moment }
    return GivenAnswers(
      occurrence: occurrence, questionnaire: questionnaire,
      sheet: AnswerSheet(answers: former, repetitions: sheet.repetitions), isCompleted: isCompleted,
      outline: outline, file: file)
  }
}
