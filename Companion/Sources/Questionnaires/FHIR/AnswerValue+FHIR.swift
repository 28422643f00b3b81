import Base

extension AnswerValue {
  /// The answer as a row keeps it: as ``fhirResponseAnswers(to:)`` has it, and a number by its value alone, so that
  /// an equal answer is the same text, also one that was kept before numbers had the type of their question.
  ///
  /// - Parameter item: The question: its options say of which list a code is.
  public func fhirAnswers(to item: Item) -> JSONValue {
    guard case .number = self else { return fhirResponseAnswers(to: item) }
    return .array([Self.element(fhirAnswer)])
  }

  /// The answer as FHIR's QuestionnaireResponse has it: one element for each choice, and otherwise one.
  ///
  /// - Parameter item: The question: its options say of which list a code is, and its range of which type a number
  ///   is.
  func fhirResponseAnswers(to item: Item) -> JSONValue {
    guard case .choices(let codes, let other) = self else {
      return .array([Self.element(fhirAnswer(to: item))])
    }
    let chosen = codes.map { Self.element(AnswerValue.choice($0).fhirAnswer(to: item)) }
    return .array(chosen + (other.map { [["valueString": .text($0)]] } ?? []))
  }

  private static func element(_ answer: (key: String, value: JSONValue)) -> JSONValue {
    .object([.init(key: "value" + answer.key, value: answer.value)])
  }

  /// Reads what ``fhirAnswers(to:)`` or ``fhirResponseAnswers(to:)`` wrote. Whether it answers the question is another matter (``Item/check(_:)``).
  ///
  /// - Throws: ``JSONFault``.
  public init(fhirAnswers json: JSONValue, to item: Item) throws(JSONFault) {
    let elements = try JSONElement(["answer": json], "").list("answer")
    switch item.kind {
    case .single, .multiple:
      var (codes, other): ([String], String?) = ([], nil)
      for element in elements {
        let value = try AnswerValue(fhir: element, "value", isOfList: true)
        switch value {
        case .choices(let chosen, _): codes += chosen
        case .text(let text) where other == nil: other = text
        default:
          throw JSONFault(path: "answer", found: value.words, expected: "codes, and one text at most")
        }
      }
      self = .choices(codes, other: other)
    default:
      guard elements.count == 1 else {
        throw JSONFault(path: "answer", found: "\(elements.count) answers", expected: "one")
      }
      self = try AnswerValue(fhir: elements[0], "value")
    }
  }
}
