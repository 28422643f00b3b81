import Almanac
import Base

extension REDCapLogic {
  /// The conditions of an item.
  ///
  /// - Parameter items: By the names of their fields.
  /// - Throws: ``Fault`` for what conditions of one item cannot say.
  func conditions(_ items: [String: Item]) throws(Fault) -> ([Condition], Enablement) {
    if let single {
      let conditions = try single.conditions(items, joined: .any)
      return (conditions, conditions.count == 1 ? .all : .any)
    }
    let (parts, enablement): ([REDCapLogic], Enablement) =
      switch self {
      case .all(let parts): (parts, .all)
      case .any(let parts): (parts, .any)
      case .comparison: ([self], .all)
      }
    var conditions: [Condition] = []
    for part in parts {
      guard let single = part.single else {
        throw Fault(found: "\"and\" within \"or\", or the other way about")
      }
      conditions += try single.conditions(items, joined: enablement)
    }
    return (conditions, enablement)
  }

  /// Its only comparison; nil for several.
  private var single: Comparison? {
    switch self {
    case .comparison(let comparison): return comparison
    case .all(let parts):
      // An empty field is below every number there, and never here: both comparisons together are one condition.
      guard parts.count == 2, case .comparison(let there) = parts[0],
        case .comparison(let below) = parts[1],
        there.relation == "<>", there.value.isEmpty, there.field == below.field,
        ["<", "<="].contains(below.relation)
      else { return nil }
      return below
    case .any: return nil
    }
  }

  /// Fields that are compared by `<` or `<=` also while they are empty, each once. REDCap takes an empty
  /// field for less than every number; a condition here never holds without an answer.
  var comparedWhileEmpty: [String] {
    switch self {
    case .comparison(let comparison): return comparison.isBelow ? [comparison.field] : []
    case .any(let parts): return Self.once(parts.flatMap(\.comparedWhileEmpty))
    case .all(let parts):
      let answered = parts.compactMap { part -> String? in
        guard case .comparison(let comparison) = part, comparison.needsAnswer else { return nil }
        return comparison.field
      }
      return Self.once(parts.flatMap(\.comparedWhileEmpty)).filter { !answered.contains($0) }
    }
  }

  private static func once(_ fields: [String]) -> [String] {
    var seen: Set<String> = []
    return fields.filter { seen.insert($0).inserted }
  }
}

extension REDCapLogic.Comparison {
  /// True for one that also an empty field satisfies, whatever the number.
  fileprivate var isBelow: Bool { code == nil && (relation == "<" || relation == "<=") }

  /// True for one that no empty field satisfies.
  fileprivate var needsAnswer: Bool {
    guard code == nil else { return false }
    return switch relation {
    case "<>": value.isEmpty
    case "=": !value.isEmpty
    case ">", ">=": true
    default: false
    }
  }

  /// The comparison as a message shows it; of a field without an option.
  fileprivate var text: String { "[\(field)] \(relation) '\(value)'" }

  /// Conditions that say it together, joined as those beside it: several of an order of codes.
  fileprivate func conditions(
    _ items: [String: Item], joined enablement: Enablement
  ) throws(REDCapLogic.Fault) -> [Condition] {
    guard code == nil, let item = items[field], let known = Condition.Relation(rawValue: relation),
      known.isOrder, !item.kind.isOrdered
    else { return [try condition(items)] }
    let answers = try item.kind.numberedAnswers(for: self)
    guard let bound = Double(value), bound.isFinite else {
      throw REDCapLogic.Fault(found: text)
    }
    // REDCap compares codes as numbers; here answers of this kind have no order.
    let order = Condition(item.id, known, .number(bound))
    let held = answers.filter { order.holds(for: [.number($0.number)]) }.map(\.answer)
    guard !held.isEmpty else {
      throw REDCapLogic.Fault(found: "\(text), which no code satisfies")
    }
    guard enablement == .all, held.count > 1 else { return held.map { Condition(item.id, .equal, $0) } }
    let others = answers.map(\.answer).filter { !held.contains($0) }
    return [Condition(item.id, .exists, .yes(true))] + others.map { Condition(item.id, .notEqual, $0) }
  }

