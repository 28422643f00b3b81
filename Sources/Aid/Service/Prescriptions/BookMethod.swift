import Base
import Book
import Control
import Prescriptions
import Sealing

/// A method of the prescription book, carried out by the daemon, or by a command while no daemon runs.
package protocol BookMethod: ControlMethod {
  associatedtype Reply

  /// Longest wait for the disk, s; nil: as for every call.
  static var patience: Double? { get }

  /// True for a method that begins a book where there is none.
  static var beginsBook: Bool { get }

  /// True for a method that writes a change into the book, so that its failure for want of room is the book's own.
  static var changesBook: Bool { get }

  /// The answer while there is no book, so that asking makes none; nil: there has to be one.
  static var answerWithoutBook: Reply? { get }

  /// - Throws: ``Failure``; the book is then as it was.
  func answer(in session: BookSession) throws(Failure) -> Reply
}

extension BookMethod {
  package static var patience: Double? { nil }
  package static var beginsBook: Bool { false }
  package static var changesBook: Bool { Reply.self == BookAnswer.self }
  package static var answerWithoutBook: Reply? { nil }
}

/// One person's actions on an open book.
package struct BookSession {
  let book: PrescriptionBook
  let actor: Actor
  /// Files that are backed up along with the book.
  let profile: Profile
  /// Refuses a verified prescription that this device cannot play, before it is in the book.
  let check: (Signed<Prescription>) throws(Failure) -> Void

  /// Carries out an action.
  func carryOut<Value>(_ action: @autoclosure () throws(BookError) -> Value) throws(Failure) -> Value {
    do throws(BookError) { return try action() } catch { throw Failure(error) }
  }

  /// Carries out a choice within an environment. A refusal of what was to be chosen names the latest prescription there that may be.
  func choose<Value>(
    in environment: ListeningEnvironment?, _ action: @autoclosure () throws(BookError) -> Value
  ) throws(Failure) -> Value {
    do throws(BookError) { return try action() } catch {
      let refusal = Failure(error)
      switch error {
      case .expired, .trialOver, .overBeforeCorrection, .clinicRevoked:
        guard let environment, let other = usable(for: environment) else { throw refusal }
        throw Failure(
          refusal.subject, inWords: refusal.found, remedy: Self.advice(other), exit: refusal.exitStatus)
      default: throw refusal
      }
    }
  }

  /// The patient's latest entry for an environment that may be put in force and is not; nil: there is none.
  func usable(for environment: ListeningEnvironment) -> BookEntry? {
    let state = book.state
    return ownEntries.last { entry in
      entry.environment == environment && entry.number != state.inForce?.number
        && (try? state.using(entry.number)) != nil
    }
  }

  /// A sentence on an entry of ``usable(for:)``.
  static func advice(_ entry: BookEntry) -> String {
    "The latest one that may be used: auricle rx use \(entry.number)"
  }

  /// A verified card that is taken in: not a clinic's own.
  func read(_ card: String) throws(Failure) -> VerifiedCard {
    let read = try carryOut(try book.read(card, by: actor))
    if case .returnPass = read {
      throw Failure(
        "card", found: "a pass that returns a clinic's device", expected: "a prescription or another pass",
        remedy: "The operator uses it: auricle device return PASS", exit: .badData)
    }
    guard case .clinic(let clinic) = read else { return read }
    throw Failure(
      "card", found: "the card of the clinic \(clinic.name)", expected: "a prescription or a pass",
      remedy: "Trust the clinic with: auricle trust add", exit: .badData)
  }

  func changed(_ message: String) -> BookAnswer { BookAnswer(message: message, book: BookReport(book)) }

  /// Answer to what has put an entry in force: that it is, or, of one on trial, until when and who makes it final.
  ///
  /// - Parameter isAgain: True: it was in force before.
  func changed(to entry: BookEntry, isAgain: Bool = false) -> BookAnswer {
    let state = book.state
    let replacement = state.replacementElsewhere(of: entry).map {
      " Its clinic replaces it by serial \($0.prescription.serial), for \($0.environment.word): ask there which one"
        + " you are to use."
    }
    guard let trial = state.trial(of: entry) else {
      return changed("In force \(isAgain ? "again" : "from now"): \(entry.words).\(replacement ?? "")")
    }
    let isClinics = state.isClinicsTrial(entry) && !entry.prescription.wearerMayAccept
    return changed(
      "\(isAgain ? "In force again, on trial" : "On trial") until \(trial.ends.localText): \(entry.words). "
        + (isClinics ? "The clinic makes it final with a new card." : "Keep it with: auricle rx accept")
        + (replacement.map { (isClinics ? "" : ".") + $0 } ?? ""))
  }

  /// The entry with a number, or the one in force.
  func entry(_ number: Int?) throws(Failure) -> BookEntry {
    let state = book.state
    guard let entry = number == nil ? state.inForce : number.flatMap(state.entry) else {
      throw Failure(number.map { BookError.noEntry($0, count: state.entries.count) } ?? .nothingInForce)
    }
    return entry
  }

  /// The entry with a number, or the one in force, of the patient that the device belongs to: nobody reads the
  /// former owner's card.
  func ownEntry(_ number: Int?) throws(Failure) -> BookEntry {
    let entry = try entry(number)
    guard entry.prescription.patient.identity == book.state.boundPatient?.identity else {
      throw Failure(BookError.otherPatient)
    }
    return entry
  }

  /// Entries of the patient that the device belongs to, in the order of loading.
  var ownEntries: [BookEntry] {
    let state = book.state
    return state.entries.filter { $0.prescription.patient.identity == state.boundPatient?.identity }
  }

  /// The environment of that name, or the only one with that beginning, for which that patient has a prescription.
  func prescribed(_ word: String) throws(Failure) -> ListeningEnvironment {
    let named = try rethrowing(
      { (error: PrescriptionError) in Failure("environment", found: "\(error)", exit: .usage) },
      try ListeningEnvironment(word: word))
    let known = Set(ownEntries.map(\.environment))
    if known.contains(named) { return named }
    let meant = known.filter { $0.word.hasPrefix(named.word) }
    if meant.count == 1, let only = meant.first { return only }
    let words = known.map(\.word).sorted()
    let list = words.isEmpty ? "" : ", only for \(English.list(words, "and"))"
    throw Failure(
      "prescription book", inWords: "There is no prescription for \(named.word)\(list)",
      remedy: Spelling.nearest(to: named.word, among: words).map { "Did you mean \($0)?" }, exit: .usage)
  }
}

