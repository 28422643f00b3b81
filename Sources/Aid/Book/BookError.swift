import AuditTrail
import Base
import Prescriptions
import Sealing

/// Refusal or failure of the book. Nothing is changed then, and what it had read stays usable.
///
/// No case carries a patient's name or a threshold: descriptions may go to a log.
package enum BookError: Error, Equatable {
  // Cards.

  /// The card itself is refused.
  case card(PrescriptionError)
  /// The device is bound to another person.
  case otherPatient
  /// The person is known by a clinic's reference alone, which came from the key `known` of that name; that one is trusted still.
  case referenceOfOtherKey(name: String, known: KeyFingerprint, found: KeyFingerprint, isDevices: Bool)
  /// The very same prescription is entry `entry`: harmless.
  case alreadyInBook(entry: Int, isInForce: Bool)
  /// Another prescription of the same clinic has this serial.
  case serialReused(serial: Int, entry: Int)
  case superseded(serial: Int, by: Int)
  /// The same clinic's prescription `than` for the same environment is newer.
  case older(serial: Int, than: Int)
  /// Another clinic's entry for the same environment was issued later.
  case issuedBefore(entry: Int, at: Instant)
  case expired(at: Instant)
  case trialOver(at: Instant)
  case clinicRevoked(name: String, at: Instant)
  /// The pass was used before.
  case passUsed
  /// The device is this clinic's; with the keys where the one to which it was to be handed over has its name.
  case handedOver(name: String, found: KeyFingerprint? = nil, expected: KeyFingerprint? = nil)
  /// The device is its owner's: no pass returns it.
  case notHandedOver
  /// A return pass of a clinic that is not the device's; with the keys where the two have one name.
  case otherClinicsPass(
    name: String, owner: String, found: KeyFingerprint? = nil, expected: KeyFingerprint? = nil)
  /// A return pass of another device, or of another hand-over of this one.
  case otherDevice(found: DeviceNumber, expected: DeviceNumber)
  /// Its time was over by the book's time before that was set back.
  case overBeforeCorrection
  /// Nobody confirmed it as it was shown, or the book changed since.
  case notConfirmed

  // Choices.

  case noEntry(Int, count: Int)
  case nothing(for: ListeningEnvironment)
  case nothingInForce
  case noTrial(ListeningEnvironment)
  /// The clinic makes it final, not the wearer.
  case trialIsTheClinics(serial: Int, until: Instant)
  /// There is no former prescription to go back to.
  case nothingBefore(ListeningEnvironment)
  case alreadyInForce(entry: Int)
  /// A clinic's trial runs until the end that its card states; in another environment than the selected one it is not in force.
  case alreadyOnTrial(entry: Int, until: Instant, isInForce: Bool)
  /// Outside ``BookTrial/durations``.
  case trialDuration(Int)
  case unknownClinic(KeyFingerprint)
  case alreadyEnrolled(name: String)
  case alreadyRevoked(name: String, at: Instant)
  case developerModeNotOpen
  /// The system's clock is not behind the book's.
  case clockNotBehind
  /// The system's clock is before the issue of a card in the book: it is wrong, or the clock by which the card was made was.
  case clockBeforeIssue(entry: Int, at: Instant)
  /// No missing note of the head waits for being accepted.
  case nothingToAccept

  // The disk.

  /// A file, a key, a sealed row or a backup.
  case sealing(SealingError)
  case lockedBy(process: Int32?, path: String)
  /// The database's pages contradict each other.
  case corrupt(path: String, detail: String)
  case notABook(path: String)
  /// Written by a later version.
  case newerBook(path: String)
  /// A backup whose configuration has devices, `device.playback = "NAME"`, by whose names alsa-lib may start programs or write files.
  case harmfulDevices(path: String, settings: [String])
  /// Whoever restores refuses to go on, for instance beside an aid that has been started meanwhile.
  case callersRefusal(Failure)
  /// The book was closed, or never finished opening.
  case closed

  // Things that keys protect.

  /// The row is as it was written, and its card cannot be read.
  case unreadableRow(Int, reason: String)
  case auditBroken(row: Int, reason: String)
  case auditTruncated(found: Int, expected: Int)
  /// The note of the head was missing once, and nobody has accepted that.
  case lengthUnproved
}

