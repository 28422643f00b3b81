import AuditTrail
import Base
import Book
import Prescriptions

/// Content of the prescription book and the prescription that is heard, as `auricle rx list --json` prints it.
///
/// No names and no thresholds are in it: they are health data, and stand on the card.
package struct BookReport: Sendable, Codable, Equatable {
  package private(set) var schema = 100
  /// Newest first.
  package let prescriptions: [Entry]
  /// The prescription that is heard; nil: nothing prescribed.
  package let inForce: InForce?
  /// True when the device belongs to a patient.
  package let isBound: Bool
  /// Notes for the reader, whole sentences: an expired prescription, a clock that was set back.
  package var notes: [String] = []

  /// One prescription that was loaded.
  package struct Entry: Sendable, Codable, Hashable {
    /// Counts the book's prescriptions in the order of loading.
    package let number: Int
    /// The clinic's own.
    package let serial: Int
    package let clinic: String
    /// Fingerprint of the clinic's key.
    package let key: String
    package let environment: String
    /// s since 1970-01-01 UTC.
    package let issuedUnixSeconds: Double
    package let expiresUnixSeconds: Double?
    package let loadedUnixSeconds: Double
    /// The one of its environment.
    package let isActive: Bool
    /// Its state now: `current`, `on trial`, `former`, `expired`, `of another patient`.
    package let standing: String
    package let trialEndsUnixSeconds: Double?
    /// Serial of the clinic's prescription for another environment that says it replaces this one, which is in force in its own all the
    /// same; nil: there is none.
    package var replacedBySerial: Int?
  }

  /// The prescription that is heard.
  package struct InForce: Sendable, Codable, Hashable {
    /// Its number in the book.
    package let number: Int
    package let serial: Int
    package let clinic: String
    package let environment: String
    /// s since 1970-01-01 UTC; nil: no trial.
    package let trialEndsUnixSeconds: Double?
  }
}

/// Clinics whose cards are believed, as `auricle trust list --json` prints them.
package struct ClinicsReport: Sendable, Codable, Equatable {
  package private(set) var schema = 100
  package let clinics: [Clinic]

  /// One clinic's key.
  package struct Clinic: Sendable, Codable, Hashable {
    package let name: String
    /// Fingerprint in groups, as people compare it.
    package let fingerprint: String
    /// s since 1970-01-01 UTC.
    package let enrolledUnixSeconds: Double
    package let revokedUnixSeconds: Double?
    package let validUntilUnixSeconds: Double?
    /// The clinic's own card, which carries its public key.
    package let card: String
  }
}

extension BookReport {
  init(_ book: PrescriptionBook) {
    let state = book.state
    self.init(
      prescriptions: state.entries.reversed().map { Entry($0, state) }, inForce: InForce(state),
      isBound: state.boundPatient != nil, notes: book.notices.map { "\($0)" })
  }
}

extension BookReport.Entry {
  init(_ entry: BookEntry, _ state: BookState) {
    let prescription = entry.prescription
    let isActive = state.active[entry.environment] == entry.number
    let trial = state.trial(of: entry)
    let isExpired = state.isExpired(entry)
    let isOwn = prescription.patient.identity == state.boundPatient?.identity
    self.init(
      number: entry.number, serial: prescription.serial, clinic: entry.card.clinic.name,
      key: entry.card.clinic.fingerprint.grouped, environment: entry.environment.word,
      issuedUnixSeconds: prescription.issued.time, expiresUnixSeconds: prescription.expires?.time,
      loadedUnixSeconds: entry.loaded.time, isActive: isActive,
      standing: trial != nil
        ? "on trial"
        : isActive ? "current" : isExpired ? "expired" : isOwn ? "former" : "another patient's",
      trialEndsUnixSeconds: trial?.ends.time,
      replacedBySerial: isActive || trial != nil
        ? state.replacementElsewhere(of: entry)?.prescription.serial : nil)
  }
}

