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
    /// Median of the mean minutes of a day, and the longest day of anybody.
    public let minutes: Double?
    public let longestDay: Double?
    /// Median of the mean prompts of a day.
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
  /// Tasks that a rehearsal does not do: measurements.
  public let notRehearsed: [String]

  init(_ study: Study, _ people: [PersonCourse.Outcome]) {
    self.study = study
    lines = PersonKind.allCases.compactMap { kind in
      let some = people.filter { $0.kind == kind }
      return some.isEmpty ? nil : Line(kind, some, dayCount: study.dayCount)
    }
    overflow = people.flatMap(\.overflow).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    gateways = people.flatMap(\.gateways).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    notRehearsed = study.tasks.filter { if case .measurement = $0.work { true } else { false } }.map(\.id)
  }
}

extension RehearsalReport.Line {
  fileprivate init(_ kind: PersonKind, _ people: [PersonCourse.Outcome], dayCount: Int) {
    let participants = people.compactMap(\.participant)
    let begun = people.filter { $0.participant != nil }
    func mean(_ total: Double) -> Double { total / Double(max(1, dayCount)) }
    self.init(
      kind: kind, asked: people.count, begun: begun.count,
      completed: participants.count { $0.ending == "completed" },
      withdrawn: participants.count { $0.ending == "withdrawn" },
      compliance: Self.median(
        participants.compactMap { person in
          person.ended.flatMap { Compliance(person.course, person.responses.map(\.given), at: $0).share }
        }),
      minutes: Self.median(begun.map { mean($0.minutes.values.reduce(0, +)) }),
      longestDay: begun.flatMap { $0.minutes.values }.max(),
      prompts: Self.median(begun.map { mean(Double($0.prompts.values.reduce(0, +))) }),
      gateways: Self.median(begun.map { Double($0.gateways.count) }),
      alerts: people.reduce(0) { $0 + $1.alerts })
  }

  private static func median(_ values: [Double]) -> Double? {
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
    if !notRehearsed.isEmpty {
      text += "\nNot rehearsed, as they measure: \(notRehearsed.joined(separator: ", "))\n"
    }
    return text
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
    return [
      "schema": 100, "study": .text(study.id), "version": .text(study.version), "people": .array(rows),
      "gateways": numbers(gateways), "overflow": numbers(overflow),
      "not_rehearsed": .array(notRehearsed.map { .text($0) }),
    ]
  }
}
