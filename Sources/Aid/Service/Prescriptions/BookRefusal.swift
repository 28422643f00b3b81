import Base
import Book
import Control
import Prescriptions

/// Why a call about the book is not carried out.
package enum BookRefusal: Error, Equatable {
  case book(BookError)
  /// A prescription that the device cannot play.
  case unplayable(Failure)
  /// A clinic's card where a prescription was expected.
  case clinicCard(name: String)
  /// A word that is no environment.
  case environment(String)
  /// No prescription is for the environment; `known` are those that there are prescriptions for.
  case noneFor(ListeningEnvironment, known: [String])
  /// The clinic's key is another than the person compared.
  case fingerprint(found: String)
  /// No clinic, or several, have a fingerprint with this beginning.
  case clinics(Int)
}

extension Failure {
  init(_ refusal: BookRefusal) {
    switch refusal {
    case .book(let error): self.init(error)
    case .unplayable(let failure): self = failure
    case .clinicCard(let name):
      self.init(
        "card", found: "the card of the clinic \(name)", expected: "a prescription or a pass",
        remedy: "Trust the clinic with: auricle trust add", exit: .badData)
    case .environment(let reason): self.init("environment", found: reason, exit: .usage)
    case .noneFor(let environment, let known):
      let nearest = Spelling.nearest(to: environment.word, among: known).map { "Did you mean \($0)?" }
      let list = known.isEmpty ? "" : ", only for \(English.list(known, "and"))"
      self.init(
        "prescription book", inWords: "There is no prescription for \(environment.word)\(list)",
        remedy: nearest, exit: .usage)
    case .fingerprint(let found):
      self.init(
        "clinic's card", found: "the key \(found)", expected: "the key that was compared",
        remedy: "Do not trust this card.", exit: .noPermission)
    case .clinics(let count):
      self.init(
        "fingerprint", found: "\(count == 0 ? "no clinic" : "\(count) clinics") with this beginning",
        expected: "four digits or more, enough to mean one clinic",
        remedy: "See: auricle trust list", exit: .usage)
    }
  }

  /// What a book says, with the exit status of a command that ends with it.
  init(_ error: BookError) {
    let failure = Failure(
      error.isAboutTheCard ? "card" : "prescription book", inWords: "\(error)", exit: error.exitStatus)
    // Their reasons may quote what the card says of somebody's hearing.
    switch error {
    case .card(.invalidContent(let place, _)): self = failure.logged(asKind: "invalid content at \(place)")
    case .unreadableRow(let row, _):
      self = failure.logged(asKind: "row \(row), which cannot be understood")
    default: self = failure
    }
  }
}

extension BookError {
  /// Whether it is the card that is refused, not the book that fails.
  var isAboutTheCard: Bool {
    switch self {
    case .card, .otherPatient, .alreadyInBook, .serialReused, .superseded, .older, .expired, .trialOver,
      .clinicRevoked, .passUsed:
      true
    default: false
    }
  }

  var exitStatus: ExitStatus {
    switch self {
    case .card, .alreadyInBook, .serialReused, .superseded, .older, .expired, .trialOver, .passUsed,
      .notABook,
      .newerBook, .corrupt, .alteredRow, .unreadableRow, .auditBroken,
      .auditTruncated, .notABackup, .keySize, .wrongKey:
      .badData
    case .otherPatient, .clinicRevoked, .unsafeFile, .backupDoesNotOpen: .noPermission
    case .noEntry, .nothing, .nothingInForce, .noTrial, .nothingBefore, .alreadyInForce, .trialDuration,
      .unknownClinic, .alreadyEnrolled, .alreadyRevoked, .developerModeNotOpen, .clockNotBehind,
      .passphraseTooShort:
      .usage
    case .diskFull, .inputOutput: .inputOutput
    case .readOnly, .fileExists: .cannotCreate
    case .lockedBy: .temporary
    case .closed: .software
    case .keyLost: .configuration
    }
  }
}
