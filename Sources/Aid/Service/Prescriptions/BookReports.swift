import Book
import Control
import Prescriptions

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
    let trial = state.trials[entry.environment].flatMap { $0.entry == entry.number ? $0 : nil }
    let isExpired = prescription.expires.map { $0 <= state.moment } ?? false
    self.init(
      number: entry.number, serial: prescription.serial, clinic: entry.card.clinic.name,
      key: entry.card.clinic.fingerprint.grouped, environment: entry.environment.word,
      issued: prescription.issued.time, expires: prescription.expires?.time, loaded: entry.loaded.time,
      isActive: isActive,
      standing: trial != nil
        ? "on trial"
        : isActive
          ? "current"
          : isExpired
            ? "expired"
            : prescription.patient.identity == state.boundPatient?.identity
              ? "former" : "another patient's",
      trialEnds: trial?.ends.time)
  }
}

extension BookReport.InForce {
  /// Nil when nothing is prescribed.
  init?(_ state: BookState) {
    guard let entry = state.inForce else { return nil }
    let trial = state.trials[entry.environment].flatMap { $0.entry == entry.number ? $0 : nil }
    self.init(
      number: entry.number, serial: entry.prescription.serial, clinic: entry.card.clinic.name,
      environment: entry.environment.word, trialEnds: trial?.ends.time)
  }
}

extension StatusReport.Prescription {
  init(_ state: BookState, notes: [String]) {
    let inForce = BookReport.InForce(state)
    self.init(
      number: inForce?.number, serial: inForce?.serial, clinic: inForce?.clinic,
      environment: inForce?.environment,
      trialEnds: inForce?.trialEnds, expires: state.inForce?.prescription.expires?.time,
      developerMode: state.developerModeEnds?.time, notes: notes)
  }

  /// Of a book that cannot be read.
  init(_ known: Signed<Prescription>?, problem: String) {
    self.init(
      serial: known?.content.serial, clinic: known?.clinic.name,
      environment: known?.content.environment.word, expires: known?.content.expires?.time,
      notes: [problem] + (known == nil ? [] : ["The last prescription that was heard stays in force."]))
  }
}

extension ClinicsReport {
  init(_ clinics: [TrustedClinic]) {
    self.init(
      clinics: clinics.map {
        Clinic(
          name: $0.identity.name, fingerprint: $0.identity.fingerprint.grouped, enrolled: $0.enrolled.time,
          revoked: $0.revoked?.time, validUntil: $0.identity.validUntil?.time, card: $0.identity.cardText)
      })
  }
}

extension Instant {
  /// s since 1970-01-01 UTC, as reports have it.
  var time: Double { Double(seconds) }
}
