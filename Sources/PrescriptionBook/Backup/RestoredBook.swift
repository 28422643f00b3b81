/// A book that was put back.
public struct RestoredBook: Sendable, Hashable {
  /// The head of the trail in the backup; the book itself has one row more, which says that it was restored.
  public let head: AuditHead
  /// Where the book is that stood there before; nil when there was none.
  public let keptAside: String?
}
