import Prescriptions

/// One row of the book.
package struct BookEvent: Sendable, Hashable {
  /// Counts from 1 without a gap.
  package let number: Int
  package let moment: Instant
  package let actor: Actor
  package let change: BookChange

  package init(number: Int, moment: Instant, actor: Actor, change: BookChange) {
    self.number = number
    self.moment = moment
    self.actor = actor
    self.change = change
  }
}

/// What an event did, with everything that is needed to do it again.
package enum BookChange: Sendable, Hashable {
  /// A card became an entry; in force at once, on trial when the card says so.
  case loaded(Signed<Prescription>)
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
  case rebound(Signed<BindingPass>)
  /// Open from the event on for as long as the pass says.
  case developerModeOpened(Signed<DeveloperPass>)
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

/// A prescription in the book.
package struct BookEntry: Sendable, Hashable {
  /// Counts the book's prescriptions from 1, in the order of loading. People name an entry by it.
  package let number: Int
  /// When it was loaded.
  package let loaded: Instant
  /// The card as its clinic signed it.
  package let card: Signed<Prescription>

  package init(number: Int, loaded: Instant, card: Signed<Prescription>) {
    self.number = number
    self.loaded = loaded
    self.card = card
  }

  package var prescription: Prescription { card.content }
  package var environment: ListeningEnvironment { card.content.environment }
}

/// An entry worn for a while: when the trial ends, the former one is in force again.
package struct BookTrial: Sendable, Hashable {
  /// Trials that a person may begin, s: one minute to 14 days.
  package static let durations = 60...14 * 86_400

  /// Number of the entry.
  package let entry: Int
  package let began: Instant
  /// The first moment at which it is no longer in force.
  package internal(set) var ends: Instant
  /// What was selected before the trial selected its own environment; nil when the person has chosen since.
  var formerSelection: ListeningEnvironment?

  init(entry: Int, began: Instant, ends: Instant, formerSelection: ListeningEnvironment?) {
    self.entry = entry
    self.began = began
    self.ends = ends
    self.formerSelection = formerSelection
  }
}
