import Almanac
import Base
import Questionnaires
import Studies

/// A questionnaire of one occurrence, while somebody answers it: what was answered, what is shown for it, and where it is kept.
///
/// Every answer is kept as it is given; the sheet here follows what the database has taken.
public struct Response: Sendable {
  public let id: String
  public let enrolment: String
  /// ``Occurrence/id``.
  public let occurrence: String
  public let opens: Instant
  public let closes: Instant
  public let zone: String
  public let begun: Instant
  public internal(set) var completed: Instant?
  /// ``StudyVersion/sha256`` of the version under which it was begun, which it keeps.
  public let studyVersion: String
  public let outline: Outline
  /// Questions that were left out (0), and groups of which there is not another one after so many. What was kept of
  /// a repetition that was taken back has ``notPassed``.
  public internal(set) var passed: [AnswerKey: Int]
  public internal(set) var sheet: AnswerSheet

  /// Count of a place that is not passed any longer: rows of it are changed, and never deleted. Own choice: neither a
  /// question that was left out nor a number of repetitions; the greatest that is read.
  static let notPassed = AnswerSheet.greatestCount

  /// Items that are shown for the present answers.
  public var display: Display { Display(outline, sheet) }

  /// As the study's rules see it.
  public var given: GivenAnswers { answers(to: nil) }

  /// The same with the questionnaire's id in the version of the study under which it was begun.
  ///
  /// Several choices are in the order of their options, also those that were kept in the order in which they
  /// were typed.
  public func answers(to file: String?) -> GivenAnswers {
    GivenAnswers(
      occurrence: occurrence, questionnaire: outline.questionnaire.url, sheet: sheet.inOrder(of: outline),
      isCompleted: completed != nil, outline: outline, file: file)
  }

  /// True where all answers and repetitions are the same, hidden ones too; times and changes may differ.
  func hasAnswers(of other: Response) -> Bool {
    sheet.answers.mapValues(\.value) == other.sheet.answers.mapValues(\.value)
      && sheet.repetitions == other.sheet.repetitions
  }

  /// Notes that a question came onto the screen. It is kept with the answer.
  public mutating func show(_ key: AnswerKey, at moment: Instant) { sheet.show(key, at: moment) }
}

extension AnswerKey {
  /// Repetitions as the database keeps them: "0.2"; empty outside of repeated groups.
  var repetitionText: String { repetition.map(String.init).joined(separator: ".") }

  init?(item: String, repetitionText: String) {
    let parts = repetitionText.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = repetitionText.isEmpty ? [] : parts.map { Int($0) }
    guard numbers.allSatisfy({ $0 != nil }) else { return nil }
    self.init(item, numbers.compactMap(\.self))
  }
}

extension AnswerSheet {
  /// A sheet from its rows.
  ///
  /// - Throws: ``ParticipationError/unreadable(_:)`` for a row that no version of this questionnaire wrote.
  init(answers: [Row], repetitions: [Row], of outline: Outline) throws(ParticipationError) {
    var found: [AnswerKey: Answer] = [:]
    for row in answers {
      guard let key = AnswerKey(row), let item = outline.item(key.item) else {
        throw .unreadable("an answer to \(row["item"]?.text ?? "nothing"), which is no question")
      }
      guard let answer = Answer(row, to: item) else { throw .unreadable("the answer to \(key.item)") }
      found[key] = answer
    }
    self.init(answers: found, repetitions: try Self.counts(repetitions))
  }
}

extension AnswerSheet {
  /// Greatest number of repetitions: more is asked of nobody.
  static let greatestCount = 10_000

  /// Numbers by place.
  static func counts(_ rows: [Row]) throws(ParticipationError) -> [AnswerKey: Int] {
    var counts: [AnswerKey: Int] = [:]
    for row in rows {
      guard let key = AnswerKey(row), let count = row["count"]?.integer, 0...greatestCount ~= count else {
        throw .unreadable("a number for \(row["item"]?.text ?? "nothing")")
      }
      counts[key] = count
    }
    return counts
  }
}

extension AnswerKey {
  fileprivate init?(_ row: Row) {
    guard let item = row["item"]?.text, let repetition = row["repetition"]?.text else { return nil }
    self.init(item: item, repetitionText: repetition)
  }
}

extension AnswerSheet.Answer {
  fileprivate init?(_ row: Row, to item: Item) {
    guard let text = row["value"]?.text, let json = try? JSONValue(Array(text.utf8)),
      let value = try? AnswerValue(fhirAnswers: json, to: item), let shown = row["shown"]?.integer,
      let answered = row["answered"]?.integer, let changes = row["changes"]?.integer
    else { return nil }
    self.init(
      value: value, shown: Instant(milliseconds: shown), answered: Instant(milliseconds: answered),
      changes: changes,
      took: row["took"]?.integer)
  }
}
