import Almanac

@testable import Questionnaires

/// Items that are shown, found in the plainest way: items are taken for shown or not, again and again from the beginning, until nothing changes. It shares
/// no code with the engine but the values themselves.
struct NaiveDisplay {
  let questionnaire: Questionnaire
  let sheet: AnswerSheet

  struct Place: Hashable {
    let id: String
    let path: [Int]
  }

  func shown() -> Set<Place> {
    var places: [(place: Place, item: Item, around: Place?)] = []
    func collect(_ items: [Item], _ path: [Int], _ around: Place?) {
      for item in items {
        let place = Place(id: item.id, path: path)
        places.append((place, item, around))
        if case .group(let repeats) = item.kind {
          if let repeats {
            let count = min(repeats, sheet.repetitions[AnswerKey(item.id, path)] ?? 1)
            for number in 0..<count { collect(item.items, path + [number], place) }
          } else {
            collect(item.items, path, place)
          }
        }
      }
    }
    collect(questionnaire.items, [], nil)
    var shown = Set(places.map(\.place))
    while true {
      var next: Set<Place> = []
      for (place, item, around) in places {
        if let around, !shown.contains(around) { continue }
        let verdicts = item.conditions.map { condition -> Bool in
          let asked = places.filter { other in
            guard other.place.id == condition.question, shown.contains(other.place) else { return false }
            // In one repetition they see each other, from elsewhere all.
            let shared = groups(of: item.id).count { groups(of: condition.question).contains($0) }
            return Array(other.place.path.prefix(shared)) == Array(place.path.prefix(shared))
          }
          return Self.truth(condition, asked.compactMap { sheet[AnswerKey($0.place.id, $0.place.path)] })
        }
        let holds =
          verdicts.isEmpty
          || (item.enablement == .all ? !verdicts.contains(false) : verdicts.contains(true))
        if holds { next.insert(place) }
      }
      if next == shown { return shown }
      shown = next
    }
  }

  /// Repeated groups around an item.
  private func groups(of id: String) -> [String] {
    func find(_ items: [Item], _ around: [String]) -> [String]? {
      for item in items {
        if item.id == id { return around }
        var inner = around
        if case .group(repeats: .some) = item.kind { inner.append(item.id) }
        if let found = find(item.items, inner) { return found }
      }
      return nil
    }
    return find(questionnaire.items, []) ?? []
  }

  static func truth(_ condition: Condition, _ answers: [AnswerValue]) -> Bool {
    if condition.relation == .exists {
      return (answers.isEmpty ? AnswerValue.yes(false) : .yes(true)) == condition.operand
    }
    func equals(_ answer: AnswerValue) -> Bool {
      if case .choices(let codes, _) = answer, case .choices(let wanted, _) = condition.operand {
        return codes.contains { wanted.contains($0) }
      }
      return "\(answer)" == "\(condition.operand)"
    }
    func number(_ value: AnswerValue) -> Double? {
      switch value {
      case .number(let number): number
      case .time(let time): Double(time.seconds)
      case .date(let date): Double(date.dayNumber)
      default: nil
      }
    }
    if condition.relation == .equal { return answers.contains(where: equals) }
    if condition.relation == .notEqual { return !answers.contains(where: equals) }
    for answer in answers {
      guard let a = number(answer), let b = number(condition.operand) else { continue }
      if condition.relation == .greater, a > b { return true }
      if condition.relation == .less, a < b { return true }
      if condition.relation == .greaterOrEqual, a >= b { return true }
      if condition.relation == .lessOrEqual, a <= b { return true }
    }
    return false
  }
}
