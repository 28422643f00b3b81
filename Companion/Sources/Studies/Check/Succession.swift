import Almanac
import Questionnaires

extension StudyBundle {
  /// ``StudyText/id`` of the text that people sign.
  public static let consentText = "consent"

  /// Members whose change asks people for their consent again, of those that differ from an earlier version: what people agreed to give,
  /// to whom, for what, and how much of their time.
  public func materialChanges(since old: StudyBundle) -> [String] {
    let (new, before) = (study, old.study)
    func work(_ study: Study) -> [String: [AnyHashable]] {
      Dictionary(study.tasks.map { ($0.id, [$0.work, $0.dataType]) }) { first, _ in first }
    }
    let members: [(String, Bool)] = [
      ("kind", new.kind != before.kind), ("purpose", new.purpose != before.purpose),
      ("institution", new.institution != before.institution),
      ("investigator", new.investigator != before.investigator),
      ("commitment", new.commitment != before.commitment),
      ("duration-days", new.dayCount > before.dayCount),
      ("data-types", new.dataTypes != before.dataTypes), ("tasks", work(new) != work(before)),
      ("texts", text(Self.consentText) != old.text(Self.consentText)),
    ]
    return members.filter(\.1).map(\.0)
  }

  /// Faults of a version that is to follow another one: the same number for another content, another URL of a
  /// questionnaire, times of a task under other numbers, and ids of questions given to other questions, whose old
  /// answers would be read as answers to the new.
  ///
  /// - Parameter former: Versions before `old`, the first first. The URL that a questionnaire had in one of them
  ///   is its own again, where `old` has given it another one. A question that `old` left out keeps the answers
  ///   of the last of them that asked it; an id whose question `old` has is compared with that alone, so that a
  ///   part that took it goes on, whatever the id was before.
  public func findings(succeeding old: StudyBundle, after former: [StudyBundle] = []) -> [StudyFinding] {
    var found: [StudyFinding] = []
    if study.id != old.study.id {
      found.append(
        StudyFinding(
          .reference, Study.file, "id", "it is another study than \(old.study.id)",
          remedy: "keep the id of the study"))
    }
    if study.version == old.study.version, content != old.content {
      found.append(
        StudyFinding(
          .repeated, Study.file, "version", "version \(study.version) is published with another content",
          remedy: "give it the next number"))
    }
    let before = former.reversed().reduce(old.items) { items, version in
      items.merging(version.items) { later, _ in later }
    }
    return found + urlFindings(since: old, former) + timeFindings(since: old)
      + study.questionnaires.flatMap { entry in
        (questionnaires[entry.id]?.allItems ?? []).compactMap { item -> StudyFinding? in
          guard let former = before[item.id], !item.kind.takesAnswers(of: former.kind) else { return nil }
          return StudyFinding(
            .repeated, entry.file, item.id,
            "an earlier version has a question of this id, of the kind \(former.kind.word), whose answers do not fit",
            remedy: "give it an id that no version has used")
        }
      }
  }

  /// Another URL of a questionnaire with the same id: answers are kept under the former one, and named by
  /// it in data sets.
  private func urlFindings(since old: StudyBundle, _ former: [StudyBundle]) -> [StudyFinding] {
    study.questionnaires.compactMap { entry -> StudyFinding? in
      guard let url = questionnaires[entry.id]?.url, let last = old.questionnaires[entry.id]?.url,
        url != last, !former.contains(where: { $0.questionnaires[entry.id]?.url == url })
      else { return nil }
      return StudyFinding(
        .reference, entry.file, "url",
        "it is \(url), where the version before has \(last), under which its answers are kept",
        remedy: "keep \(last), or give another questionnaire an id of its own")
    }
  }

  /// Times of a task's day whose numbers have changed: an occurrence is named by its number, so that what was done
  /// at one time would count at another.
  private func timeFindings(since old: StudyBundle) -> [StudyFinding] {
    study.tasks.enumerated().compactMap { index, task -> StudyFinding? in
      guard let former = old.study.task(task.id)?.schedule else { return nil }
      func finding(_ found: String, _ remedy: String) -> StudyFinding {
        StudyFinding(
          .repeated, Study.file, "tasks[\(index)].schedule",
          "\(found) in the version before, so that what was done at one time would count at another",
          remedy: remedy)
      }
      let (before, now) = (former.numbering, task.schedule.numbering)
      guard before == now else {
        return finding(
          "it is due \(now.words(beside: before)), and was due \(before.words(beside: now))",
          "give the task another id")
      }
      return Self.moved(from: former.rule.dayTimes, to: task.schedule.rule.dayTimes).map { moved in
        finding(
          "number \(moved.to) of a day was number \(moved.from)",
          "keep the numbers of the times that stay, or give the task another id")
      }
    }
  }

