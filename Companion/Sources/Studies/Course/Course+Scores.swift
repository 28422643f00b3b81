import Instruments
import Questionnaires

extension Course {
  /// Scores of the study's instruments for some answers, in the study's order. One that nobody was asked is absent with its reason.
  public func scores(_ all: [GivenAnswers]) -> [Score] {
    let values = content.study.completed(StudyAnswers(all, content).values)
    return content.study.instruments.compactMap { part in
      guard let instrument = part.instrument else { return nil }
      let answers = part.itemAnswers(values, questions: content.questions)
      let table = content.edition.bundle.tables[part.id]
      do throws(InstrumentRefusal) { return try instrument.score(answers, by: table) } catch {
        return Score(
          instrument: instrument.id, rules: instrument.version, outcome: .absent("\(error)"), band: nil,
          parts: [:],
          answered: 0)
      }
    }
  }
}
