/// What the daemon answers to a ``BookCall`` that succeeds.
public enum BookReply: Sendable, Equatable {
  /// To loading, choosing, trying, accepting and reverting: what the book holds then, with what was done in
  /// one sentence.
  case changed(BookAnswer)
  case list(BookReport)
  case card(CardReport)
  case clinics(ClinicsReport)
  case audit(AuditReport)
  case verdict(AuditVerdict)
}

extension BookReply: Encodable {
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .changed(let change): try change.encode(to: encoder)
    case .list(let report): try report.encode(to: encoder)
    case .card(let report): try report.encode(to: encoder)
    case .clinics(let report): try report.encode(to: encoder)
    case .audit(let report): try report.encode(to: encoder)
    case .verdict(let verdict): try verdict.encode(to: encoder)
    }
  }
}

/// What was done to the book, and what it holds then.
public struct BookAnswer: Sendable, Codable, Equatable {
  /// One or more whole sentences for the person who asked.
  public let message: String
  public let book: BookReport

  public init(message: String, book: BookReport) {
    self.message = message
    self.book = book
  }
}
