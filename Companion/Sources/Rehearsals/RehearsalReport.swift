import Base
import Exchange
import Studies

/// Figures of a rehearsal.
public struct RehearsalReport: Sendable {
  /// Of one kind of people.
  public struct Line: Sendable, Hashable {
    public let kind: PersonKind
    public let asked: Int
    /// Of these, those who might take part.
    public let begun: Int
    public let completed: Int
    public let withdrawn: Int
    /// Median share of what was due that was done; nil where nobody began.
    public let compliance: Double?
    /// Median of the mean minutes of a day that somebody took part in, and the longest day of anybody.
    public let minutes: Double?
    public let longestDay: Double?
    /// Median of the mean prompts of such a day.
    public let prompts: Double?
    /// Median number of gateways that opened.
    public let gateways: Double?
    public let alerts: Int
  }

  public let study: Study
  public let lines: [Line]
  /// Modules that somebody was called for and had no day, with the number of people.
  public let overflow: [String: Int]
  /// People for each gateway that opened.
  public let gateways: [String: Int]
  /// Tasks that measure, with what became of them.
  public let measurements: [Measurements]
  /// Measurements of a kind that a rehearsal does not do.
  public let notRehearsed: [String]

  /// All measurements of a task.
  public struct Measurements: Sendable, Hashable {
    public let task: String
    /// Windows that closed while somebody took part, or have a result.
    public let due: Int
    /// With a result.
    public let measured: Int
    /// That ended without one.
    public let absent: Int
    /// Median minutes of those with a result, and the longest; nil where there are none.
    public let minutes: Double?
    public let longest: Double?
    /// Minutes that the study states.
    public let stated: Double

    /// Share of what was due that has a result; nil where nothing was.
    public var compliance: Double? { due == 0 ? nil : Double(measured) / Double(due) }
  }

  init(_ study: Study, _ people: [PersonCourse.Outcome]) {
    self.study = study
    lines = PersonKind.allCases.compactMap { kind in
      let some = people.filter { $0.kind == kind }
      return some.isEmpty ? nil : Line(kind, some)
    }
    overflow = people.flatMap(\.overflow).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    gateways = people.flatMap(\.gateways).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    let measuring = study.tasks.filter { task in
      (task.measurement?.kind).map(SimulatedMeasurement.kinds.contains) ?? false
    }
    measurements = measuring.map { Measurements($0, people) }
    notRehearsed = study.tasks.filter { task in
      (task.measurement?.kind).map { !SimulatedMeasurement.kinds.contains($0) } ?? false
    }.map(\.id)
  }
}

extension RehearsalReport.Measurements {
  fileprivate init(_ task: StudyTask, _ people: [PersonCourse.Outcome]) {
    let minutes = people.flatMap(\.measured).filter { $0.task == task.id }.map(\.minutes)
    let due = people.compactMap(\.participant).map { person -> Int in
      let measured = person.measurements.measured
      let all = person.course.occurrences(on: 1...person.course.content.study.dayCount)
      return all.count { other, occurrence in
        let isOver = occurrence.remark != .vanished && person.ended.map { occurrence.closes <= $0 } ?? true
        return other.id == task.id && (isOver || measured.contains(occurrence.id))
      }
    }
    self.init(
      task: task.id, due: due.reduce(0, +), measured: minutes.count,
      absent: people.flatMap(\.unmeasured).count { $0 == task.id },
      minutes: RehearsalReport.Line.median(minutes), longest: minutes.max(), stated: task.minutes)
  }
}

extension RehearsalReport.Line {
  fileprivate init(_ kind: PersonKind, _ people: [PersonCourse.Outcome]) {
    let participants = people.compactMap(\.participant)
    let begun = people.filter { $0.participant != nil }
    self.init(
      kind: kind, asked: people.count, begun: begun.count,
      completed: participants.count { $0.ending == "completed" },
      withdrawn: participants.count { $0.ending == "withdrawn" },
      compliance: Self.median(
        participants.compactMap { person in person.ended.flatMap { Compliance(person, at: $0).share } }),
      minutes: Self.median(begun.map { Self.total($0.minutes) / Double(max(1, $0.days)) }),
      longestDay: begun.flatMap { $0.minutes.values }.max(),
      prompts: Self.median(
        begun.map { Double($0.prompts.values.reduce(0, +)) / Double(max(1, $0.days)) }),
      gateways: Self.median(begun.map { Double($0.gateways.count) }),
      alerts: people.reduce(0) { $0 + $1.alerts })
  }

