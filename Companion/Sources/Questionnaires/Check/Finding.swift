/// Something that keeps a questionnaire from being published, or that its author should know before.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
  public let kind: Kind
  /// Id of the item; nil: the whole.
  public let item: String?
  public let found: String
  public let remedy: String

  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Its conditions contradict its structure: a cycle, an unknown question, an id given twice.
    case structure
    /// No answers lead to it.
    case unreachable
    /// It must be answered and no answers lead to it.
    case requiredButHidden = "required-but-hidden"
    /// A condition that no answer to its question could satisfy, or that every one does.
    case condition
    /// A range without numbers, options without codes and the like.
    case kind
    /// Codes that a data set or the answer of a program cannot tell apart from several: a warning.
    case joinedCodes = "joined-codes"
    case untranslated
  }

  /// True for what does not keep a questionnaire from being published.
  public var isWarning: Bool { kind == .joinedCodes }

  public init(_ kind: Kind, _ item: String?, _ found: String, remedy: String) {
    (self.kind, self.item, self.found, self.remedy) = (kind, item, found, remedy)
  }

  public var description: String { (item.map { "\($0): " } ?? "") + "\(found); \(remedy)" }
}
