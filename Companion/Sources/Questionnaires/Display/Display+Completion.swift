extension Display {
  /// Progress through the questions that are shown.
  public struct Progress: Sendable, Hashable {
    public let answered: Int
    public let shown: Int
    /// Places of required questions without an answer, in their order.
    public let missing: [AnswerKey]

    /// True when every required question that is shown has its answer.
    public var isComplete: Bool { missing.isEmpty }
  }

  public var progress: Progress {
    let questions = shown.filter { outline.item($0.item)?.kind.isQuestion == true }
    return Progress(
      answered: questions.count { sheet[$0] != nil }, shown: questions.count,
      missing: questions.filter { outline.item($0.item)?.isRequired == true && sheet[$0] == nil })
  }

  /// Answers that leave: of what is shown, in the questionnaire's order. The others stay on the sheet.
  public var submitted: [(key: AnswerKey, answer: AnswerSheet.Answer)] {
    shown.compactMap { key in sheet.answers[key].map { (key, $0) } }
  }

  /// Ids of the questions that are shown nowhere: nobody is asked them for these answers.
  public var hiddenQuestions: Set<String> {
    Set(outline.questionnaire.allItems.filter(\.kind.isQuestion).map(\.id)).subtracting(shown.map(\.item))
  }

  /// The first question that waits for an answer, in the questionnaire's order; nil where none does.
  public var next: AnswerKey? {
    shown.first { outline.item($0.item)?.kind.isQuestion == true && sheet[$0] == nil }
  }
}

extension Outline {
  /// Refuses an answer to what is not asked, or what is no answer to it. Decides of that question alone, not of the whole display.
  ///
  /// - Parameter sheet: Everything answered so far.
  /// - Throws: ``AnswerRefusal``.
  public func check(_ value: AnswerValue, for key: AnswerKey, on sheet: AnswerSheet) throws(AnswerRefusal) {
    guard let item = item(key.item) else {
      throw AnswerRefusal(
        item: key.item, found: "an unknown question", expected: "one of \(questionnaire.url)")
    }
    guard Display.isShown(key, self, sheet) else {
      throw AnswerRefusal(
        item: key.item, found: "an answer to a question that is not shown",
        expected: "one that the other answers lead to")
    }
    try item.check(value)
  }
}
