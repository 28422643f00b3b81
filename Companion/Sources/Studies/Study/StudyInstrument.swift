import Base
import Instruments
import Questionnaires

/// A published instrument that a questionnaire of the study asks.
public struct StudyInstrument: Sendable, Hashable {
  /// ``Instrument/id``.
  public var id: String
  /// ``QuestionnaireFile/id``; its file is the site's where the instrument's licence binds.
  public var questionnaire: String
  /// Questions of items, by the instrument's codes; an item that is not named is the question `id.code`. They may be questions of another
  /// questionnaire: what is known is not asked again.
  public var items: [String: String]
  /// The site's licence; nil: there is none.
  public var licence: SiteLicence?

  public init(
    _ id: String, questionnaire: String, items: [String: String] = [:], licence: SiteLicence? = nil
  ) {
    (self.id, self.questionnaire, self.items, self.licence) = (id, questionnaire, items, licence)
  }

  /// The instrument's rules; nil for one that is not known.
  public var instrument: Instrument? { Instrument.all.first { $0.id == id } }

  /// Id of the question of an item.
  public func question(of code: String) -> String { items[code] ?? "\(id).\(code)" }

  /// Answers as the instrument's rules take them: a number as it is, yes 1, no 0, an option by its points. What is not answered, or has no
  /// number, is left out.
  ///
  /// - Parameters:
  ///   - answers: By question.
  ///   - questions: All questions of the study, by their ids.
  public func itemAnswers(_ answers: [String: AnswerValue], questions: [String: Item]) -> ItemAnswers {
    let codes = instrument?.items.map(\.code) ?? []
    let values = codes.compactMap { code -> (String, Double)? in
      let question = question(of: code)
      return answers[question]?.points(in: questions[question]).map { (code, $0) }
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
