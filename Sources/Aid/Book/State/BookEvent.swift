import AuditTrail
import Prescriptions

/// One row of the book.
package struct BookEvent: Sendable, Hashable {
  /// Counts from 1 without a gap.
  package let number: Int
  package let moment: Instant
  package let actor: Actor
  package let change: BookChange
}

/// Effect of an event, with everything that is needed to repeat it.
package enum BookChange: Sendable, Hashable {
  /// A card became an entry; in force at once, on trial when the card says so.
  case loaded(Signed<Prescription>)
  /// Another environment is selected.
  case selected(ListeningEnvironment)
  /// An entry is final in its environment, which is selected.
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
  /// The device is a clinic's from now on.
  case handedOver(HandOver)
  /// It is its owner's again.
  case returned(Signed<ReturnPass>)
  /// The system's clock is believed although it lies behind what the book has seen.
  case clockCorrected
  case backedUp
  case restored
  /// An entry was given to another program, or drawn.
  case exported(entry: Int)
  /// Rows of the book itself, or the note of its head, were missing when it was opened.
  case found(AuditDamage)
  /// A person takes the length of the trail for right although the note of its head was missing.
  case damageAccepted
  /// A card was refused, or the backup of the row before was not written; changes nothing.
  case refused(reason: String)
  /// Something beside the book that the trail holds; changes nothing.
  case noted(Note, detail: String)

  /// Events of the daemon, which the trail holds because somebody answers for them.
  package enum Note: String, Sendable, Hashable, CaseIterable {
    /// Somebody has proved to be audiologist or developer.
    case roleBegan = "role-began"
    case roleEnded = "role-ended"
    /// Somebody called what they may not, or did not prove to be whom they said.
    case callRefused = "call-refused"
    case debugBegan = "debug-began"
    case debugEnded = "debug-ended"
    /// The wearer's leave to record the sound, and the recording.
    case recordingAllowed = "recording-allowed"
    case recordingBegan = "recording-began"
    case recordingEnded = "recording-ended"
  }
}

/// Kind of an event, as the audit trail names it and the sealed event stores it; beside them stand those of
/// ``BookChange/Note``.
package enum AuditAction: String, Sendable, Hashable, CaseIterable {
  case loaded
  case selected
  case used
  case trialBegan = "trial-began"
  case timePassed = "time-passed"
  case accepted
  case reverted
  case enrolled
  case revoked
  case rebound
  case developerModeOpened = "developer-mode-opened"
  case developerModeClosed = "developer-mode-closed"
  case handedOver = "handed-over"
  case returned
  case clockCorrected = "clock-corrected"
  case backedUp = "backed-up"
  case restored
  case exported
  /// Damage that was found on opening.
  case found
  case damageAccepted = "damage-accepted"
  case refused
}

/// A prescription in the book.
package struct BookEntry: Sendable, Hashable {
  /// Counts the book's prescriptions from 1, in the order of loading. People name an entry by it.
  package let number: Int
  /// Moment of its loading.
  package let loaded: Instant
  /// The card as its clinic signed it.
  package let card: Signed<Prescription>

  package var prescription: Prescription { card.content }
  package var environment: ListeningEnvironment { card.content.environment }
}

/// A device in the hands of a clinic: only that clinic's prescriptions are in force, and only its pass ends that.
package struct HandOver: Sendable, Hashable {
  package let clinic: ClinicIdentity
  /// Number of this hand-over, which the pass has to name.
  package let device: DeviceNumber

  package init(clinic: ClinicIdentity, device: DeviceNumber) {
    (self.clinic, self.device) = (clinic, device)
  }
}

/// A temporary choice of an entry: when the trial ends, the former one is in force again.
package struct BookTrial: Sendable, Hashable {
  /// Trials that a person may begin, s: one minute to 14 days.
  package static let durations = 60...14 * 86_400

  /// Number of the entry.
  package let entry: Int
  package let began: Instant
  /// The first moment at which it is no longer in force.
  package internal(set) var ends: Instant
  /// Selection before the trial selected its own environment; nil when the person has chosen since.
  var formerSelection: ListeningEnvironment?
}

