import Almanac
import Base
import Instruments
import Questionnaires

/// Score of one administration of an instrument.
public struct GivenScore: Sendable {
  /// ``Occurrence/id`` at which its questionnaire was answered; nil: at none.
  public let occurrence: String?
  /// True when nothing of its questionnaire is changed any more; nil: at no occurrence.
  public let isCompleted: Bool?
  public let score: Score

  /// Band for people: of a completed questionnaire, or of all items. That of some first answers would be read as that of all; nil then.
  public var finalBand: Instrument.Band? { isCompleted == true || countsAll ? score.band : nil }

  /// Items of the instrument; of one that is not known those that were answered.
  public var itemCount: Int {
    Instrument.all.first { $0.id == score.instrument }?.items.count ?? score.answered
  }

  /// True where each item is counted.
  public var countsAll: Bool { score.answered >= itemCount }
}

extension Course {
  /// Scores of the study's instruments, in the study's order, one for each time that an instrument was answered, the first before the
  /// next. One that nobody has answered stands once, for what other questionnaires tell of its items, or absent with its reason.
  ///
  /// Items of the instrument's own questionnaire are those of the administration alone: a score never mixes two, also where an edition gave the
  /// questionnaire another URL between them. Of a question in another questionnaire counts the answer that was known then, and the first one
  /// where none was. Of one that was begun twice at an occurrence, under two URLs, the answers count that count in what is due.
  public func scores(_ all: [GivenAnswers]) -> [GivenScore] {
    let sheets = StudyAnswers.counting(all, content).compactMap { Submitted($0.given, in: content) }
    return content.study.instruments.flatMap { part -> [GivenScore] in
      guard let instrument = part.instrument else { return [] }
      let own = OwnQuestions(part, instrument, in: content)
      let given = sheets.filter { own.areAsked(by: $0.outline) && $0.isGiven }.sorted {
        $0.place < $1.place
      }
      guard !given.isEmpty else {
        let values = Self.values(sheets.flatMap(\.answers), at: nil)
        return [GivenScore(occurrence: nil, isCompleted: nil, score: score(part, instrument, values))]
      }
      let others = sheets.filter { !own.areAsked(by: $0.outline) }.flatMap(\.answers)
      return given.map { sheet in
        let values = Self.values(others, at: sheet.last)
          .merging(Self.values(sheet.answers, at: nil)) { $1 }
        return GivenScore(
          occurrence: sheet.occurrence, isCompleted: sheet.isCompleted,
          score: score(part, instrument, values))
      }
    }
  }

  /// Answers that follow from those given last, by ``DerivedAnswer/id``.
  public func derivedAnswers(_ all: [GivenAnswers]) -> [String: AnswerValue] {
    let values = StudyAnswers(all, content).values
    return content.study.completed(values).filter { values[$0.key] == nil }
  }

  private func score(
    _ part: StudyInstrument, _ instrument: Instrument, _ values: [String: AnswerValue]
  ) -> Score {
    let answers = part.itemAnswers(content.study.completed(values), questions: content.questions)
    let table = content.edition.bundle.tables[part.id]
    do throws(InstrumentRefusal) { return try instrument.score(answers, by: table) } catch {
      return Score(
        instrument: instrument.id, rules: instrument.version, outcome: .absent("\(error)"), band: nil,
        parts: [:], answered: answers.count)
    }
  }

  /// Of each question the answer that counts at a moment: the last one until then, or the first one after it.
  ///
  /// - Parameter moment: Nil: the last one of all.
  private static func values(
    _ answers: [(item: String, answer: AnswerSheet.Answer)], at moment: Instant?
  ) -> [String: AnswerValue] {
    var chosen: [String: AnswerSheet.Answer] = [:]
    for (item, answer) in answers {
      guard let former = chosen[item] else {
        chosen[item] = answer
        continue
      }
      let (isKnown, wasKnown) = (
        moment.map { answer.answered <= $0 } ?? true, moment.map { former.answered <= $0 } ?? true
      )
      let isBetter =
        switch (isKnown, wasKnown) {
        case (true, false): true
        case (false, true): false
        case (true, true): answer.answered >= former.answered
        case (false, false): answer.answered < former.answered
        }
      if isBetter { chosen[item] = answer }
    }
    return chosen.mapValues(\.value)
  }
}

/// Questions of an instrument in its own questionnaire.
private struct OwnQuestions {
  private let url: String?
  private let questions: Set<String>

  init(_ part: StudyInstrument, _ instrument: Instrument, in content: StudyContent) {
    let outline = content.outlines[part.questionnaire]
    url = outline?.questionnaire.url
    let needed = instrument.items.flatMap { part.source(of: $0.code).questions }.flatMap { id in
      content.study.derived.first { $0.id == id }?.questions ?? [id]
    }
    questions = Set(needed.filter { outline?.item($0) != nil })
  }

  /// True for the questionnaire in any version: in another edition its URL may be another, and a question keeps its id. Under another URL it asks
  /// more than half of them.
  func areAsked(by outline: Outline) -> Bool {
    outline.questionnaire.url == url || outline.asksMost(of: questions)
  }
}

/// Answers of one questionnaire at one occurrence, hidden ones left out.
private struct Submitted {
  let occurrence: String
  let outline: Outline
  let isCompleted: Bool
  let answers: [(item: String, answer: AnswerSheet.Answer)]
  /// Moment of the last answer; nil: everything was left out, or nothing is answered yet.
  let last: Instant?
  /// True when it was answered, or left out as a whole.
  let isGiven: Bool
  /// Its place among others: by day, then by its first answer.
  let place: (day: String, first: Int, occurrence: String)

  /// Nil for a questionnaire that the study does not know.
  init?(_ given: GivenAnswers, in content: StudyContent) {
    guard let outline = given.outline(in: content) else { return nil }
    (self.outline, occurrence, isCompleted) = (outline, given.occurrence, given.isCompleted)
    answers = Display(outline, given.sheet).submitted.map { ($0.key.item, $0.answer) }
    let moments = answers.map(\.answer.answered)
    last = moments.max()
    isGiven = given.isCompleted || last != nil
    let day = OccurrenceName(given.occurrence).date.map { "\($0)" } ?? ""
    place = (day, moments.min()?.milliseconds ?? .max, given.occurrence)
  }
}