extension BookError: CustomStringConvertible {
  /// The way on from a number that another key of the clinic's name brought.
  private static func remedy(ofOtherKeyThan known: KeyFingerprint, isDevices: Bool) -> String {
    let asked = "ask the clinic for a card with name and date of birth, or with another number."
    guard !isDevices else {
      return "The former key is that of the clinic whose device this is, and stays trusted: \(asked)"
    }
    return "If both keys are the same clinic's, trust the former one no longer: auricle trust revoke"
      + " \(known.grouped.filter { $0 != " " }.prefix(8)). Load this card then, and trust the former key again, without"
      + " which its prescriptions cannot be chosen: auricle trust add CARD. If they are not, \(asked)"
  }

  /// The way on where a clock is right and a card's issue is not.
  static let wayOutOfWrongIssue =
    "If the clock is right, that card was made by a wrong one: restore a backup from before it was loaded, or move the book"
    + " and its key away, and trust the clinic and scan a card that is made again."

  package var description: String {
    switch self {
    case .card(let error): error.description
    case .otherPatient:
      "This prescription is another person's. The device is bound to one person; an audiologist can bind it"
        + " anew with a binding pass."
    case .referenceOfOtherKey(let name, let known, let found, let isDevices):
      "It is for a number that came from the key \(known.grouped) of \(name), and is signed with another key of that"
        + " name, \(found.grouped): the numbers of two clinics may mean two persons. "
        + Self.remedy(ofOtherKeyThan: known, isDevices: isDevices)
    case .alreadyInBook(let entry, let isInForce):
      "Already in the book as prescription \(entry)"
        + (isInForce ? ", and in force: there is nothing to do." : ". To use it: auricle rx use \(entry).")
    case .serialReused(let serial, let entry):
      "Serial \(serial) is taken by prescription \(entry), which is different. Ask the clinic: a serial"
        + " may be used once only."
    case .superseded(let serial, let newer):
      "Serial \(serial) was replaced by serial \(newer), which is in the book."
    case .older(let serial, let newer):
      "Serial \(serial) is older than serial \(newer) of the same clinic for the same environment."
    case .issuedBefore(let entry, let moment):
      "It was issued before prescription \(entry), which another clinic issued on \(moment.localText) for the same"
        + " environment. Ask its clinic for a new one."
    case .expired(let moment):
      "The prescription expired on \(moment.localText). Ask the clinic for a new one."
    case .trialOver(let moment): "Its trial ended on \(moment.localText). Ask the clinic for a final one."
    case .clinicRevoked(let name, let moment):
      "It is from \(name), whose key was revoked on \(moment.localText)."
    case .passUsed: "This pass was used before. Ask for a new one."
    case .handedOver(let name, let found?, let expected?):
      "This is the key \(found.grouped) of \(name), and the device belongs to the key \(expected.grouped) of that name. It"
        + " is another's again with a pass by that one: auricle device return PASS."
    case .handedOver(let name, _, _):
      "This device belongs to \(name). It is another's again with a pass of that clinic: auricle device return PASS."
    case .notHandedOver: "This device belongs to no clinic: there is nothing to return."
    case .otherClinicsPass(let name, _, let found?, let expected?):
      "This pass is by the key \(found.grouped) of \(name), and the device belongs to the key \(expected.grouped) of that"
        + " name. Ask the clinic for a pass by that one."
    case .otherClinicsPass(let name, let owner, _, _):
      "This pass is from \(name), and the device belongs to \(owner). Ask that clinic for one."
    case .otherDevice(let found, let expected):
      "This pass is for device \(found), and this is \(expected). Ask the clinic for one with that number."
    case .overBeforeCorrection:
      "Its time was over before the book's clock was set back, and stays over. Ask the clinic for a new one."
    case .notConfirmed:
      "Nobody has confirmed this card as it is shown now. Show whose it is and what it changes, ask the wearer, and"
        + " load it with that confirmation."
    case .noEntry(let number, 0): "There is no prescription \(number): the book is empty."
    case .noEntry(let number, let count): "There is no prescription \(number), expected 1 to \(count)."
    case .nothing(let environment): "There is no prescription for \(environment.word)."
    case .nothingInForce: "No prescription is in force."
    case .noTrial(let environment): "Nothing is on trial for \(environment.word)."
    case .trialIsTheClinics(let serial, let moment):
      "The clinic tries prescription \(serial) until \(moment.localText) and makes it final itself, with a new card or as audiologist: auricle rx accept --as audiologist."
        + " Until then it can be left with: auricle rx revert"
    case .nothingBefore(let environment):
      "There is no former prescription for \(environment.word) to go back to."
    case .alreadyInForce(let entry): "Prescription \(entry) is in force already."
    case .alreadyOnTrial(let entry, let moment, let isInForce):
      "Prescription \(entry) is on trial already, until \(moment.localText). The clinic decides how long; it can be "
        + (isInForce ? "left with: auricle rx revert" : "used until then: auricle rx use \(entry)")
    case .trialDuration(let seconds): "Found a trial of \(seconds) s, expected one minute to 14 days."
    case .unknownClinic(let fingerprint): "No clinic has the key \(fingerprint.grouped)."
    case .alreadyEnrolled(let name): "\(name) is enrolled already."
    case .alreadyRevoked(let name, let moment):
      "The key of \(name) was revoked on \(moment.localText) already."
    case .developerModeNotOpen: "Developer mode is not open."
    case .clockNotBehind: "The system's clock is not behind the book's: there is nothing to correct."
    case .clockBeforeIssue(let entry, let moment):
      "The system's clock is before the issue of prescription \(entry), on \(moment.localText): set the clock first. "
        + Self.wayOutOfWrongIssue
    case .nothingToAccept: "The length of the audit trail is proved: there is nothing to accept."
    case .sealing(.inputOutput(let path, let reason)):
      "\(path): the disk fails (\(reason)). Nothing was changed, or all of it: see auricle audit show."
    case .sealing(.notABackup(let path)): "\(path): this is not a backup of a prescription book."
    case .sealing(let error): error.description
    case .lockedBy(let process?, let path):
      "\(path): process \(process) has the book open. Ask it (auricle talks to the running daemon), or end it."
    case .lockedBy(nil, let path): "\(path): another process has the book open."
    case .corrupt(let path, let detail):
      "\(path): the database is damaged (\(detail)). It was left as it is; restore a backup with auricle"
        + " book restore."
    case .notABook(let path):
      "\(path): this is not a prescription book, or its first page is damaged. It was left as it"
        + " is; if it was one, restore a backup with auricle book restore."
    case .newerBook(let path): "\(path): a later version of Auricle wrote this book. Install that version."
    case .harmfulDevices(let path, let settings):
      "\(path): found \(English.list(settings, "and")) in its configuration, by which alsa-lib may start programs or write"
        + " files, expected devices that auricle devices lists. Nothing was changed. Where you know who made the backup, and"
        + " the device is right, set it in the present configuration first: auricle config set KEY=NAME."
    case .callersRefusal(let failure): failure.message
    case .closed: "The book is closed."
    case .unreadableRow(let row, let reason): "Row \(row) of the book cannot be understood: \(reason)"
    case .auditBroken(let row, let reason): AuditTrailError(row: row, reason: reason).description
    case .auditTruncated(let found, let expected):
      "Audit trail: found \(found) rows, expected \(expected): its end was cut off. Restore a backup with auricle"
        + " book restore."
    case .lengthUnproved:
      "Audit trail: the note of its length was missing or damaged once, so rows may have been cut off its end. Compare"
        + " the book with a backup or with a head kept elsewhere (auricle audit verify --head); when it is right:"
        + " auricle audit accept."
    }
  }

