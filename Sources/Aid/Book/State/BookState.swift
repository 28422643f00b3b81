import Prescriptions

/// Everything that follows from the book's events at a moment. A pure value: no clock, no disk.
///
/// Each environment has its own line of final prescriptions, the last of which is in force there, and at
/// most one trial, which covers it until it ends. The prescription of the selected environment is in force.
package struct BookState: Sendable, Hashable {
  /// The moment it describes.
  package internal(set) var moment: Instant
  /// In the order of loading; `entries[n - 1]` has number n.
  package internal(set) var entries: [BookEntry] = []
  /// All that were ever enrolled, revoked ones too.
  package internal(set) var clinics: [TrustedClinic] = []
  /// The only person whose cards are taken; nil: the first card decides.
  package internal(set) var boundPatient: Patient?
  /// The environment whose prescription is in force.
  package internal(set) var selected: ListeningEnvironment?
  /// The selection before a card or a choice changed it; reverting goes back to it when the present
  /// environment has no former prescription.
  var formerlySelected: ListeningEnvironment?
  /// Running trials.
  package internal(set) var trials: [ListeningEnvironment: BookTrial] = [:]
  /// Entries that were final in an environment, oldest first; the last is in force when no trial covers it.
  package internal(set) var lines: [ListeningEnvironment: [Int]] = [:]
  /// Entries that came as a trial and were accepted.
  var accepted: Set<Int> = []
  /// Passes that were taken, each once.
  var usedPasses: Set<UsedPass> = []
  /// Damage found in the book, which only a backup repairs.
  package internal(set) var damage: [BookNotice.Damage] = []
  /// End of the developer mode; nil while it is not open.
  package internal(set) var developerModeEnds: Instant?

  struct UsedPass: Hashable {
    let clinic: KeyFingerprint
    let serial: Int
  }

  init(moment: Instant) { self.moment = moment }

  /// The entry with this number.
  package func entry(_ number: Int) -> BookEntry? {
    number >= 1 && number <= entries.count ? entries[number - 1] : nil
  }

  /// Final prescription of each environment, by number; trials do not count.
  package var active: [ListeningEnvironment: Int] { lines.compactMapValues(\.last) }

  /// Prescription in force in an environment: its trial, or its final one.
  package func inForce(in environment: ListeningEnvironment) -> BookEntry? {
    (trials[environment]?.entry ?? lines[environment]?.last).flatMap(entry)
  }

  /// Prescription in force now; nil before the first card, and after a trial that had nothing before it.
  package var inForce: BookEntry? { selected.flatMap(inForce(in:)) }

  /// The next moment at which something ends by itself.
  package var nextChange: Instant? {
    (trials.values.map(\.ends) + [developerModeEnds].compactMap(\.self)).min()
  }

  /// Warnings about the book and the entry in force.
  package var notices: [BookNotice] {
    var notices = damage.map(BookNotice.damage)
    guard let current = inForce else { return notices }
    if let expires = current.prescription.expires, expires <= moment {
      notices.append(.expiredInForce(entry: current.number, at: expires))
    }
    if let revoked = revocation(of: current) {
      notices.append(.clinicRevoked(entry: current.number, at: revoked))
    }
    return notices
  }

  /// Moment at which trust in an entry's clinic was withdrawn; nil: trusted.
  func revocation(of entry: BookEntry) -> Instant? {
    clinics.first { $0.identity.fingerprint == entry.card.clinic.fingerprint }?.revoked
  }
}
