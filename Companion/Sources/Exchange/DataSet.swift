import Almanac
import Base
import Instruments
import Questionnaires
import Studies

/// Everything that people gave in a study, as a researcher takes it: tables, their dictionary, and the answers as FHIR has them.
public struct DataSet: Sendable {
  /// One person with all that they have given.
  public struct Participant: Sendable {
    /// Code in the data set, never a name.
    public let code: String
    public let course: Course
    public let ended: Instant?
    public let ending: String?
    public let responses: [GivenResponse]
    /// None where the study asks for no consent.
    public let consents: [GivenConsent]
    public let measurements: [GivenMeasurement]
    /// Kind of data of each measurement in the version under which it was begun; that of the present version stands for one that is not here.
    public let measuredKinds: [String: String]

    public init(
      code: String, course: Course, ended: Instant?, ending: String?, responses: [GivenResponse],
      consents: [GivenConsent] = [], measurements: [GivenMeasurement] = [],
      measuredKinds: [String: String] = [:]
    ) {
      self.measuredKinds = measuredKinds
      (self.code, self.course, self.ended, self.ending) = (code, course, ended, ending)
      (self.responses, self.consents, self.measurements) = (responses, consents, measurements)
    }
  }

  /// Answers to one questionnaire with their times.
  public struct GivenResponse: Sendable {
    public let id: String
    public let given: GivenAnswers
    public let zone: String
    public let begun: Instant
    public let completed: Instant?
    /// Version of the study under which it was begun; nil: the data set's.
    public let version: String?
    /// ``DataType/id`` that its task had in that version; nil: that of the data set's.
    public let kind: String?

    public init(
      id: String, given: GivenAnswers, zone: String, begun: Instant, completed: Instant?,
      version: String? = nil, kind: String? = nil
    ) {
      (self.id, self.given, self.zone, self.begun, self.completed) = (id, given, zone, begun, completed)
      (self.version, self.kind) = (version, kind)
    }
  }

  public let content: StudyContent
  public let people: [Participant]
  /// Moment at which it was made.
  public let made: Instant

  /// True when it has kinds of data as well that people do not give: for the person themselves alone.
  public let hasEverything: Bool

  /// - Parameter everything: ``hasEverything``; by default kinds of data that somebody does not give do not leave.
  public init(_ content: StudyContent, _ people: [Participant], made: Instant, everything: Bool = false) {
    (self.content, self.made, hasEverything) = (content, made, everything)
    self.people = everything ? people : people.map { $0.withoutKeptBack(content.study) }
  }

  /// Files by their names, the same for the same data.
  public var files: [(name: String, text: String)] {
    let tables =
      [peopleTable, consentTable, answerTable] + derivedTables + [scoreTable] + measurementTables
    return tables.map { ($0.name + ".csv", $0.csv) } + [
      ("responses.ndjson", fhirLines), ("datapackage.json", package(tables).minified + "\n"),
    ]
  }

  // MARK: - Tables

  private var peopleTable: Table {
    var table = Table(
      "people",
      [
        .init("participant", .string, "code of the person"),
        .init("first_date", .date, "day 1, where the person was"),
        .init("day", .integer, "day of the study at which the data set was made"),
        .init("due", .integer, "questionnaires and measurements that were due and are over"),
        .init("done", .integer, "of these, done"),
        .init(
          "ending", .string,
          "completed: ended after the study's days with nothing open; withdrawn: before; missing: goes on"),
        .init("ended", .datetime, "moment of the ending"),
      ])
    for person in people {
      let compliance = Compliance(person, at: person.ended ?? made)
      table.append([
        .text(person.code), .text("\(person.course.firstDate)"),
        .whole(min(person.course.day(at: person.ended ?? made), content.study.dayCount)),
        .whole(compliance.due), .whole(compliance.done), .text(person.ending),
        .text(person.ended.map { "\($0)" }),
      ])
    }
    return table
  }