  /// Added up in the order of the days: another order may end in another last digit.
  private static func total(_ minutes: [Int: Double]) -> Double {
    minutes.sorted { $0.key < $1.key }.reduce(0) { $0 + $1.value }
  }

  fileprivate static func median(_ values: [Double]) -> Double? {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return nil }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

extension RehearsalReport {
  /// A table for people.
  public var text: String {
    var table = TextTable([.leading] + Array(repeating: .trailing, count: 9))
    table.append([
      "People", "Asked", "Begun", "Ended", "Left", "Done", "Min/day", "Longest", "Prompts/day", "Gateways",
    ])
    for line in lines {
      table.append([
        line.kind.rawValue, "\(line.asked)", "\(line.begun)", "\(line.completed)", "\(line.withdrawn)",
        line.compliance.map { NumberText.fixed($0 * 100, 0) + " %" } ?? "–", NumberText.fixed(line.minutes),
        NumberText.fixed(line.longestDay), NumberText.fixed(line.prompts), NumberText.fixed(line.gateways),
      ])
    }
    var text = table.text
    if !gateways.isEmpty {
      text +=
        "\nGateways that opened, by people:\n"
        + gateways.sorted { $0.key < $1.key }.map { "  \($0.key)  \($0.value)\n" }.joined()
    }
    if !overflow.isEmpty {
      text +=
        "\nModules without a day, by people:\n"
        + overflow.sorted { $0.key < $1.key }.map { "  \($0.key)  \($0.value)\n" }.joined()
    }
    let alerts = lines.reduce(0) { $0 + $1.alerts }
    if alerts > 0 { text += "\nAnswers about self-harm that alert the contact: \(alerts)\n" }
    if !measurements.isEmpty { text += "\n" + measurementText }
    if !notRehearsed.isEmpty {
      text +=
        "\nNot rehearsed, of a kind that nobody here measures: \(notRehearsed.joined(separator: ", "))\n"
    }
    return text
  }

  private var measurementText: String {
    var table = TextTable([.leading] + Array(repeating: .trailing, count: 7))
    table.append(["Measurements", "Due", "Measured", "Done", "Without", "Minutes", "Longest", "Stated"])
    for line in measurements {
      table.append([
        line.task, "\(line.due)", "\(line.measured)",
        line.compliance.map { NumberText.fixed($0 * 100, 0) + " %" } ?? "–", "\(line.absent)",
        NumberText.fixed(line.minutes),
        NumberText.fixed(line.longest), NumberText.fixed(line.stated),
      ])
    }
    return table.text
  }

  /// The same for programs.
  public var json: JSONValue {
    func numbers(_ counts: [String: Int]) -> JSONValue {
      .object(
        counts.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: .number(Double($0.value))) })
    }
    let rows = lines.map { line -> JSONValue in
      [
        "kind": .text(line.kind.rawValue), "asked": .number(Double(line.asked)),
        "begun": .number(Double(line.begun)),
        "completed": .number(Double(line.completed)), "withdrawn": .number(Double(line.withdrawn)),
        "compliance": line.compliance.map { .number($0) },
        "minutes_per_day": line.minutes.map { .number($0) },
        "longest_day_minutes": line.longestDay.map { .number($0) },
        "prompts_per_day": line.prompts.map { .number($0) },
        "gateways": line.gateways.map { .number($0) }, "alerts": .number(Double(line.alerts)),
      ]
    }
    let measured = measurements.map { line -> JSONValue in
      [
        "task": .text(line.task), "due": .number(Double(line.due)),
        "compliance": line.compliance.map { .number($0) }, "measured": .number(Double(line.measured)),
        "absent": .number(Double(line.absent)), "minutes": line.minutes.map { .number($0) },
        "longest_minutes": line.longest.map { .number($0) }, "stated_minutes": .number(line.stated),
      ]
    }
    return [
      "schema": 100, "study": .text(study.id), "version": .text(study.version), "people": .array(rows),
      "gateways": numbers(gateways), "overflow": numbers(overflow),
      "measurements": .array(measured),
      "not_rehearsed": .array(notRehearsed.map { .text($0) }),
    ]
  }
}
