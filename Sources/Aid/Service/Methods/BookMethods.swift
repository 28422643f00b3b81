import Control

/// Methods of trusted clinics.
package enum TrustMethods {
  static let all: [any BookMethod.Type] = [Add.self, Revoke.self, List.self]

  package struct Add: BookMethod {
    package static let description = MethodDescription(
      "trust.add", for: .wearer, "Trusts a clinic from now on.",
      [
        MethodParameter("card", .text, "the text of the clinic's own card"),
        MethodParameter("fingerprint", .text, "of its key, as a person has compared it"),
      ], answer: BookAnswer.words)
    package static let beginsBook = true

    let card: String
    let fingerprint: String

    package init(card: String, fingerprint: String) {
      self.card = card
      self.fingerprint = fingerprint
    }

    package func answer(in session: BookSession) throws(BookRefusal) -> BookAnswer {
      session.changed(try session.enrol(card, fingerprint))
    }
  }

  package struct Revoke: BookMethod {
    package static let description = MethodDescription(
      "trust.revoke", for: .wearer, "Trusts a clinic no more.",
      [MethodParameter("fingerprint", .text, "of its key, or the beginning of one, four digits or more")],
      answer: BookAnswer.words)

    let fingerprint: String

    package init(fingerprint: String) { self.fingerprint = fingerprint }

    package func answer(in session: BookSession) throws(BookRefusal) -> BookAnswer {
      session.changed(try session.revoke(fingerprint))
    }
  }

  package struct List: BookMethod {
    package static let description = MethodDescription(
      "trust.list", for: .any, "Lists the clinics whose cards are trusted.",
      answer: "what auricle trust list --json prints")

    package init() {}

    package static var answerWithoutBook: ClinicsReport? { ClinicsReport(clinics: []) }

    package func answer(in session: BookSession) -> ClinicsReport {
      ClinicsReport(session.book.state.clinics)
    }
  }
}

/// Methods of the audit trail and of the book as a whole.
package enum BookMethods {
  static let all: [any BookMethod.Type] = [
    ShowAudit.self, VerifyAudit.self, BackUp.self, CorrectClock.self,
  ]

  package struct ShowAudit: BookMethod {
    /// Lines that one answer holds.
    package static let counts = 1...1000

    package static let description = MethodDescription(
      "audit.show", for: .any, "Gives the newest lines of the audit trail.",
      [MethodParameter("count", .whole(counts), "lines at most")],
      answer: "what auricle audit show --json prints")

    let count: Int

    package init(count: Int) { self.count = count }

    package static var answerWithoutBook: AuditReport? { AuditReport(total: 0, lines: []) }

    package func answer(in session: BookSession) throws(BookRefusal) -> AuditReport {
      try session.audit(count)
    }
  }

  package struct VerifyAudit: BookMethod {
    package static let description = MethodDescription(
      "audit.verify", for: .any, "Verifies the chain of the audit trail.",
      answer: "what auricle audit verify --json prints")

    package init() {}

    package static var answerWithoutBook: AuditVerdict? { AuditVerdict(count: 0, problem: nil) }

    package func answer(in session: BookSession) throws(BookRefusal) -> AuditVerdict {
      try session.verifyAudit()
    }
  }

  package struct BackUp: BookMethod {
    package static let description = MethodDescription(
      "book.backup", for: .wearer, "Writes the whole book into one file, sealed with a passphrase.",
      [
        MethodParameter("path", .text, "of the file; it must not be there"),
        MethodParameter("passphrase", .text, "four words are enough"),
      ], answer: BookAnswer.words)
    /// A key is derived with scrypt, which is meant to take its time, and a client waits five seconds for
    /// its answer.
    package static let patience: Double? = 4.5

    let path: String
    let passphrase: String

    package init(path: String, passphrase: String) {
      self.path = path
      self.passphrase = passphrase
    }

    package func answer(in session: BookSession) throws(BookRefusal) -> BookAnswer {
      session.changed(try session.backUp(to: path, passphrase))
    }
  }

  package struct CorrectClock: BookMethod {
    package static let description = MethodDescription(
      "book.clock", for: .wearer,
      "Believes the system's clock although it is behind the latest time in the book.",
      answer: BookAnswer.words)

    package init() {}

    package func answer(in session: BookSession) throws(BookRefusal) -> BookAnswer {
      session.changed(try session.correctClock())
    }
  }
}