  private var answerTable: Table {
    var table = Table(
      "answers",
      [
        .init("participant", .string, "code of the person"),
        .init("day", .integer, "day of the study, from 1"),
        .init("date", .date, "day where the person was"),
        .init("occurrence", .string, "task, date and number within the day"),
        .init("questionnaire", .string, "its URL and version"), .init("item", .string, "question"),
        .init("column", .string, "name of the study's dictionary; missing: not in it"),
        .init("repetition", .string, "which of a repeated group, from 1; missing: it is not repeated"),
        .init(
          "value", .string,
          "answer: number, text, codes, yes or no; words that begin with = + - @ ' or a break have a ' before them"
        ),
        .init("shown", .datetime, "first time on the screen"),
        .init("answered", .datetime, "the answer that stands"),
        .init("took_ms", .integer, "from the question to the answer, by a clock that nobody sets"),
        .init("changes", .integer, "answers that it replaced"),
        .init("zone", .string, "time zone of the occurrence"),
        .init("study_version", .string, "version of the study under which the questionnaire was begun"),
      ])
    let names = Dictionary(content.study.dictionary.map { ($0.item, $0.column) }) { first, _ in first }
    for person in people {
      for response in person.responses {
        guard let outline = response.given.outline(in: content) else { continue }
        let occurrence = OccurrenceName(response.given.occurrence)
        let day = occurrence.date.map { StudySchedule.day(of: $0, beginning: person.course.firstDate) }
        for (key, answer) in Display(outline, response.given.sheet).submitted {
          let repetition = key.repetition.map { "\($0 + 1)" }.joined(separator: ".")
          table.append([
            .text(person.code), .whole(day), .text(occurrence.date.map { "\($0)" }),
            .text(response.given.occurrence),
            .text("\(outline.questionnaire.url)|\(outline.questionnaire.version)"), .text(key.item),
            .text(names[key.item]), repetition.isEmpty ? .missing : .text(repetition),
            AnswerCell.cell(answer.value), .text("\(answer.shown)"), .text("\(answer.answered)"),
            .whole(answer.took), .whole(answer.changes), .text(response.zone),
            .text(response.version ?? content.study.version),
          ])
        }
      }
    }
    return table
  }

  private var scoreTable: Table {
    var table = Table(
      "scores",
      [
        .init("participant", .string, "code of the person"),
        .init("day", .integer, "day of the study, from 1"),
        .init("date", .date, "day where the person was"),
        .init(
          "occurrence", .string,
          "at which the instrument was answered: a row for each time; missing: at none"),
        .init("instrument", .string, "published instrument"),
        .init("rules", .integer, "version of the rules here"),
        .init("part", .string, "part of it; missing: the whole"),
        .init("value", .number, "missing where there is none, or a range"),
        .init("least", .number, "of a range"),
        .init("greatest", .number, "of a range"),
        .init("band", .string, "a screening band, never a diagnosis"),
        .init("absent", .string, "reason why there is no value"),
        .init("answered", .integer, "items of the whole instrument that were answered"),
        .init(
          "completed", .boolean,
          "false: its questionnaire may still be answered, or was never completed; missing: at none"),
      ])
    for person in people {
      for given in person.course.scores(person.responses.map(\.given))
      where isGiven(given.score.instrument, by: person) {
        for row in Self.rows(given, of: person) { table.append(row) }
      }
    }
    return table
  }

  /// The whole score, then its parts.
  private static func rows(_ given: GivenScore, of person: Participant) -> [[Table.Cell]] {
    let date = given.occurrence.flatMap { OccurrenceName($0).date }
    let day = date.map { StudySchedule.day(of: $0, beginning: person.course.firstDate) }
    let score = given.score
    let parts = score.parts.sorted { $0.key < $1.key }.map { (part: Optional($0.key), outcome: $0.value) }
    return ([(nil, score.outcome)] + parts).map { part, outcome in
      [
        .text(person.code), .whole(day), .text(date.map { "\($0)" }), .text(given.occurrence),
        .text(score.instrument), .whole(score.rules), .text(part),
      ] + outcome.cells.with(band: part == nil ? score.band?.label : nil) + [
        .whole(score.answered), given.isCompleted.map { .flag($0) } ?? .missing,
      ]
    }
  }

