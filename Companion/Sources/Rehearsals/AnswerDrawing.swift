import Almanac
import Base
import Questionnaires
import Studies

/// Answers that a simulated person gives: of the question's kind and range, and as the person's kind wants the gateways.
struct AnswerDrawing {
  private let kind: PersonKind
  /// Conditions of gateways by their question.
  private let conditions: [String: [Condition]]

  init(_ kind: PersonKind, _ study: Study) {
    self.kind = kind
    conditions = Dictionary(grouping: study.gateways.flatMap(\.conditions)) { $0.question }
  }

  /// - Returns: Nil where the person leaves the question out.
  func answer(to item: Item, _ numbers: inout PersonNumbers) -> AnswerValue? {
    let wanted = conditions[item.id] ?? []
    if !wanted.isEmpty, kind == .everyGateway || kind == .noGateway {
      // Tried until it fits: most questions have few answers.
      for _ in 0..<200 {
        guard let value = Self.drawn(item, &numbers) else { continue }
        let opens = wanted.map { $0.holds(for: [value]) }
        if kind == .everyGateway ? opens.allSatisfy(\.self) : !opens.contains(true) { return value }
      }
    }
    if !item.isRequired, numbers.happens(0.1) { return nil }
    return Self.drawn(item, &numbers)
  }

  /// Any answer that the question takes; nil for kinds that ask nothing.
  static func drawn(_ item: Item, _ numbers: inout PersonNumbers) -> AnswerValue? {
    switch item.kind {
    case .text(let most): return .text(String("It was as usual.".prefix(most ?? 100)))
    case .email: return .text("person@example.org")
    case .number(let range), .scale(let range), .numberScroll(let range), .minutesScroll(let range):
      return .number(number(range, &numbers))
    case .yesNo: return .yes(numbers.happens(0.5))
    case .yesNoDontKnow: return numbers.happens(0.1) ? .dontKnow : .yes(numbers.happens(0.5))
    case .single(let options, _): return numbers.one(of: options).map { .choice($0.code) }
    case .multiple(let options, _):
      let some = numbers.some(of: options)
      return .choices((some.isEmpty ? Array(options.prefix(1)) : some).map(\.code), other: nil)
    case .time: return LocalTime("\(numbers.whole(10...23)):\(numbers.whole(10...59))").map { .time($0) }
    case .date(let from, let to):
      return (from ?? to ?? CalendarDate(year: 2020, month: 1, day: 1)).map { .date($0) }
    case .group, .info: return nil
    }
  }

  /// Most steps from the least number. Own choice: many more than people tell apart, and few enough that a
  /// double has each of them within the millionth of a step that ``NumberRange`` allows.
  private static let mostSteps = 1e9

  /// Numbers to draw from where an end is missing: as far as people count. Own choice.
  private static let span = 100.0

  private static func number(_ range: NumberRange, _ numbers: inout PersonNumbers) -> Double {
    if range.least == nil, let greatest = range.greatest, greatest < 0 {
      return number(downFrom: greatest, range.step, &numbers)
    }
    let least = range.least ?? 0
    let end = max(least, range.greatest ?? least + span)
    // Of a span that no double holds the first half, which one does.
    let greatest = (end - least).isFinite ? end : end / 2 + least / 2
    guard let step = range.step, step > 0 else { return numbers.number(least...greatest) }
    let steps = min(((greatest - least) / step + 1e-6).rounded(.down), mostSteps)
    // As a step such as 0.1 is not exact in binary, the last one may lie a little beyond the end.
    return min(least + Double(numbers.whole(0...Int(steps))) * step, greatest)
  }

  /// A number of a range that ends below 0 and has no least: steps count from 0.
  private static func number(
    downFrom greatest: Double, _ step: Double?, _ numbers: inout PersonNumbers
  ) -> Double {
    guard let step, step > 0 else { return numbers.number(greatest - span...greatest) }
    let last = (greatest / step + 1e-6).rounded(.down)
    let steps = min((span / step).rounded(.down), mostSteps)
    return min((last - Double(numbers.whole(0...Int(steps)))) * step, greatest)
  }
}