  private func condition(_ items: [String: Item]) throws(REDCapLogic.Fault) -> Condition {
    guard let item = items[field] else {
      throw REDCapLogic.Fault(found: "the field [\(field)], which is not there")
    }
    if let code {
      guard relation == "=" || relation == "<>", value == "1" || value == "0" else {
        throw REDCapLogic.Fault(found: "[\(field)(\(code))] \(relation) '\(value)'")
      }
      return Condition(item.id, (relation == "=") == (value == "1") ? .equal : .notEqual, .choice(code))
    }
    guard let known = Condition.Relation(rawValue: relation == "<>" ? "!=" : relation) else {
      throw REDCapLogic.Fault(found: "\(relation)")
    }
    if value.isEmpty, known == .equal || known == .notEqual {
      return Condition(item.id, .exists, .yes(known == .notEqual))
    }
    guard let operand = item.kind.operand(value) else {
      throw REDCapLogic.Fault(found: text)
    }
    return Condition(item.id, known, operand)
  }
}

extension ItemKind {
  /// Answers without an order of their own, each with the number that is its code in REDCap.
  ///
  /// - Throws: ``REDCapLogic/Fault`` for kinds without such answers, and for codes that are no numbers.
  fileprivate func numberedAnswers(
    for comparison: REDCapLogic.Comparison
  ) throws(REDCapLogic.Fault) -> [(number: Double, answer: AnswerValue)] {
    let answers: [(number: Double?, answer: AnswerValue)] =
      switch self {
      case .yesNo: [(1, .yes(true)), (0, .yes(false))]
      case .single(let options, _):
        options.map { option in (number: Double(option.code), answer: AnswerValue.choice(option.code)) }
      default: []
      }
    let numbered = answers.compactMap { code, answer -> (number: Double, answer: AnswerValue)? in
      guard let code, code.isFinite else { return nil }
      return (code, answer)
    }
    guard !answers.isEmpty, numbered.count == answers.count else {
      throw REDCapLogic.Fault(found: "\(comparison.text), whose answers have no order")
    }
    return numbered
  }

  /// An answer as branching logic writes it.
  fileprivate func operand(_ text: String) -> AnswerValue? {
    switch self {
    case .text, .email: .text(text)
    // JSON, in which conditions are written, has no other numbers.
    case .number, .scale, .numberScroll, .minutesScroll:
      Double(text).flatMap { $0.isFinite ? .number($0) : nil }
    case .yesNo: ["1": AnswerValue.yes(true), "0": .yes(false)][text]
    case .yesNoDontKnow: ["yes": AnswerValue.yes(true), "no": .yes(false), "dont_know": .dontKnow][text]
    case .single, .multiple: .choice(text)
    case .time: LocalTime(text).map { .time($0) }
    case .date: CalendarDate(text).map { .date($0) }
    case .group, .info: nil
    }
  }
}

extension Condition {
  /// As branching logic; nil for what it cannot say.
  ///
  /// - Parameters:
  ///   - item: The question.
  ///   - field: Name of its field.
  func redcap(asking item: Item, _ field: String) -> String? {
    if relation == .exists {
      if case .multiple = item.kind { return nil }
      return "[\(field)] \(operand == .yes(true) ? "<>" : "=") ''"
    }
    guard let value = operand.redcap(item.kind) else { return nil }
    if case .multiple = item.kind { return "[\(field)(\(value))] = '\(relation == .equal ? 1 : 0)'" }
    let text = "[\(field)] \(relation == .notEqual ? "<>" : relation.rawValue) '\(value)'"
    return relation == .less || relation == .lessOrEqual ? "([\(field)] <> '' and \(text))" : text
  }
}

extension AnswerValue {
  fileprivate func redcap(_ kind: ItemKind) -> String? {
    switch (self, kind) {
    case (.text(let text), _): text.utf8.contains(UInt8(ascii: "'")) ? nil : text
    case (.number(let number), _): NumberWords.of(number)
    case (.yes(let yes), .yesNoDontKnow): yes ? "yes" : "no"
    case (.yes(let yes), _): yes ? "1" : "0"
    case (.dontKnow, _): "dont_know"
    case (.choices(let codes, other: nil), _): codes.count == 1 ? REDCapNames.code(codes[0]) : nil
    case (.choices, _): nil
    case (.time(let time), _): "\(time)"
    case (.date(let date), _): "\(date)"
    }
  }
}
