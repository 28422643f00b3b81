import Base

/// What the daemon answers to a ``BookCall`` that succeeds.
package enum BookReply: Sendable, Equatable {
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
  package func encode(to encoder: any Encoder) throws {
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
package struct BookAnswer: Sendable, Codable, Equatable {
  /// One or more whole sentences for the person who asked.
  package let message: String
  package let book: BookReport

  package init(message: String, book: BookReport) {
    self.message = message
    self.book = book
  }
}

extension ControlClient {
  /// Changes the book: loading, choosing, trying, accepting, reverting, enrolling, revoking.
  package func change(_ call: BookCall) throws(Failure) -> BookAnswer {
    try ask(.book(call), for: BookAnswer.self)
  }

  package func book() throws(Failure) -> BookReport { try ask(.book(.list), for: BookReport.self) }

  /// - Parameter number: In the book; nil: the prescription in force.
  package func card(number: Int?) throws(Failure) -> CardReport {
    try ask(.book(.card(number: number)), for: CardReport.self)
  }

  package func clinics() throws(Failure) -> ClinicsReport {
    try ask(.book(.clinics), for: ClinicsReport.self)
  }

  package func audit(count: Int) throws(Failure) -> AuditReport {
    try ask(.book(.audit(count: count)), for: AuditReport.self)
  }

  package func verifyAudit() throws(Failure) -> AuditVerdict {
    try ask(.book(.verifyAudit), for: AuditVerdict.self)
  }
}
