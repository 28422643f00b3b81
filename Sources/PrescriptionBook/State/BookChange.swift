public import Prescriptions

/// What an event did, with everything that is needed to do it again.
public enum BookChange: Sendable, Hashable {
  /// A card became an entry; in force at once, on trial when the card says so.
  case loaded(SignedPrescription)
  /// Another environment's prescription is worn.
  case selected(ListeningEnvironment)
  /// An entry is final in its environment and worn.
  case used(entry: Int)
  case trialBegan(entry: Int, ends: Instant)
  /// Time ended trials or the developer mode; says when, so that no clock can undo it.
  case timePassed
  case accepted(entry: Int)
  /// The former one of an environment is in force again.
  case reverted(ListeningEnvironment)
  case enrolled(ClinicIdentity)
  case revoked(KeyFingerprint)
  /// The device belongs to the person whom an audiologist names.
  case rebound(SignedPass<BindingPass>)
  /// Open from the event on for as long as the pass says.
  case developerModeOpened(SignedPass<DeveloperPass>)
  case developerModeClosed
  /// The system's clock is believed although it lies behind what the book has seen.
  case clockCorrected
  case backedUp
  case restored
  /// Rows of the book itself, or the note of its head, were missing when it was opened.
  case found(BookNotice.Damage)
  /// A card was refused; changes nothing.
  case refused(reason: String)
}
