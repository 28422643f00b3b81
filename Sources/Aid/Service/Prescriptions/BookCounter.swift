import Base
import Book
import Control
import Prescriptions

/// Carries out one person's calls on an open book.
struct BookCounter {
  let book: PrescriptionBook
  let actor: Actor

  /// - Parameter check: Refuses a verified prescription that this device cannot play.
  /// - Throws: ``BookRefusal``.
  func answer(
    _ call: BookCall, admitting check: (Prescription) throws(Failure) -> Void
  ) throws(BookRefusal) -> BookReply {
    switch call {
    case .load(let card): return changed(try load(card, admitting: check))
    case .list: return .list(BookReport(book))
    case .card(let number): return .card(CardReport(card: try ownEntry(number).card.text.text))
    case .use(let wanted): return changed("Heard from now: \(try use(wanted).words).")
    case .beginTrial(let wanted, let seconds): return changed(try beginTrial(wanted, seconds))
    case .accept:
      return changed("Kept: \(try of { () throws(BookError) in try book.accept(by: actor) }.words).")
    case .revert: return changed(try revert())
    case .enrol(let card, let fingerprint): return changed(try enrol(card, fingerprint))
    case .revoke(let fingerprint): return changed(try revoke(fingerprint))
    case .clinics: return .clinics(ClinicsReport(book.state.clinics))
    case .audit(let count):
      return .audit(try of { () throws(BookError) in try AuditReport(book, count: count) })
    case .verifyAudit: return .verdict(try of { () throws(BookError) in try AuditVerdict(book) })
    case .correctClock:
      try of { () throws(BookError) in try book.correctClock(by: actor) }
      return changed("The book goes by the system's clock again: \(book.now.localText).")
    case .backUp(let path, let passphrase):
      let head = try of { () throws(BookError) in
        try book.backup(to: path, passphrase: passphrase, by: actor)
      }
      return changed("Wrote the whole book, \(head.count) actions, to \(path), and read it back.")
    }
  }

  private func changed(_ message: String) -> BookReply {
    .changed(BookAnswer(message: message, book: BookReport(book)))
  }

  private func of<Value>(_ work: () throws(BookError) -> Value) throws(BookRefusal) -> Value {
    do throws(BookError) {
      return try work()
    } catch {
      throw .book(error)
    }
  }

  // MARK: - Loading

  private func load(
    _ text: String, admitting check: (Prescription) throws(Failure) -> Void
  ) throws(BookRefusal) -> String {
    switch try of({ () throws(BookError) in try book.read(text, by: actor) }) {
    case .clinic(let clinic): throw .clinicCard(name: clinic.name)
    case .developerPass(let pass):
      let end = try of { () throws(BookError) in try book.openDeveloperMode(pass, by: actor) }
      return "Developer mode is open until \(end.localText)."
    case .bindingPass(let pass):
      try of { () throws(BookError) in try book.rebind(pass, by: actor) }
      return
        "This device belongs to another patient from now on. Nothing is prescribed until that patient's card is scanned."
    case .prescription(let card):
      do throws(Failure) { try check(card.content) } catch { throw .unplayable(error) }
      let entry = try of { () throws(BookError) in try book.load(card, by: actor) }
      let trial = book.state.trials[entry.environment].flatMap { $0.entry == entry.number ? $0.ends : nil }
      guard let trial else { return "Heard from now: \(entry.words)." }
      return "On trial until \(trial.localText): \(entry.words). Keep it with: auricle rx accept"
    }
  }

  // MARK: - Choosing

  private func use(_ wanted: String) throws(BookRefusal) -> BookEntry {
    if let number = Int(wanted) {
      return try of { () throws(BookError) in try book.use(entry: number, by: actor) }
    }
    let environment = try environment(wanted)
    return try of { () throws(BookError) in try book.use(environment, by: actor) }
  }

  private func beginTrial(_ wanted: String?, _ seconds: Int) throws(BookRefusal) -> String {
    let entry = if let wanted { try chosen(wanted) } else { try latest() }
    let trial = try of { () throws(BookError) in
      try book.beginTrial(of: entry.number, for: seconds, by: actor)
    }
    return "On trial until \(trial.ends.localText): \(entry.words). Then the former one returns by itself. "
      + "Keep it with: auricle rx accept"
  }

  private func revert() throws(BookRefusal) -> String {
    let entry = try of { () throws(BookError) in try book.revert(by: actor) }
    return entry.map { "Heard again: \($0.words)." }
      ?? "Nothing was prescribed before it: nothing is amplified now."
  }

  /// The entry of a number, or the latest one for an environment.
  private func chosen(_ word: String) throws(BookRefusal) -> BookEntry {
    if let number = Int(word) { return try entry(number) }
    let environment = try environment(word)
    guard let entry = book.state.entries.last(where: { $0.environment == environment }) else {
      throw .book(.nothing(for: environment))
    }
    return entry
  }

  /// An entry of the patient that the device belongs to: nobody reads the former owner's card.
  private func ownEntry(_ number: Int?) throws(BookRefusal) -> BookEntry {
    let entry = try entry(number)
    guard entry.prescription.patient.identity == book.state.boundPatient?.identity else {
      throw .book(.otherPatient)
    }
    return entry
  }

  /// The entry that was loaded last.
  private func latest() throws(BookRefusal) -> BookEntry {
    guard let entry = book.state.entries.last else { throw .book(.nothingInForce) }
    return entry
  }

  private func entry(_ number: Int?) throws(BookRefusal) -> BookEntry {
    let state = book.state
    guard let number else {
      guard let entry = state.inForce else { throw .book(.nothingInForce) }
      return entry
    }
    guard let entry = state.entry(number) else { throw .book(.noEntry(number, count: state.entries.count)) }
    return entry
  }

  private func environment(_ word: String) throws(BookRefusal) -> ListeningEnvironment {
    do {
      return try ListeningEnvironment(word: word)
    } catch {
      throw .environment("\(error)")
    }
  }

  // MARK: - Trust

  private func enrol(_ text: String, _ compared: String) throws(BookRefusal) -> String {
    let clinic: ClinicIdentity
    do {
      clinic = try ClinicIdentity(reading: try CardText(reading: text))
    } catch {
      throw .book(.card(error))
    }
    guard FingerprintText(compared).digits == FingerprintText(clinic.fingerprint).digits else {
      throw .fingerprint(found: clinic.fingerprint.grouped)
    }
    try of { () throws(BookError) in try book.enrol(clinic, by: actor) }
    return "Cards of \(clinic.name) are believed from now on."
  }

  private func revoke(_ beginning: String) throws(BookRefusal) -> String {
    let wanted = FingerprintText(beginning)
    let found = book.state.clinics.filter { wanted.begins($0.identity.fingerprint) }
    guard found.count == 1, let clinic = found.first?.identity else { throw .clinics(found.count) }
    try of { () throws(BookError) in try book.revoke(clinic.fingerprint, by: actor) }
    return "Cards of \(clinic.name) are refused from now on; what was loaded from it stays in force."
  }
}

extension BookEntry {
  /// `number 3, for quiet, from City Hearing Clinic (serial 12)`.
  var words: String {
    "number \(number), for \(environment.word), from \(card.clinic.name) (serial \(prescription.serial))"
  }
}
