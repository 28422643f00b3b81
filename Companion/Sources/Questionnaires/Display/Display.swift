/// Items that are shown for the answers of a moment. A pure function of questionnaire and answers, whatever came before.
///
/// - Threads: any.
public struct Display: Sendable {
  public let outline: Outline
  let sheet: AnswerSheet
  /// Places of all items that are shown, in their order.
  public let shown: [AnswerKey]
  private let places: Set<AnswerKey>

  public init(_ outline: Outline, _ sheet: AnswerSheet) {
    (self.outline, self.sheet) = (outline, sheet)
    var decision = Decision(outline: outline, sheet: sheet)
    shown = decision.shown()
    places = Set(shown)
  }

  /// The same for one item, without deciding of all others.
  static func isShown(_ key: AnswerKey, _ outline: Outline, _ sheet: AnswerSheet) -> Bool {
    var decision = Decision(outline: outline, sheet: sheet)
    return decision.isShown(key)
  }

  /// True when an item is shown at one of some places, without deciding of all others.
  static func isShown(atAnyOf keys: [AnswerKey], _ outline: Outline, _ sheet: AnswerSheet) -> Bool {
    var decision = Decision(outline: outline, sheet: sheet)
    return keys.contains { decision.isShown($0) }
  }

  /// The answer that is there; nil where there is none.
  public func value(of key: AnswerKey) -> AnswerValue? { sheet[key] }

  /// Number of times that a repeated group is answered, from 1.
  public func repetitions(of key: AnswerKey) -> Int { sheet.repetitions[key] ?? 1 }

  /// True when there is an answer within a repeated group's repetitions from a number on, shown or not.
  ///
  /// - Parameter number: The first of these repetitions, from 0.
  public func hasAnswers(in group: AnswerKey, from number: Int) -> Bool {
    sheet.answers.keys.contains { outline.isPlace($0, in: group, from: number) }
  }

  /// True when an item is shown: whatever it lies in is, and its conditions hold.
  public func isShown(_ key: AnswerKey) -> Bool { places.contains(key) }
}

/// Decides of each place once.
private struct Decision {
  let outline: Outline
  let sheet: AnswerSheet
  private var known: [AnswerKey: Bool] = [:]

  init(outline: Outline, sheet: AnswerSheet) { (self.outline, self.sheet) = (outline, sheet) }

  mutating func shown() -> [AnswerKey] {
    var result: [AnswerKey] = []
    add(outline.questionnaire.items, [], to: &result)
    return result
  }

  mutating func isShown(_ key: AnswerKey) -> Bool {
    if let known = known[key] { return known }
    let result = decide(key)
    known[key] = result
    return result
  }

  private mutating func add(_ items: [Item], _ repetition: [Int], to result: inout [AnswerKey]) {
    for item in items {
      let key = AnswerKey(item.id, repetition)
      guard isShown(key) else { continue }
      result.append(key)
      guard case .group(let repeats) = item.kind else { continue }
      guard repeats != nil else {
        add(item.items, repetition, to: &result)
        continue
      }
      for number in 0..<count(of: key) { add(item.items, repetition + [number], to: &result) }
    }
  }

  /// Repetitions of a repeated group.
  private func count(of key: AnswerKey) -> Int {
    guard case .group(let most?)? = outline.item(key.item)?.kind else { return 1 }
    return min(sheet.repetitions[key] ?? 1, max(1, most))
  }

  private mutating func decide(_ key: AnswerKey) -> Bool {
    guard let node = outline.nodes[key.item], key.repetition.count == node.repeated.count else {
      return false
    }
    if let parent = node.parent {
      let depth = outline.nodes[parent]?.repeated.count ?? 0
      guard isShown(AnswerKey(parent, Array(key.repetition.prefix(depth)))) else { return false }
    }
    for (depth, group) in node.repeated.enumerated()
    where key.repetition[depth] >= count(of: AnswerKey(group, Array(key.repetition.prefix(depth)))) {
      return false
    }
    guard !node.item.conditions.isEmpty else { return true }
    for condition in node.item.conditions {
      let holds = condition.holds(for: answers(to: condition.question, from: node, key.repetition))
      switch node.item.enablement {
      case .all: if !holds { return false }
      case .any: if holds { return true }
      }
    }
    return node.item.enablement == .all
  }

  /// Answers to a question as an item sees them: those of its own repetition where both lie in one, otherwise of all; of what is not shown
  /// none.
  private mutating func answers(
    to question: String, from node: Outline.Node, _ repetition: [Int]
  ) -> [AnswerValue] {
    guard let asked = outline.nodes[question] else { return [] }
    let common = zip(node.repeated, asked.repeated).prefix { $0 == $1 }.count
    var places = [Array(repetition.prefix(common))]
    for group in asked.repeated.dropFirst(common) {
      places = places.flatMap { place in (0..<count(of: AnswerKey(group, place))).map { place + [$0] } }
    }
    return places.compactMap { place in
      let key = AnswerKey(question, place)
      return isShown(key) ? sheet[key] : nil
    }
  }
}

extension Condition {
  /// True when the answers satisfy it.
  public func holds(for answers: [AnswerValue]) -> Bool {
    switch relation {
    case .exists: operand == .yes(!answers.isEmpty)
    case .equal: answers.contains { $0.isEqual(to: operand) }
    case .notEqual: !answers.contains { $0.isEqual(to: operand) }
    case .greater: answers.contains { $0.compared(with: operand).map { $0 > 0 } ?? false }
    case .less: answers.contains { $0.compared(with: operand).map { $0 < 0 } ?? false }
    case .greaterOrEqual: answers.contains { $0.compared(with: operand).map { $0 >= 0 } ?? false }
    case .lessOrEqual: answers.contains { $0.compared(with: operand).map { $0 <= 0 } ?? false }
    }
  }
}

extension AnswerValue {
  /// Of several choices one is enough.
  fileprivate func isEqual(to operand: AnswerValue) -> Bool {
    if case .choices(let codes, _) = self, case .choices(let wanted, other: nil) = operand,
      wanted.count == 1
    {
      return codes.contains(wanted[0])
    }
    return self == operand
  }

  /// Below 0 when it lies below the operand; nil where there is no order.
  fileprivate func compared(with operand: AnswerValue) -> Int? {
    func sign<Value: Comparable>(_ a: Value, _ b: Value) -> Int { a < b ? -1 : a == b ? 0 : 1 }
    return switch (self, operand) {
    case (.number(let a), .number(let b)): sign(a, b)
    case (.time(let a), .time(let b)): sign(a, b)
    case (.date(let a), .date(let b)): sign(a, b)
    default: nil
    }
  }
}