  /// The first time whose number another one has taken, from 1. A time that is moved keeps its number where no
  /// other one has its place.
  private static func moved(from old: [Range<Int>], to new: [Range<Int>]) -> (from: Int, to: Int)? {
    func isKept(_ index: Int) -> Bool {
      old.indices.contains(index) && new.indices.contains(index) && old[index].overlaps(new[index])
    }
    for (from, time) in old.enumerated() where !isKept(from) {
      for (to, other) in new.enumerated() where !isKept(to) && time.overlaps(other) {
        return (from + 1, to + 1)
      }
    }
    return nil
  }

  /// Bytes of a text in all its languages.
  private func text(_ id: String) -> [String: [UInt8]] {
    (study.texts.first { $0.id == id }?.files ?? [:]).compactMapValues { content[$0] }
  }
}

/// Way in which the times of a day come by their numbers; with another one none of them is the same as before.
private enum Numbering: Hashable {
  /// Times on the wall, each of which is compared by itself (``Plan/Rule/dayTimes``).
  case wall
  case drawn(count: Int)
  /// - firstDay: Day of the study on which the first of them comes; nil where each day has the same times, the
  ///   first one too: it has none before `from`.
  case elapsed(seconds: Int, from: LocalTime, firstDay: Int?)
  case event

  /// - Parameter other: The one beside which it is told: the first day is said where nothing besides differs.
  func words(beside other: Numbering) -> String {
    switch self {
    case .wall: return "at times on the wall"
    case .drawn(let count): return "\(count) times a day, drawn"
    case .elapsed(let seconds, let from, let firstDay):
      let words = "every \(seconds) s from \(from)"
      guard let firstDay, case .elapsed(seconds, from, _) = other else { return words }
      return words + " of day \(firstDay)"
    case .event: return "after an event"
    }
  }
}

extension StudySchedule {
  fileprivate var numbering: Numbering {
    switch rule {
    case .recurring(let recurrence):
      if case .drawn(let count, _, _, _) = recurrence.times { .drawn(count: count) } else { .wall }
    case .interval(let seconds, let from, _):
      .elapsed(
        seconds: seconds, from: from,
        firstDay: seconds > from.seconds && 86_400 % seconds == 0 ? nil : firstDay)
    case .after: .event
    }
  }
}

extension Plan.Rule {
  /// Times on the wall by their numbers within a day, s from 00:00; none where they are drawn or follow from
  /// elapsed time.
  fileprivate var dayTimes: [Range<Int>] {
    guard case .recurring(let recurrence) = self else { return [] }
    return switch recurrence.times {
    case .at(let times, let length):
      times.sorted().map { $0.seconds..<$0.seconds + max(1, length) }
    case .windows(let windows):
      windows.sorted { $0.opens < $1.opens }.map { $0.opens.seconds..<$0.opens.seconds + $0.length }
    case .drawn: []
    }
  }
}

extension ItemKind {
  /// True when an answer to a question of another kind could be one to this: ranges may grow and options be added.
  fileprivate func takesAnswers(of former: ItemKind) -> Bool {
    if let range, let old = former.range {
      let ends =
        (range.least ?? -.infinity) <= (old.least ?? -.infinity)
        && (range.greatest ?? .infinity) >= (old.greatest ?? .infinity)
      return ends && range.unit == old.unit
    }
    switch (self, former) {
    case (.single(let options, let other), .single(let old, let oldOther)),
      (.multiple(let options, let other), .multiple(let old, let oldOther)):
      let points = Dictionary(options.map { ($0.code, $0.points) }) { first, _ in first }
      return old.allSatisfy { points[$0.code] == .some($0.points) } && (other || !oldOther)
    default: return word == former.word
    }
  }
}
