import Almanac
import Base

/// Items that some answers lead to, found by trying for each the answers at which its conditions change.
///
/// Of a question only the answers matter that a condition tells apart: each option, of several each set of those that conditions name, and
/// each number, time and date of a condition with its neighbours. Where there are too many together to be tried, an item counts as reached.
struct Reach {
  private let outline: Outline
  private var known: [String: Bool] = [:]

  /// Most sets of answers that are tried for one item. Own choice: a tenth of a second.
  private static let mostTried = 20_000

  /// A sheet without answers, all of whose groups are repeated.
  private let repeated: AnswerSheet

  init(_ outline: Outline) {
    self.outline = outline
    var sheet = AnswerSheet()
    func add(_ items: [Item], _ path: [Int]) {
      for item in items {
        guard case .group(let most) = item.kind else { continue }
        sheet.repeatGroup(AnswerKey(item.id, path), Self.repetitions(of: item))
        for number in 0..<Self.repetitions(of: item) {
          add(item.items, most == nil ? path : path + [number])
        }
      }
    }
    add(outline.questionnaire.items, [])
    repeated = sheet
  }

  mutating func isReachable(_ id: String) -> Bool {
    if let known = known[id] { return known }
    let result = decide(id)
    known[id] = result
    return result
  }

  private mutating func decide(_ id: String) -> Bool {
    guard let node = outline.nodes[id] else { return false }
    if let parent = node.parent, !isReachable(parent) { return false }
    let own = places(of: id)
    var (choices, count): ([(place: AnswerKey, answers: [AnswerValue?])], Int) = ([], 1)
    for (question, operands) in questionsDeciding(id) {
      // A question that is never shown is never answered.
      guard let item = outline.item(question), isReachable(question) else { continue }
      guard let values = item.candidates(operands) else { return true }
      for place in places(of: question) {
        choices.append((place, [nil] + values.map(Optional.some)))
        count *= values.count + 1
        guard count <= Self.mostTried else { return true }
      }
    }
    for number in 0..<count {
      var sheet = repeated
      var rest = number
      for (place, answers) in choices {
        if let value = answers[rest % answers.count] {
          sheet.set(value, for: place, at: Instant(seconds: 0))
        }
        rest /= answers.count
      }
      if Display.isShown(atAnyOf: own, outline, sheet) { return true }
    }
    return false
  }

  /// Places of an item: in repeated groups several, because from outside one may satisfy one condition and another the next.
  private func places(of question: String) -> [AnswerKey] {
    var paths: [[Int]] = [[]]
    for group in outline.nodes[question]?.repeated ?? [] {
      paths = paths.flatMap { path in (0..<Self.repetitions(of: outline.item(group))).map { path + [$0] } }
    }
    return paths.map { AnswerKey(question, $0) }
  }

  /// As many as three conditions on one question can tell apart.
  private static func repetitions(of group: Item?) -> Int {
    if case .group(let most?)? = group?.kind { min(max(1, most), 3) } else { 1 }
  }

  /// All questions on which an item's being shown depends, also through others, with the operands of the conditions by which it does: those of
  /// other items tell apart answers that are the same to this one.
  private func questionsDeciding(_ id: String) -> [(question: String, operands: [AnswerValue])] {
    var (found, open) = ([String](), [id])
    var operands: [String: [AnswerValue]] = [:]
    var seen: Set<String> = [id]
    while let next = open.popLast(), let node = outline.nodes[next] {
      for condition in node.item.conditions {
        if operands[condition.question] == nil { found.append(condition.question) }
        operands[condition.question, default: []].append(condition.operand)
        if seen.insert(condition.question).inserted { open.append(condition.question) }
      }
      if let parent = node.parent, seen.insert(parent).inserted { open.append(parent) }
    }
    return found.map { ($0, operands[$0] ?? []) }
  }
}

extension Item {
  /// Most options of several that conditions name and whose sets are all tried. Own choice: 256 sets.
  private static let mostNamed = 8

  /// Answers at which conditions with these operands change; nil where there are too many.
  fileprivate func candidates(_ operands: [AnswerValue]) -> [AnswerValue]? {
    var values: [AnswerValue]
    switch kind {
    case .yesNo: values = [.yes(true), .yes(false)]
    case .yesNoDontKnow: values = [.yes(true), .yes(false), .dontKnow]
    case .single(let options, _): values = options.map { .choice($0.code) }
    case .multiple(let options, _):
      let named = operands.compactMap { if case .choices(let codes, _) = $0 { codes.first } else { nil } }
      let codes = options.map(\.code).filter(named.contains)
      guard codes.count <= Self.mostNamed else { return nil }
      // Each set of the named, and one that none names.
      values = (0..<(1 << codes.count)).dropFirst().map { set in
        .choices(codes.indices.filter { set & (1 << $0) != 0 }.map { codes[$0] }, other: nil)
      }
      values += options.map(\.code).filter { !named.contains($0) }.prefix(1).map { .choice($0) }
    // A character of nobody's alphabet (private use), which no condition names.
    case .text: values = operands + [.text("\u{F8FF}")]
    case .email: values = operands + [.text("nobody@example.org")]
    case .number(let range), .scale(let range), .numberScroll(let range), .minutesScroll(let range):
      let numbers = operands.compactMap { if case .number(let number) = $0 { number } else { nil } }
      values = range.candidates(numbers).map { .number($0) }
    case .time:
      values =
        [.time(LocalTime.noon)]
        + operands.flatMap { operand -> [AnswerValue] in
          guard case .time(let time) = operand else { return [] }
          return [-60, 0, 60].map { time.seconds + $0 }.filter { 0..<86_400 ~= $0 }
            .compactMap { LocalTime(hour: $0 / 3600, minute: $0 / 60 % 60, second: $0 % 60) }.map {
              .time($0)
            }
        }
    case .date(let from, let to):
      values = [from ?? to ?? CalendarDate(dayNumber: 0)].compactMap(\.self).map { .date($0) }
      values += operands.flatMap { operand -> [AnswerValue] in
        guard case .date(let date) = operand else { return [] }
        return [-1, 0, 1].compactMap { date.adding(days: $0) }.map { .date($0) }
      }
    case .group, .info: values = []
    }
    return values.filter { (try? check($0)) != nil }
  }
}

extension NumberRange {
  fileprivate func candidates(_ numbers: [Double]) -> [Double] {
    let unit = step ?? 1
    let near = numbers.flatMap { number -> [Double] in
      // The two numbers of the range around one that is not among them.
      let below = (least ?? 0) + ((number - (least ?? 0)) / unit).rounded(.down) * unit
      return [number, number - unit, number + unit, below, below + unit]
    }
    let ends = [least, greatest].compactMap(\.self)
    // Between two numbers there is always another one where no step is stated.
    let known = Set(numbers + ends).sorted()
    let between = step == nil ? zip(known, known.dropFirst()).map { $0 + ($1 - $0) / 2 } : []
    return Set(near + between + ends + (ends.isEmpty ? [0] : [])).filter(contains).sorted()
  }
}
