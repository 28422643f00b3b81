import Almanac
import Base

extension Display {
  /// Answers that leave, as FHIR R4 has them: groups within groups, each repetition by itself, hidden answers left out.
  ///
  /// - Parameters:
  ///   - id: The response's own.
  ///   - subject: Code of whoever gave them; nil: left out.
  ///   - occurrence: Name of the occasion on which they were given; nil: left out.
  ///   - completed: Moment of its completion; nil while it is being answered.
  public func fhirResponse(
    id: String, of subject: String? = nil, at occurrence: String? = nil, begun: Instant, completed: Instant?
  ) -> JSONValue {
    let questionnaire = outline.questionnaire
    // The last change of these answers (FHIR R4, QuestionnaireResponse.authored).
    let authored = completed ?? submitted.map { $0.answer.answered }.max() ?? begun
    return [
      "resourceType": "QuestionnaireResponse", "id": .text(id),
      "identifier": occurrence.map { ["value": .text($0)] },
      "questionnaire": .text("\(questionnaire.url)|\(questionnaire.version)"),
      "status": completed == nil ? "in-progress" : "completed",
      "subject": subject.map { ["identifier": ["value": .text($0)]] },
      "authored": .text("\(authored)"),
      "item": FHIRList.of(elements(of: questionnaire.items, [])),
    ]
  }

  private func elements(of items: [Item], _ repetition: [Int]) -> [JSONValue?] {
    items.flatMap { item -> [JSONValue?] in
      let key = AnswerKey(item.id, repetition)
      guard isShown(key) else { return [] }
      switch item.kind {
      case .group(repeats: nil):
        return [element(of: item, nil, within: elements(of: item.items, repetition))]
      case .group(let most?):
        let count = min(repetitions(of: key), max(1, most))
        return (0..<count).map {
          element(of: item, nil, within: elements(of: item.items, repetition + [$0]))
        }
      case .info: return []
      default: return [element(of: item, sheet.answers[key], within: [])]
      }
    }
  }

  /// Nil for a group without an answer, and for a question without one.
  private func element(of item: Item, _ answer: AnswerSheet.Answer?, within: [JSONValue?]) -> JSONValue? {
    let inner = FHIRList.of(within)
    guard answer != nil || inner != nil else { return nil }
    return [
      "linkId": .text(item.id), "text": item.text.text.isEmpty ? nil : .text(item.text.text),
      "answer": answer.map { $0.value.withoutControlCharacters.fhirResponseAnswers(to: item) },
      "item": inner,
    ]
  }
}
