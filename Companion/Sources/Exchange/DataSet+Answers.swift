import Base
import Questionnaires
import Studies

extension DataSet {
  /// A row for each answer that was given.
  var answerTable: Table {
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
            .words(response.given.occurrence),
            .words("\(outline.questionnaire.url)|\(outline.questionnaire.version)"), .words(key.item),
            .words(names[key.item]), repetition.isEmpty ? .missing : .text(repetition),
            AnswerCell.cell(answer.value), .text("\(answer.shown)"), .text("\(answer.answered)"),
            .whole(answer.took), .whole(answer.changes), .words(response.zone),
            .words(response.version ?? content.study.version),
          ])
        }
      }
    }
    return table
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
