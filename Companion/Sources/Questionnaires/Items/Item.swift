/// A question, a text to read, or a group of them.
public struct Item: Sendable, Hashable {
  /// Its name within the questionnaire, never used again for another question (FHIR's `linkId`).
  public var id: String
  public var text: LocalizedText
  public var kind: ItemKind
  /// True when the questionnaire is not complete without an answer, where the question is shown.
  public var isRequired: Bool
  public var help: LocalizedText?
  /// Conditions for being shown; none: always.
  public var conditions: [Condition]
  public var enablement: Enablement
  /// Of a group.
  public var items: [Item]

  public init(
    _ id: String, _ text: LocalizedText, _ kind: ItemKind, isRequired: Bool = false,
    help: LocalizedText? = nil,
    when conditions: [Condition] = [], _ enablement: Enablement = .all, items: [Item] = []
  ) {
    (self.id, self.text, self.kind, self.isRequired) = (id, text, kind, isRequired)
    (self.help, self.conditions, self.enablement, self.items) = (help, conditions, enablement, items)
  }

  /// Itself and all within it.
  var withItems: [Item] { [self] + items.flatMap(\.withItems) }
}

/// Number of conditions that must hold.
public enum Enablement: String, Sendable, Hashable, CaseIterable { case all, any }

/// Something that an answer to another question must be (FHIR's `enableWhen`).
public struct Condition: Sendable, Hashable {
  /// ``Item/id`` of the question.
  public var question: String
  public var relation: Relation
  public var operand: AnswerValue

  public init(_ question: String, _ relation: Relation, _ operand: AnswerValue) {
    (self.question, self.relation, self.operand) = (question, relation, operand)
  }

  /// FHIR R4, `questionnaire-enable-operator`. A question may have several answers; one that is not shown has none.
  public enum Relation: String, Sendable, Hashable, CaseIterable {
    /// There is an answer, or none, as the operand says.
    case exists
    /// At least one answer is equal.
    case equal = "="
    /// No answer is equal; also where there is none.
    case notEqual = "!="
    /// At least one answer is greater; so with the three that follow.
    case greater = ">"
    case less = "<"
    case greaterOrEqual = ">="
    case lessOrEqual = "<="

    /// True for relations of an order, which only numbers, times and dates have.
    var isOrder: Bool {
      switch self {
      case .exists, .equal, .notEqual: false
      case .greater, .less, .greaterOrEqual, .lessOrEqual: true
      }
    }
  }
}
