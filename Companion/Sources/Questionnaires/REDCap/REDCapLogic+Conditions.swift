import Almanac
import Base

extension REDCapLogic {
  /// The conditions of an item.
  ///
  /// - Parameter items: By the names of their fields.
  /// - Throws: ``Fault`` for what conditions of one item cannot say.
  func conditions(_ items: [String: Item]) throws(Fault) -> ([Condition], Enablement) {
    if let single = try condition(items) { return ([single], .all) }
    let (parts, enablement): ([REDCapLogic], Enablement) =
      switch self {
      case .all(let parts): (parts, .all)
      case .any(let parts): (parts, .any)
      case .comparison: ([self], .all)
      }
    var conditions: [Condition] = []
    for part in parts {
      guard let condition = try part.condition(items) else {
        throw Fault(found: "\"and\" within \"or\", or the other way about")
      }
      conditions.append(condition)
    }
    return (conditions, enablement)
  }

  /// Nil for several.
  private func condition(_ items: [String: Item]) throws(Fault) -> Condition? {
    switch self {
    case .comparison(let comparison): return try comparison.condition(items)
    case .all(let parts):
      // An empty field is below every number there, and never here: both comparisons together are one condition.
      guard parts.count == 2, case .comparison(let there) = parts[0],
        case .comparison(let below) = parts[1],
        there.relation == "<>", there.value.isEmpty, there.field == below.field,
        ["<", "<="].contains(below.relation)
      else { return nil }
      return try below.condition(items)
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

  fileprivate func condition(_ items: [String: Item]) throws(REDCapLogic.Fault) -> Condition {
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
      throw REDCapLogic.Fault(found: "[\(field)] \(relation) '\(value)'")
    }
    return Condition(item.id, known, operand)
  }
}

extension ItemKind {
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
