public import Prescriptions

/// The prescription that was in force when the book was last written, read without the database.
public struct LastGood: Sendable, Hashable {
  public let card: SignedPrescription
  /// When it was noted.
  public let noted: Instant
}

extension PrescriptionBook {
  /// What to hear by when the book cannot be opened: its database damaged, its disk read-only.
  ///
  /// The note is sealed with the book's key and the card in it verified again with its clinic. A trial may have
  /// ended since; a person hears by it rather than by nothing.
  ///
  /// - Returns: Nil when nothing was in force, the folder is another user's, or the note is damaged or of another key.
  /// - Threads: control.
  public static func lastGood(in folder: String, key: SealingKey) -> LastGood? {
    guard BookFolder(folder).isOwn, let note = HeadNote(from: BookFolder(folder).head, key: key),
      let card = note.card,
      let clinic = note.clinic, let loaded = note.loaded
    else { return nil }
    let moment = Instant(seconds: loaded)
    guard case .clinic(let identity) = try? Card.read(clinic, trusting: [], at: moment),
      case .prescription(let signed) = try? Card.read(
        card, trusting: [TrustedClinic(identity: identity, enrolled: moment)], at: moment)
    else { return nil }
    return LastGood(card: signed, noted: Instant(seconds: note.latest))
  }
}
