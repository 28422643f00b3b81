import Base
import Instruments
import Questionnaires
import Studies

extension DataSet {
  /// A row for each score and part of it, each time that its instrument was asked.
  var scoreTable: Table {
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
        .init(
          "band", .string,
          "a screening band, never a diagnosis; missing while its questionnaire is not completed and some items are not answered"
        ),
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
        .text(person.code), .whole(day), .text(date.map { "\($0)" }), .words(given.occurrence),
        .text(score.instrument), .whole(score.rules), .text(part),
      ] + outcome.cells.with(band: part == nil ? given.finalBand?.label : nil) + [
        .whole(score.answered), given.isCompleted.map { .flag($0) } ?? .missing,
      ]
    }
  }

  /// Answers that follow from those given last; none of a study without such.
  var derivedTables: [Table] {
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
          .text(person.code), .words(derived.id), .words(columns[derived.id]), .text(derived.kind.rawValue),
          .words(derived.questions.joined(separator: ";")), .number(value),
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