extension BookReport.InForce {
  /// Nil when nothing is prescribed.
  init?(_ state: BookState) {
    guard let entry = state.inForce else { return nil }
    self.init(
      number: entry.number, serial: entry.prescription.serial, clinic: entry.card.clinic.name,
      environment: entry.environment.word, trialEndsUnixSeconds: state.trial(of: entry)?.ends.time)
  }
}

extension BookState {
  /// The running trial of an entry.
  func trial(of entry: BookEntry) -> BookTrial? {
    trials[entry.environment].flatMap { $0.entry == entry.number ? $0 : nil }
  }
}

extension StatusReport.Prescription {
  init(_ state: BookState, notes: [String]) {
    let inForce = BookReport.InForce(state)
    self.init(
      number: inForce?.number, serial: inForce?.serial, clinic: inForce?.clinic,
      environment: inForce?.environment, trialEndsUnixSeconds: inForce?.trialEndsUnixSeconds,
      expiresUnixSeconds: state.inForce?.prescription.expires?.time,
      developerModeUntilUnixSeconds: state.developerModeEnds?.time, notes: notes)
  }

  /// Of a book that cannot be read.
  init(_ known: Signed<Prescription>?, problem: String) {
    self.init(
      serial: known?.content.serial, clinic: known?.clinic.name,
      environment: known?.content.environment.word, expiresUnixSeconds: known?.content.expires?.time,
      notes: [problem] + (known == nil ? [] : ["The last prescription that was heard stays in force."]))
  }
}

extension ClinicsReport {
  init(_ clinics: [TrustedClinic]) {
    self.init(
      clinics: clinics.map {
        Clinic(
          name: $0.identity.name, fingerprint: $0.identity.fingerprint.grouped,
          enrolledUnixSeconds: $0.enrolled.time, revokedUnixSeconds: $0.revoked?.time,
          validUntilUnixSeconds: $0.identity.validUntil?.time, card: $0.identity.cardText)
      })
  }
}

extension Instant {
  /// s since 1970-01-01 UTC, as reports have it.
  var time: Double { Double(seconds) }
}

/// Lines of the audit trail, as `auricle audit show --json` prints them.
package struct AuditReport: Sendable, Codable, Equatable {
  package private(set) var schema = 100
  /// Lines in the whole trail.
  package let total: Int
  /// Oldest first.
  package let lines: [Line]

  /// One action.
  package struct Line: Sendable, Codable, Hashable {
    package let sequence: Int
    /// s since 1970-01-01 UTC.
    package let unixSeconds: Double
    /// `socket`, `command` or `clock`.
    package let channel: String
    package let uid: UInt32
    package let pid: Int32
    /// `audiologist` or `developer`, proved; nil: the right of the user alone.
    package let role: String?
    /// Proof of the role: `PAM` or `pass`.
    package let proof: String?
    package let action: String
    /// Object of the action: a serial, a key.
    package let subject: String
    /// Hexadecimal digits of this line's link of the chain.
    package let hash: String
  }
}

/// Result of verifying the audit trail, as `auricle audit verify --json` prints it.
package struct AuditVerdict: Sendable, Codable, Equatable {
  package private(set) var schema = 100
  /// Lines checked.
  package let count: Int
  /// End of the trail, to be kept elsewhere and given to audit verify --head later; nil: there is none, or a fault.
  package var head: String?
  /// The fault, one sentence naming the first bad line; nil: nothing.
  package var problem: String?

  package var isWhole: Bool { problem == nil }
}

extension AuditReport.Line {
  init(_ row: AuditRow) {
    let subject = [
      row.serial.map { "serial \($0)" },
      row.clinic.map { "key \(KeyFingerprint(base64URL: $0)?.grouped.prefix(9) ?? "?")" }, row.detail,
    ]
    let actor = try? row.actor()
    self.init(
      sequence: row.number, unixSeconds: Double(row.moment),
      channel: actor?.channel.rawValue ?? row.channel,
      uid: UInt32(clamping: row.userID), pid: Int32(clamping: row.processID),
      role: actor?.authority?.role, proof: actor?.authority?.means, action: row.action,
      subject: subject.compactMap(\.self).joined(separator: ", "),
      hash: Hexadecimal.text(row.hash))
  }
}
