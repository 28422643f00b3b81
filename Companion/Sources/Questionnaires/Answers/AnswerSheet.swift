import Almanac

/// Everything that somebody answered in one occurrence of a questionnaire, hidden answers too.
///
/// One answer for each question; a later one takes its place and is counted as a change. What conditions have hidden since is kept apart
/// and never leaves (``Display/submitted``): when it is shown again it is there.
///
/// - Threads: any.
public struct AnswerSheet: Sendable, Hashable {
  /// An answer with what is known of how it came.
  public struct Answer: Sendable, Hashable {
    public var value: AnswerValue
    /// Moment at which the question was first on the screen.
    public var shown: Instant
    /// Moment of this answer, never before ``shown`` nor before the answer that it replaced.
    public var answered: Instant
    /// Answers that it replaced.
    public var changes: Int
    /// Time from the question to this answer by a clock that nobody sets, ms; nil where it was not measured.
    public var took: Int?

    public init(value: AnswerValue, shown: Instant, answered: Instant, changes: Int, took: Int? = nil) {
      (self.value, self.shown, self.answered) = (value, shown, answered)
      (self.changes, self.took) = (changes, took)
    }
  }

  public private(set) var answers: [AnswerKey: Answer] = [:]
  /// Repetitions of repeated groups, by the group's place; one where nothing is kept.
  public private(set) var repetitions: [AnswerKey: Int] = [:]
  private var firstShown: [AnswerKey: Instant] = [:]

  public init() {}

  /// A sheet that was kept.
  public init(answers: [AnswerKey: Answer], repetitions: [AnswerKey: Int]) {
    (self.answers, self.repetitions) = (answers, repetitions)
  }

  /// Notes that a question came onto the screen, once.
  public mutating func show(_ key: AnswerKey, at moment: Instant) {
    firstShown[key] = firstShown[key] ?? moment
  }

  /// Keeps an answer, which ``Item/check(_:)`` has taken.
  ///
  /// - Parameters:
  ///   - moment: By a clock that may have been set back meanwhile: times stay in their order.
  ///   - took: As ``Answer/took``.
  public mutating func set(_ value: AnswerValue, for key: AnswerKey, at moment: Instant, took: Int? = nil) {
    let former = answers[key]
    let shown = former?.shown ?? min(firstShown[key] ?? moment, moment)
    let changes = former.map { $0.value == value ? $0.changes : $0.changes + 1 } ?? 0
    let answered = max(moment, shown, former?.answered ?? moment)
    answers[key] = Answer(value: value, shown: shown, answered: answered, changes: changes, took: took)
  }

  /// Takes an answer back.
  public mutating func clear(_ key: AnswerKey) { answers[key] = nil }

  /// - Parameter count: From 1; the answers of repetitions beyond it are kept, and not shown.
  public mutating func repeatGroup(_ key: AnswerKey, _ count: Int) { repetitions[key] = max(1, count) }

  /// Moment at which a question that waits for an answer was first on the screen.
  public func shown(_ key: AnswerKey) -> Instant? { answers[key]?.shown ?? firstShown[key] }

  /// The same answers, each as ``AnswerValue/inOrder(of:)`` has it.
  public func inOrder(of outline: Outline) -> AnswerSheet {
    var sheet = self
    for (key, answer) in answers {
      guard case .choices(let codes, _) = answer.value, codes.count > 1, let item = outline.item(key.item)
      else { continue }
      sheet.answers[key]?.value = answer.value.inOrder(of: item)
    }
    return sheet
  }

  /// The value alone.
  public subscript(key: AnswerKey) -> AnswerValue? { answers[key]?.value }
}