extension BookEntry {
  /// `number 3, for quiet, from City Hearing Clinic (serial 12)`.
  var words: String {
    "number \(number), for \(environment.word), from \(card.clinic.name) (serial \(prescription.serial))"
  }
}

/// Outcome of an action on the book, and the book then.
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

extension Failure {
  /// A book's error, with the exit status of a command that ends with it.
  init(_ error: BookError) {
    let failure = Failure(
      error.isAboutTheCard ? "card" : "prescription book", inWords: "\(error)", exit: error.exitStatus)
    // Their reasons may quote what the card says of somebody's hearing.
    switch error {
    case .card(.invalidContent(let place, _)): self = failure.logged(asKind: "invalid content at \(place)")
    case .unreadableRow(let row, _): self = failure.logged(asKind: "row \(row), which cannot be understood")
    case .callersRefusal(let refusal): self = refusal
    default: self = failure
    }
  }
}

extension BookError {
  /// True when the card is refused; false when the book fails.
  fileprivate var isAboutTheCard: Bool {
    switch self {
    case .card, .otherPatient, .alreadyInBook, .serialReused, .superseded, .older, .expired, .trialOver,
      .clinicRevoked, .passUsed, .issuedBefore, .overBeforeCorrection, .notConfirmed, .notHandedOver,
      .otherClinicsPass, .otherDevice, .referenceOfOtherKey:
      true
    default: false
    }
  }

  fileprivate var exitStatus: ExitStatus {
    switch self {
    case .card, .alreadyInBook, .serialReused, .superseded, .older, .expired, .trialOver, .passUsed,
      .notABook, .newerBook, .harmfulDevices, .corrupt, .unreadableRow, .auditBroken, .auditTruncated,
      .issuedBefore, .overBeforeCorrection, .lengthUnproved:
      .badData
    case .otherPatient, .clinicRevoked, .handedOver, .otherClinicsPass, .otherDevice, .trialIsTheClinics,
      .referenceOfOtherKey:
      .noPermission
    case .noEntry, .nothing, .nothingInForce, .noTrial, .nothingBefore, .alreadyInForce,
      .alreadyOnTrial, .trialDuration, .unknownClinic, .alreadyEnrolled, .alreadyRevoked,
      .developerModeNotOpen, .clockNotBehind, .notConfirmed, .nothingToAccept, .clockBeforeIssue,
      .notHandedOver:
      .usage
    case .sealing(let error): error.exitStatus
    case .lockedBy: .temporary
    case .callersRefusal(let refusal): refusal.exitStatus
    case .closed: .software
    }
  }
}

extension SealingError {
  fileprivate var exitStatus: ExitStatus {
    switch self {
    case .alteredRow, .notABackup, .keySize, .wrongKey, .tooLarge: .badData
    case .unsafeFile, .backupDoesNotOpen: .noPermission
    case .passphraseTooShort: .usage
    case .diskFull, .inputOutput: .inputOutput
    case .readOnly, .fileExists: .cannotCreate
    case .keyLost: .configuration
    }
  }
}