  /// Answers that follow from those given last; none of a study without such.
  private var derivedTables: [Table] {
    guard !content.study.derived.isEmpty else { return [] }
    let columns = Dictionary(content.study.dictionary.map { ($0.item, $0.column) }) { first, _ in first }
    var table = Table(
      "derived",
      [
        .init("participant", .string, "code of the person"),
        .init("item", .string, "what follows"),
        .init("column", .string, "name of the study's dictionary"),
        .init("kind", .string, "rule by which it follows"),
        .init("from", .string, "questions that it follows from"),
        .init("value", .number, "by the answers given last; missing: one of them is"),
      ])
    for person in people {
      let values = person.course.derivedAnswers(person.responses.map(\.given))
      for derived in content.study.derived {
        var value: Double?
        if case .number(let number)? = values[derived.id] { value = number }
        table.append([
          .text(person.code), .text(derived.id), .text(columns[derived.id]), .text(derived.kind.rawValue),
          .text(derived.questions.joined(separator: ";")), .number(value),
        ])
      }
    }
    return [table]
  }

  /// False for an instrument of which the person gives no questionnaire: its score would tell of answers that are kept back.
  private func isGiven(_ instrument: String, by person: Participant) -> Bool {
    guard !hasEverything, let kinds = person.course.kinds else { return true }
    let questionnaires = content.study.instruments.filter { $0.id == instrument }.map(\.questionnaire)
    return content.study.tasks.contains { task in
      guard kinds.contains(task.dataType) else { return false }
      return switch task.work {
      case .questionnaire(let id): questionnaires.contains(id)
      case .modulesOfDay: content.study.modules.contains { questionnaires.contains($0.questionnaire) }
      case .measurement: false
      }
    }
  }

  // MARK: - FHIR

  private var fhirLines: String {
    people.flatMap { person in
      person.responses.compactMap { response -> String? in
        guard let outline = response.given.outline(in: content) else { return nil }
        return Display(outline, response.given.sheet)
          .fhirResponse(
            id: response.id, of: person.code, at: response.given.occurrence, begun: response.begun,
            completed: response.completed
          ).minified + "\n"
      }
    }.joined()
  }
}

/// An answer in a cell.
enum AnswerCell {
  static func cell(_ value: AnswerValue) -> Table.Cell {
    switch value {
    case .text(let text): .words(text)
    case .number(let number): .number(number)
    case .yes(let yes): .text(yes ? "yes" : "no")
    case .dontKnow: .text("dont-know")
    // A spreadsheet takes a number such as -9 for a number.
    case .choices(let codes, other: nil) where codes.allSatisfy(isNumber):
      .text(codes.joined(separator: ";"))
    case .choices(let codes, let other):
      .words((codes + (other.map { ["=" + $0] } ?? [])).joined(separator: ";"))
    case .time(let time): .text("\(time)")
    case .date(let date): .text("\(date)")
    }
  }

  /// True for digits, with one point and a minus sign before them or without.
  private static func isNumber(_ code: String) -> Bool {
    let parts = (code.hasPrefix("-") ? code.dropFirst() : code[...])
      .split(separator: ".", omittingEmptySubsequences: false)
    return parts.count <= 2
      && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }
  }
}

extension Score.Outcome {
  /// Value, least, greatest, a place for the band, reason.
  fileprivate var cells: [Table.Cell] {
    switch self {
    case .value(let value): [.number(value), .missing, .missing, .missing, .missing]
    case .range(let range):
      [.missing, .number(range.lowerBound), .number(range.upperBound), .missing, .missing]
    case .absent(let reason): [.missing, .missing, .missing, .missing, .text(reason)]
    }
  }
}

extension [Table.Cell] {
  fileprivate func with(band: String?) -> [Table.Cell] {
    [self[0], self[1], self[2], .text(band), self[4]]
  }
}
