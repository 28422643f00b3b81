import Base
import Book
import Prescriptions

/// One person's actions on an open book.
package struct BookSession {
  let book: PrescriptionBook
  let actor: Actor
  /// Refuses a verified prescription that this device cannot play, before it is in the book.
  let check: (Signed<Prescription>) throws(Failure) -> Void

  func changed(_ message: String) -> BookAnswer {
    BookAnswer(message: message, book: BookReport(book))
  }

  private func of<Value>(_ work: () throws(BookError) -> Value) throws(BookRefusal) -> Value {
    do throws(BookError) {
      return try work()
    } catch {
      throw .book(error)
    }
  }

  // MARK: - Loading

  func load(_ text: String) throws(BookRefusal) -> String {
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
      do throws(Failure) { try check(card) } catch { throw .unplayable(error) }
      let entry = try of { () throws(BookError) in try book.load(card, by: actor) }
      let trial = book.state.trials[entry.environment].flatMap { $0.entry == entry.number ? $0.ends : nil }
      guard let trial else { return "In force from now: \(entry.words)." }
      return "On trial until \(trial.localText): \(entry.words). Keep it with: auricle rx accept"
    }
  }

  // MARK: - Choosing

  func use(_ wanted: String) throws(BookRefusal) -> BookEntry {
    if let number = Int(wanted) {
      return try of { () throws(BookError) in try book.use(entry: number, by: actor) }
    }
    let environment = try prescribed(wanted)
    return try of { () throws(BookError) in try book.use(environment, by: actor) }
  }

  func beginTrial(_ wanted: String?, _ seconds: Int) throws(BookRefusal) -> String {
    let entry = if let wanted { try chosen(wanted) } else { try latest() }
    let trial = try of { () throws(BookError) in
      try book.beginTrial(of: entry.number, for: seconds, by: actor)
    }
    return "On trial until \(trial.ends.localText): \(entry.words). Then the former one returns by itself. "
      + "Keep it with: auricle rx accept"
  }

  func accept() throws(BookRefusal) -> String {
    "Kept: \(try of { () throws(BookError) in try book.accept(by: actor) }.words)."
  }

  func revert() throws(BookRefusal) -> String {
    let entry = try of { () throws(BookError) in try book.revert(by: actor) }
    return entry.map { "In force again: \($0.words)." }
      ?? "Nothing was prescribed before it: nothing is amplified now."
  }

  /// The entry of a number, or the latest one for an environment.
  private func chosen(_ word: String) throws(BookRefusal) -> BookEntry {
    if let number = Int(word) { return try entry(number) }
    let environment = try prescribed(word)
    guard let entry = book.state.entries.last(where: { $0.environment == environment }) else {
      throw .book(.nothing(for: environment))
    }
    return entry
  }

  /// An entry of the patient that the device belongs to: nobody reads the former owner's card.
  func ownEntry(_ number: Int?) throws(BookRefusal) -> BookEntry {
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

  /// The environment of that name, or the only one with that beginning, for which there is a prescription.
  private func prescribed(_ word: String) throws(BookRefusal) -> ListeningEnvironment {
    let named: ListeningEnvironment
    do {
      named = try ListeningEnvironment(word: word)
    } catch {
      throw .environment("\(error)")
    }
    let known = Set(book.state.entries.map(\.environment))
    if known.contains(named) { return named }
    let meant = known.filter { $0.word.hasPrefix(named.word) }
    if meant.count == 1, let only = meant.first { return only }
    throw .noneFor(named, known: known.map(\.word).sorted())
  }

  // MARK: - Trust

  func enrol(_ text: String, _ compared: String) throws(BookRefusal) -> String {
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
    return "\(clinic.name) is trusted: its cards are accepted from now on."
  }

  func revoke(_ beginning: String) throws(BookRefusal) -> String {
    let wanted = FingerprintText(beginning)
    let found = book.state.clinics.filter { wanted.begins($0.identity.fingerprint) }
    guard found.count == 1, let clinic = found.first?.identity else { throw .clinics(found.count) }
    try of { () throws(BookError) in try book.revoke(clinic.fingerprint, by: actor) }
    return "Cards of \(clinic.name) are refused from now on; what was loaded from it stays in force."
  }
}

extension BookSession {
  func audit(_ count: Int) throws(BookRefusal) -> AuditReport {
    try of { () throws(BookError) in try AuditReport(book, count: count) }
  }

  func verifyAudit() throws(BookRefusal) -> AuditVerdict {
    try of { () throws(BookError) in try AuditVerdict(book) }
  }

  func correctClock() throws(BookRefusal) -> String {
    try of { () throws(BookError) in try book.correctClock(by: actor) }
    return "The book goes by the system's clock again: \(book.now.localText)."
  }

  func backUp(to path: String, _ passphrase: String) throws(BookRefusal) -> String {
    let head = try of { () throws(BookError) in
      try book.backup(to: path, passphrase: passphrase, by: actor)
    }
    return "Wrote the whole book, \(head.count) actions, to \(path), and read it back."
  }
}

extension BookEntry {
  /// `number 3, for quiet, from City Hearing Clinic (serial 12)`.
  var words: String {
    "number \(number), for \(environment.word), from \(card.clinic.name) (serial \(prescription.serial))"
  }
}

/// What was done to the book, and what it holds then.
package struct BookAnswer: Sendable, Codable, Equatable {
  static let words = "'message', whole sentences; 'book' then, as of prescription.list"

  /// One or more whole sentences for the person who asked.
  package let message: String
  package let book: BookReport
}

/// A card's text, as it was scanned.
package struct CardReport: Sendable, Codable, Equatable {
  package let card: String
}
