extension Condition {
  /// Its fault for the question that it asks; nil when it has none.
  package func problem(asking item: Item) -> String? {
    guard item.kind.isQuestion else {
      return "it asks for an answer to \"\(item.id)\", which is no question"
    }
    if relation == .exists {
      if case .yes = operand { return nil }
      return "whether there is an answer is yes or no, not \(operand.words)"
    }
    if relation.isOrder, !item.kind.isOrdered {
      return "answers to \"\(item.id)\" have no order, so none is \(relation.rawValue) \(operand.words)"
    }
    if relation.isOrder { return orderProblem(asking: item) }
    // Equality with what is no answer is never true, the contrary always.
    do throws(AnswerRefusal) { try item.single.check(operand) } catch {
      return "\(operand.words) is never an answer to \"\(item.id)\"; expected \(error.expected)"
    }
    return nil
  }

  /// An operand beyond the ends of the question's range leaves nothing to ask.
  private func orderProblem(asking item: Item) -> String? {
    switch (item.kind, operand) {
    case (.time, .time), (.date, .date): return nil
    case (_, .number(let number)):
      guard let range = item.kind.range, number.isFinite else { break }
      let candidates = [range.least, range.greatest].compactMap(\.self)
      guard candidates.count == 2 else { return nil }
      let held = candidates.map { Condition(question, relation, operand).holds(for: [.number($0)]) }
      return held == [false, false]
        ? "no answer to \"\(item.id)\" is \(relation.rawValue) \(operand.words)" : nil
    default: break
    }
    return "\(operand.words) cannot be compared with answers to \"\(item.id)\""
  }
}

extension ItemKind {
  /// True when its answers have an order.
  var isOrdered: Bool {
    switch self {
    case .number, .scale, .numberScroll, .minutesScroll, .time, .date: true
    default: false
    }
  }
}

extension Item {
  /// The same question with one answer: a condition names one of several.
  fileprivate var single: Item {
    guard case .multiple(let options, let other) = kind else { return self }
    var item = self
    item.kind = .single(options, other: other)
    return item
  }
}
