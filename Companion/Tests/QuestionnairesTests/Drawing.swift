import Almanac
import Base

@testable import Questionnaires

/// Questionnaires and answers drawn from a seed.
struct Draw {
  var numbers: SeededNumbers

  init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &numbers) }
  mutating func chance(_ percent: Int) -> Bool { int(1...100) <= percent }
  mutating func one<Element>(of elements: [Element]) -> Element { elements[int(0...elements.count - 1)] }

  static let options = ["a", "b", "c"].map { Option($0, LocalizedText($0)) }

  mutating func kind() -> ItemKind {
    one(of: [
      .text(maxLength: 20), .email, .number(NumberRange(-3, 3, step: 1)),
      .scale(NumberRange(0, 10, step: 0.5)),
      .numberScroll(NumberRange(0, 5, step: 1, unit: "h")),
      .minutesScroll(NumberRange(0, 60, step: 5, unit: "min")), .yesNo,
      .yesNoDontKnow, .single(Self.options, other: false), .single(Self.options, other: true),
      .multiple(Self.options, other: chance(50)), .time, .date(from: nil, to: nil), .info,
    ])
  }

  /// An answer to a question of a kind, or what a condition may compare it with.
  mutating func value(for kind: ItemKind) -> AnswerValue {
    switch kind {
    case .text: .text(one(of: ["x", "y"]))
    case .email: .text(one(of: ["a@b.org", "c@d.org"]))
    case .number: .number(Double(int(-3...3)))
    case .scale: .number(Double(int(0...20)) / 2)
    case .numberScroll: .number(Double(int(0...5)))
    case .minutesScroll: .number(Double(int(0...12)) * 5)
    case .yesNo: .yes(chance(50))
    case .yesNoDontKnow: one(of: [.yes(true), .yes(false), .dontKnow])
    case .single: .choice(one(of: ["a", "b", "c"]))
    case .multiple:
      .choices(one(of: [["a"], ["b"], ["a", "b"], ["a", "c"], ["a", "b", "c"]]), other: nil)
    case .time: .time(LocalTime(hour: int(0...23), minute: 30)!)
    case .date: .date(CalendarDate(year: 2026, month: 3, day: int(1...28))!)
    case .group, .info: .yes(true)
    }
  }

  /// Items, of which each may depend on any question before it.
  mutating func questionnaire(count: Int) -> Questionnaire {
    var questions: [Item] = []
    var items: [Item] = []
    var number = 0
    func name() -> String {
      number += 1
      return "i\(number)"
    }
    for _ in 0..<count {
      if chance(20) {
        var group = Item(name(), "group", .group(repeats: chance(50) ? int(1...3) : nil))
        group.conditions = conditions(on: questions)
        group.enablement = one(of: Enablement.allCases)
        for _ in 0..<int(1...4) {
          var item = Item(name(), "item", kind(), isRequired: false)
          item.conditions = conditions(on: questions)
          item.enablement = one(of: Enablement.allCases)
          group.items.append(item)
          if item.kind.isQuestion { questions.append(item) }
        }
        items.append(group)
      } else {
        var item = Item(name(), LocalizedText("item", ["de": "Frage"]), kind())
        item.conditions = conditions(on: questions)
        item.enablement = one(of: Enablement.allCases)
        item.isRequired = item.kind.isQuestion && chance(30)
        if chance(10) { item.help = LocalizedText("help", ["de": "Hilfe"]) }
        items.append(item)
        if item.kind.isQuestion { questions.append(item) }
      }
    }
    return Questionnaire(url: "urn:test:drawn", version: "1", title: "Drawn", items: items)
  }

  private mutating func conditions(on questions: [Item]) -> [Condition] {
    guard !questions.isEmpty, chance(60) else { return [] }
    return (0..<int(1...3)).map { _ in
      let asked = one(of: questions)
      let relation = one(of: Condition.Relation.allCases.filter { asked.kind.isOrdered || !$0.isOrder })
      if relation == .exists { return Condition(asked.id, .exists, .yes(chance(70))) }
      var operand = value(for: asked.kind)
      if case .choices(let codes, _) = operand { operand = .choice(codes[0]) }
      return Condition(asked.id, relation, operand)
    }
  }

  mutating func sheet(for questionnaire: Questionnaire) -> AnswerSheet {
    var sheet = AnswerSheet()
    let start = Instant(seconds: 0)
    func fill(_ items: [Item], _ repetition: [Int]) {
      for item in items {
        let key = AnswerKey(item.id, repetition)
        guard case .group(let repeats) = item.kind else {
          if item.kind.isQuestion, chance(65) { sheet.set(value(for: item.kind), for: key, at: start) }
          continue
        }
        guard let repeats else {
          fill(item.items, repetition)
          continue
        }
        let count = int(1...4)
        if count > 1 || chance(50) { sheet.repeatGroup(key, count) }
        for number in 0..<min(count, repeats) { fill(item.items, repetition + [number]) }
      }
    }
    fill(questionnaire.items, [])
    return sheet
  }
}
