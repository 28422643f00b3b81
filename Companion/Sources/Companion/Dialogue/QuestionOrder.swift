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

  /// The same within one repetition of a repeated group, from 0.
  func order(of group: AnswerKey, in repetition: Int) -> [QuestionPlace] {
    places(of: outline.item(group.item)?.items ?? [], group.repetition + [repetition])
  }

  /// The first repetition of a repeated group, from 0, with a question that is neither answered nor left out.
  ///
  /// - Parameter passed: ``Response/passed``.
  func waitingRepetition(of group: AnswerKey, passed: [AnswerKey: Int]) -> Int? {
    guard case .group(let most?)? = outline.item(group.item)?.kind else { return nil }
    return (0..<min(repetitions(of: group), max(1, most))).first { repetition in
      order(of: group, in: repetition).contains { place in
        guard case .question(let key) = place else { return false }
        return value(of: key) == nil && passed[key] != 0
      }
    }
  }

  /// Number of a repeated group's repetitions where the last one can be taken back: it is not the first, and
  /// has no answer. Nil for others.
  func countWithEmptyEnd(of group: AnswerKey) -> Int? {
    guard case .group(let most?)? = outline.item(group.item)?.kind, isShown(group) else { return nil }
    let count = min(repetitions(of: group), max(1, most))
    let isEmpty = order(of: group, in: count - 1).allSatisfy { value(of: $0.key) == nil }
    return count > 1 && isEmpty ? count : nil
  }

  /// The repeated group whose last repetition can be taken back and begins with a question, and the number of
  /// its repetitions; nil where there is no such group.
  func groupWithEmptyEnd(beginningWith key: AnswerKey) -> (key: AnswerKey, count: Int)? {
    for group in shown.reversed() {
      guard let count = countWithEmptyEnd(of: group) else { continue }
      let first = order(of: group, in: count - 1).first { if case .question = $0 { true } else { false } }
      if first == .question(key) { return (group, count) }
    }
    return nil
  }

  /// The question for another repetition of each group that has answers in repetitions beyond its number.
  var hiddenRepetitions: [QuestionPlace] {
    shown.compactMap { group in
      guard case .group(let most?)? = outline.item(group.item)?.kind else { return nil }
      let count = min(repetitions(of: group), max(1, most))
      return hasAnswers(in: group, from: count) ? .again(group, count: count) : nil
    }
  }

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
