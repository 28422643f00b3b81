import AuditTrail
import Base
import Book
import Control
import Prescriptions

/// Methods of trusted clinics.
package enum TrustMethods {
  package struct Add: BookMethod {
    package static let description = MethodDescription(
      "trust.add", for: [.audiologist, .operator], "Trusts a clinic from now on.",
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

    package func answer(in session: BookSession) throws(Failure) -> BookAnswer {
      let clinic = try rethrowing(
        { Failure(BookError.card($0)) }, try ClinicIdentity(reading: try CardText(reading: card)))
      let state = session.book.state
      let cautions = clinic.cautions(beside: state.clinics, at: state.moment)
      guard FingerprintText(fingerprint) == FingerprintText(clinic.fingerprint) else {
        throw Failure(
          "clinic's card", found: "the key \(clinic.fingerprint.grouped)",
          expected: "the key that was compared", remedy: "Do not trust this card.", exit: .noPermission)
      }
      try session.carryOut(try session.book.enrol(clinic, by: session.actor))
      let isOver = clinic.validUntil.map { $0 <= state.moment } ?? false
      let outcome = isOver ? "" : ": its cards are accepted from now on"
      return session.changed(
        (["\(clinic.name) is trusted\(outcome)."] + cautions).joined(separator: " "))
    }
  }

  package struct Revoke: BookMethod {
    package static let description = MethodDescription(
      "trust.revoke", for: [.audiologist, .operator], "Trusts a clinic no longer.",
      [MethodParameter("fingerprint", .text, "of its key, or the beginning of one, four digits or more")],
      answer: BookAnswer.words)

    let fingerprint: String

    package init(fingerprint: String) { self.fingerprint = fingerprint }

    package func answer(in session: BookSession) throws(Failure) -> BookAnswer {
      let wanted = FingerprintText(fingerprint)
      let found = session.book.state.clinics.map(\.identity).filter { wanted.begins($0.fingerprint) }
      guard found.count == 1, let clinic = found.first else {
        throw Failure(
          "fingerprint",
          found: "\(found.isEmpty ? "no clinic" : "\(found.count) clinics") with this beginning",
          expected: "four digits or more, enough to mean one clinic", remedy: "See: auricle trust list",
          exit: .usage)
      }
      try session.carryOut(try session.book.revoke(clinic.fingerprint, by: session.actor))
      return session.changed(
        "Cards of \(clinic.name) are refused from now on; "
          + "what is in force of it stays so, a trial until its end.")
    }
  }

  package struct List: BookMethod {
    package static let description = MethodDescription(
      "trust.list", for: [.wearer, .audiologist, .operator], "Lists the clinics whose cards are trusted.",
      answer: "what auricle trust list --json prints")

    package init() {}

    package static var answerWithoutBook: ClinicsReport? { ClinicsReport(clinics: []) }

    package func answer(in session: BookSession) -> ClinicsReport {
      ClinicsReport(session.book.state.clinics)
    }
  }
}

/// A fingerprint as a person types or reads it: in groups, in either case, with spaces, hyphens or colons.
package struct FingerprintText: Sendable, Hashable {
  /// Hexadecimal digits in capitals, nothing else.
  package let digits: String

  package init(_ text: String) { digits = text.uppercased().filter { !" -:\t\n".contains($0) } }

  package init(_ fingerprint: KeyFingerprint) { self.init(fingerprint.grouped) }

  /// True when this is the beginning of `fingerprint`, four digits at least.
  package func begins(_ fingerprint: KeyFingerprint) -> Bool {
    digits.count >= 4 && FingerprintText(fingerprint).digits.hasPrefix(digits)
  }
}

/// Methods of the audit trail and of the book as a whole.
package enum BookMethods {
  package struct ShowAudit: BookMethod {
    /// Lines that one answer holds.
    package static let counts = 1...1000

    package static let description = MethodDescription(
      "audit.show", for: [.wearer, .audiologist, .operator], "Gives the newest lines of the audit trail.",
      [MethodParameter("count", .whole(counts), "lines at most")],
      answer: "what auricle audit show --json prints")

    let count: Int

    package init(count: Int) { self.count = count }

    package static var answerWithoutBook: AuditReport? { AuditReport(total: 0, lines: []) }

    package func answer(in session: BookSession) throws(Failure) -> AuditReport {
      let entries = try session.carryOut(try session.book.audit())
      return AuditReport(total: entries.count, lines: entries.suffix(count).map(AuditReport.Line.init))
    }
  }

  package struct VerifyAudit: BookMethod {
    package static let description = MethodDescription(
      "audit.verify", for: [.wearer, .audiologist, .operator], "Verifies the chain of the audit trail.",
      [
        MethodParameter(
          "head", .text, isOptional: true, "the 'head' of an earlier answer, which was kept elsewhere")
      ], answer: "what auricle audit verify --json prints")

    let head: String?

    /// - Parameter head: Text of a head that was kept elsewhere; nil: none.
    package init(head: String? = nil) { self.head = head }

    package static var answerWithoutBook: AuditVerdict? { AuditVerdict(count: 0, problem: nil) }

    package func check() throws(ControlFailure) {
      guard let head, AuditHead(text: head) == nil else { return }
      throw .parameter(
        "head", found: "\"\(head.prefix(80))\"", expected: "a head as auricle audit head prints it")
    }

    /// A broken trail is an answer.
    package func answer(in session: BookSession) throws(Failure) -> AuditVerdict {
      do throws(BookError) {
        let found = try session.book.verifyAudit(against: head.flatMap { AuditHead(text: $0) })
        return AuditVerdict(count: found.count, head: found.text, problem: nil)
      } catch {
        switch error {
        case .auditBroken, .auditTruncated, .lengthUnproved, .sealing(.alteredRow), .unreadableRow,
          .corrupt:
          return AuditVerdict(count: session.book.count, problem: "\(error)")
        default: throw Failure(error)
        }
      }
    }
  }

  package struct AcceptDamage: BookMethod {
    package static let description = MethodDescription(
      "audit.accept", for: [.audiologist, .operator],
      "Accepts the audit trail although the note of its length was missing.",
      answer: BookAnswer.words)

    package init() {}

    package func answer(in session: BookSession) throws(Failure) -> BookAnswer {
      try session.carryOut(try session.book.acceptDamage(by: session.actor))
      return session.changed("The audit trail is taken as it is; that you did so is in it.")
    }
  }

  package struct BackUp: BookMethod {
    package static let description = MethodDescription(
      "book.backup", for: [.wearer, .audiologist],
      "Writes the profile, which is the book, program, volume, tone, stream, measured feedback and configuration,"
        + " into one file, sealed with a passphrase.",
      [
        MethodParameter("path", .text, "of the file; it must not be there"),
        MethodParameter("passphrase", .text, "four words are enough"),
      ], answer: BookAnswer.words)
    /// A key is derived with scrypt, which is meant to take its time, and a client waits five seconds for
    /// its answer.
    package static let patience: Double? = 4.5
    /// The disk that has no room is mostly the backup's, not the book's.
    package static let changesBook = false

    let path: String
    let passphrase: String

    package init(path: String, passphrase: String) {
      self.path = path
      self.passphrase = passphrase
    }

    package func answer(in session: BookSession) throws(Failure) -> BookAnswer {
      try session.profile.makePlace(of: path)
      try session.profile.refuseOwnPlace(path)
      let (files, missing) = try session.profile.parts()
      let head = try session.carryOut(
        try session.book.backup(to: path, passphrase: passphrase, with: files, by: session.actor))
      let others = files.isEmpty ? "" : ", with " + English.list(files.map(\.name), "and")
      return session.changed(
        (["Wrote the whole book, \(head.count) actions\(others), to \(path), and read it back."] + missing)
          .joined(separator: " "))
    }
  }

  package struct CorrectClock: BookMethod {
    package static let description = MethodDescription(
      "book.clock", for: [.audiologist, .operator],
      "Believes the system's clock although it is behind the latest time in the book.",
      answer: BookAnswer.words)

    package init() {}

    package func answer(in session: BookSession) throws(Failure) -> BookAnswer {
      try session.carryOut(try session.book.correctClock(by: session.actor))
      return session.changed("The book goes by the system's clock again: \(session.book.now.localText).")
    }
  }
}
