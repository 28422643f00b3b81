import Questionnaires

/// The way of one sitting through a questionnaire: what waits for an answer, and what was passed or gone back to.
struct Walk {
  private var passed: Set<QuestionPlace> = []
  /// A question that was answered before and is asked again, because somebody went back.
  private var revisited: QuestionPlace?

  /// Begins at the first question without an answer; what is to be read before an answered one is not said again.
  init(_ display: Display) {
    let order = display.order
    guard let first = order.firstIndex(where: { Self.waits($0, display) }) else { return }
    let before = order[..<first]
    let lastAnswered = before.lastIndex { if case .question = $0 { true } else { false } }
    passed = Set(lastAnswered.map { Array(order[...$0]) } ?? [])
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

  /// Goes to the question before the present place.
  mutating func goBack(in display: Display) {
    let order = display.order
    let present = place(in: display).flatMap { order.firstIndex(of: $0) } ?? order.endIndex
    guard let former = order[..<present].last(where: { if case .question = $0 { true } else { false } })
    else { return }
    passed.remove(former)
    revisited = former
  }
}
