import Base
import Instruments
import Questionnaires

/// A published instrument that a questionnaire of the study asks.
public struct StudyInstrument: Sendable, Hashable {
  /// ``Instrument/id``.
  public var id: String
  /// ``QuestionnaireFile/id``; its file is the site's where the instrument's licence binds.
  public var questionnaire: String
  /// Sources of items, by the instrument's codes; an item that is not named is the question `id.code`. They may lie in other questionnaires:
  /// what is known is not asked again.
  public var items: [String: Source]
  /// The site's licence; nil: there is none.
  public var licence: SiteLicence?
  /// Path in the bundle of the site's licensed table of scores; nil: there is none, or none is needed.
  public var table: String?

  public init(
    _ id: String, questionnaire: String, items: [String: Source] = [:], licence: SiteLicence? = nil,
    table: String? = nil
  ) {
    (self.id, self.questionnaire, self.items, self.licence) = (id, questionnaire, items, licence)
    self.table = table
  }

  public enum Source: Sendable, Hashable {
    /// The answer to a question, or one that follows from others.
    case question(String)
    /// Yes where these hold.
    case conditions([Condition], Enablement)

    /// Questions that it needs.
    var questions: [String] {
      switch self {
      case .question(let id): [id]
      case .conditions(let conditions, _): conditions.map(\.question)
      }
    }
  }

  /// The instrument's rules; nil for one that is not known.
  public var instrument: Instrument? { Instrument.all.first { $0.id == id } }

  /// Source of an item.
  public func source(of code: String) -> Source { items[code] ?? .question("\(id).\(code)") }

  /// Answers as the instrument's rules take them: a number as it is, or by its part where both are in per cent, yes 1, no 0, an option by
  /// its points. What is not answered, or has no number, is left out, as a condition is whose question has no answer yet.
  ///
  /// - Parameters:
  ///   - answers: By question, with those that follow from them (``Study/completed(_:)``).
  ///   - questions: All questions of the study, by their ids.
  public func itemAnswers(_ answers: [String: AnswerValue], questions: [String: Item]) -> ItemAnswers {
    let items = instrument?.items ?? []
    // No source lies in a repeated group.
    let given = answers.mapValues { [$0] }
    let values = items.compactMap { item -> (String, Double)? in
      let code = item.code
      switch source(of: code) {
      case .question(let id):
        let scale = questions[id].map { item.scale(of: $0) } ?? 1
        return answers[id]?.points(in: questions[id]).map { (code, $0 / scale) }
      case .conditions(let conditions, let enablement):
        let criterion = Eligibility.Criterion(code, "", when: conditions, enablement)
        guard criterion.undecided(by: given).isEmpty else { return nil }
        return (code, criterion.holds(for: given) ? 1 : 0)
      }
    }
    return ItemAnswers(Dictionary(values) { first, _ in first })
  }
}

/// Permission of a site to ask an instrument's text.
public struct SiteLicence: Sendable, Hashable {
  public var holder: String
  public var number: String
  /// Last day on which it holds; nil: no end.
  public var expires: CalendarDate?

  public init(holder: String, number: String, expires: CalendarDate? = nil) {
    (self.holder, self.number, self.expires) = (holder, number, expires)
  }
}

extension InstrumentItem {
  /// Number of an answer to the question for 1 of the item: 1, unless question and item are in per cent. One whose numbers go no further than
  /// the item's asks for these themselves, whatever its unit.
  func scale(of question: Item) -> Double {
    guard let percentPerPoint, let range = question.kind.range, range.isPercent,
      range.greatest.map({ $0 > values.greatest }) ?? true
    else { return 1 }
    return percentPerPoint
  }
}

extension NumberRange {
  /// True for numbers whose unit is per cent in UCUM.
  var isPercent: Bool { unit == "%" }
}

extension AnswerValue {
  /// - Parameter item: The question.
  func points(in item: Item?) -> Double? {
    switch (self, item?.kind) {
    case (.number(let number), _): number
    case (.yes(let yes), _): yes ? 1 : 0
    case (.choices(let codes, other: nil), .single(let options, _)) where codes.count == 1:
      options.first { $0.code == codes[0] }?.points
    default: nil
    }
  }
}
