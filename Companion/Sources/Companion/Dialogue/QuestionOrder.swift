import Questionnaires

/// A place in a questionnaire at which something is said or asked.
public enum QuestionPlace: Sendable, Hashable {
  /// Text to read, or the title of a group.
  case reading(AnswerKey)
  case question(AnswerKey)
  /// The question for one repetition more of a group, after so many.
  case again(AnswerKey, count: Int)

  public var key: AnswerKey {
    switch self {
    case .reading(let key), .question(let key), .again(let key, _): key
    }
  }
}

extension Display {
  /// Everything that is said and asked for the present answers, in its order.
  public var order: [QuestionPlace] { places(of: outline.questionnaire.items, []) }

  private func places(of items: [Item], _ repetition: [Int]) -> [QuestionPlace] {
    items.flatMap { item -> [QuestionPlace] in
      let key = AnswerKey(item.id, repetition)
      guard isShown(key) else { return [] }
      switch item.kind {
      case .info: return [.reading(key)]
      case .group(nil): return title(of: item, key) + places(of: item.items, repetition)
      case .group(let most?):
        let count = min(repetitions(of: key), max(1, most))
        let within = (0..<count).flatMap { places(of: item.items, repetition + [$0]) }
        return title(of: item, key) + within + (count < most ? [.again(key, count: count)] : [])
      default: return [.question(key)]
      }
    }
  }

  private func title(of item: Item, _ key: AnswerKey) -> [QuestionPlace] {
    item.text.text.isEmpty ? [] : [.reading(key)]
  }
}