/// Origin of a request, for the audit trail.
package struct Actor: Sendable, Hashable {
  /// Way by which the request came.
  package enum Channel: String, Sendable, CaseIterable {
    /// Through the daemon's control socket.
    case socket
    /// From a command that opened the book itself, because no daemon ran.
    case command
    /// Nobody: time passed.
    case clock
  }

  package let channel: Channel
  /// The user's number in the system.
  package let userID: UInt32
  /// The process's number; 0 when unknown.
  package let processID: Int32
  /// Nil: the right of the user alone.
  package let authority: Authority?

  package init(channel: Channel, userID: UInt32, processID: Int32, authority: Authority? = nil) {
    (self.channel, self.userID, self.processID) = (channel, userID, processID)
    self.authority = authority
  }
}

/// A role that somebody proved to have, and how.
package struct Authority: Sendable, Hashable {
  /// `audiologist` or `developer`.
  package let role: String
  /// `PAM`, `pass`: letters, digits and hyphens.
  package let means: String

  package static let audiologist = "audiologist"

  package init(role: String, means: String) { (self.role, self.means) = (role, means) }

  /// As the trail has it behind the channel: `audiologist PAM`. Nil for anything but two words.
  init?(words: some Sequence<Substring>) {
    let words = Array(words)
    guard words.count == 2 else { return nil }
    self.init(role: String(words[0]), means: String(words[1]))
  }

  var words: String { "\(role) \(means)" }
}

/// A warning that stops nothing.
package enum BookNotice: Sendable, Hashable {
  /// The entry in force expired. It stays in force, so that nobody is left without amplification at
  /// midnight; one on trial until its trial ends.
  case expiredInForce(entry: Int, at: Instant, isTrial: Bool = false)
  /// The same before the expiry that its card states: the book's clock was set back, and nothing gains time by that.
  case overInForce(entry: Int, isTrial: Bool = false)
  /// Trust in the clinic of the entry in force was withdrawn after it was loaded.
  case clinicRevoked(entry: Int, at: Instant, isTrial: Bool = false)
  /// The system's clock lies this many seconds behind the latest moment the book has seen; the book goes on
  /// from that moment. Before the issue of the entry `before` it is not believed; nil: it can be.
  case clockBehind(seconds: Int, before: Int? = nil)
  /// Damage found when the book was opened.
  case damage(AuditDamage)
}

extension BookNotice: CustomStringConvertible {
  package var description: String {
    switch self {
    case .expiredInForce(let entry, let moment, let isTrial):
      "Prescription \(entry) expired on \(moment.localText) and stays in force until \(Self.end(ofTrial: isTrial)); ask"
        + " the clinic for a new one."
    case .overInForce(let entry, let isTrial):
      "Prescription \(entry) is over before the day that its card states, for the book's clock was set back; it stays in"
        + " force until \(Self.end(ofTrial: isTrial)); ask the clinic for a new one."
    case .clinicRevoked(let entry, let moment, let isTrial):
      "Trust in the clinic of prescription \(entry) was withdrawn on \(moment.localText); it stays in force until"
        + " \(Self.end(ofTrial: isTrial))."
    case .clockBehind(let seconds, let entry?):
      "The system's clock is \(seconds) s behind the latest moment in the book, and before the issue of prescription"
        + " \(entry). The book goes on from that moment; set the clock. \(BookError.wayOutOfWrongIssue)"
    case .clockBehind(let seconds, nil):
      "The system's clock is \(seconds) s behind the latest moment in the book. The book goes on from that"
        + " moment; set the clock, or, if it is right: auricle book correct-clock."
    case .damage(.headMissing):
      "The note of the audit trail's length was missing or damaged: rows cut off its end would not have been seen."
        + " Compare the book with a backup or with a head kept elsewhere (auricle audit verify --head); when it is"
        + " right: auricle audit accept."
    case .damage(.truncated(let found, let expected)):
      "The book had \(found) rows, expected \(expected): its end was cut off. Restore a backup."
    case .damage(.rewritten(let row)):
      "Row \(row) of the audit trail is not the one noted when it was written. Restore a backup."
    }
  }

  private static func end(ofTrial isTrial: Bool) -> String {
    isTrial ? "its trial ends" : "another one is loaded"
  }
}
