public import Prescriptions

/// Why the book does not do what it was asked. Nothing is changed then, and what it had read stays usable.
///
/// No case carries a patient's name or a threshold: descriptions may go to a log.
public enum BookError: Error, Equatable {
  // Cards.

  /// The card itself is refused.
  case card(CardError)
  /// Another kind of card was expected.
  case otherKindOfCard(found: String, expected: String)
  /// The device is bound to another person.
  case otherPatient
  /// The very same prescription is entry `entry`: harmless.
  case alreadyInBook(entry: Int)
  /// Another prescription of the same clinic has this serial.
  case serialReused(serial: Int, entry: Int)
  case superseded(serial: Int, by: Int)
  /// The same clinic's prescription `than` for the same environment is newer.
  case older(serial: Int, than: Int)
  case expired(at: Instant)
  case trialOver(at: Instant)
  case clinicRevoked(name: String, at: Instant)
  /// The pass was used before.
  case passUsed

  // Choices.

  case noEntry(Int, count: Int)
  case nothing(for: ListeningEnvironment)
  case nothingInForce
  case noTrial(ListeningEnvironment)
  /// There is no former prescription to go back to.
  case nothingBefore(ListeningEnvironment)
  case alreadyInForce(entry: Int)
  /// Outside ``BookTrial/durations``.
  case trialDuration(Int)
  case unknownClinic(KeyFingerprint)
  case alreadyEnrolled(name: String)
  case alreadyRevoked(name: String, at: Instant)
  case developerModeNotOpen
  /// The system's clock is not behind the book's.
  case clockNotBehind

  // The disk.

  case diskFull(path: String)
  /// The folder or a file in it may not be written.
  case readOnly(path: String, reason: String)
  case inputOutput(path: String, reason: String)
  /// Others may read or write it, or it is not what it should be.
  case unsafeFile(path: String, found: String, expected: String)
  case lockedBy(process: Int32?, path: String)
  /// The database's pages contradict each other.
  case corrupt(path: String, detail: String)
  case notABook(path: String)
  /// Written by a later version.
  case newerBook(path: String)
  /// The book was closed, or never finished opening.
  case closed

  // Keys and what they protect.

  /// There is a book and no key file.
  case keyLost(file: String, book: String)
  case keySize(file: String, found: Int)
  /// The key is a good one, of another book.
  case wrongKey(path: String)
  /// The key fits and the row does not open: it was altered, or moved from another place.
  case alteredRow(Int)
  /// The row is as it was written, and its card cannot be read.
  case unreadableRow(Int, reason: String)
  case auditBroken(row: Int, reason: String)
  case auditTruncated(found: Int, expected: Int)

  // Backup.

  case fileExists(path: String)
  case passphraseTooShort(least: Int)
  case notABackup(path: String)
  /// The passphrase is wrong or the file was altered: the two cannot be told apart.
  case backupDoesNotOpen(path: String)
}