  /// Reason of a card's refusal for the audit trail, without names; nil for any other error.
  var refusalWord: String? {
    switch self {
    case .card(let error): "card: " + error.word
    case .otherPatient: "other patient"
    case .referenceOfOtherKey: "reference of another key"
    case .serialReused(let serial, _): "serial \(serial) used again"
    case .superseded(let serial, let newer): "serial \(serial) superseded by \(newer)"
    case .older(let serial, let newer): "serial \(serial) older than \(newer)"
    case .issuedBefore(let entry, _): "issued before prescription \(entry)"
    case .expired: "expired"
    case .overBeforeCorrection: "over before the clock was corrected"
    case .notConfirmed: "not confirmed"
    case .trialOver: "trial over"
    case .clinicRevoked: "clinic revoked"
    case .passUsed: "pass used before"
    case .notHandedOver: "return pass for a device of no clinic"
    case .otherClinicsPass: "return pass of another clinic"
    case .otherDevice: "return pass of another device"
    default: nil
    }
  }
}

extension PrescriptionError {
  /// The case without what it carries.
  fileprivate var word: String {
    switch self {
    case .unknownKey: "unknown key"
    case .revokedKey: "revoked key"
    case .expiredKey: "expired key"
    case .badSignature: "bad signature"
    case .unsupportedAlgorithm: "unsupported algorithm"
    case .bomb: "bomb"
    case .earsSwapped: "ears swapped"
    case .notYetValid: "not yet valid"
    case .expired: "expired"
    case .trialOver: "trial over"
    default: "not a valid card"
    }
  }
}
