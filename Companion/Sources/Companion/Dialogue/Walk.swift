import Questionnaires

/// The way of one sitting through a questionnaire: what waits for an answer, and what was passed or gone back to.
struct Walk {
  private var passed: Set<QuestionPlace> = []
  /// A place that was passed before and comes again, because somebody went back.
  private var revisited: QuestionPlace?

  /// Begins at the first question that is neither answered nor left out; what is to be read before an answered one is not said again.
  ///
  /// - Parameter left: ``Response/passed``.
  init(_ display: Display, passed left: [AnswerKey: Int] = [:]) {
    passed = Set(left.map { key, count in count == 0 ? .question(key) : .again(key, count: count) })
    let order = display.order
    let first = order.firstIndex { Self.waits($0, display) && !passed.contains($0) }
    let before = order[..<(first ?? order.endIndex)]
    let last = before.lastIndex { if case .question = $0 { true } else { false } }
    if let last { passed.formUnion(order[...last]) }
  }

  private static func waits(_ place: QuestionPlace, _ display: Display) -> Bool {
    if case .question(let key) = place { display.value(of: key) == nil } else { false }
  }

  /// The next place; nil at the end.
  func place(in display: Display) -> QuestionPlace? {
    let order = display.order
    if let revisited, order.contains(revisited) { return revisited }
    return order.first { place in
      guard !passed.contains(place) else { return false }
      if case .question(let key) = place { return display.value(of: key) == nil }
      return true
    }
  }

  /// Goes on behind a place.
  mutating func pass(_ place: QuestionPlace) {
    passed.insert(place)
    if revisited == place { revisited = nil }
  }

  /// Comes to a place again that has an answer by now.
  mutating func revisit(_ place: QuestionPlace) {
    passed.remove(place)
    revisited = place
  }

  /// The question before the present place, or the one for another repetition; nil where there is no earlier one.
  func former(in display: Display) -> QuestionPlace? {
    let order = display.order
    let present = place(in: display).flatMap { order.firstIndex(of: $0) } ?? order.endIndex
    return order[..<present].last { if case .reading = $0 { false } else { true } }
  }

  /// Goes to the question before the present place, which may be the one for another repetition.
  ///
  /// - Returns: False where there is no earlier one.
  mutating func goBack(in display: Display) -> Bool {
    guard let former = self.former(in: display) else { return false }
    revisit(former)
    return true
  }
}
