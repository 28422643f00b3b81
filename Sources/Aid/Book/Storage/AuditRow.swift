import AuditTrail
import Prescriptions

extension AuditChain {
  /// Follows the chain from the first row to the last.
  ///
  /// - Throws: ``BookError/auditBroken(row:reason:)`` with the first bad row.
  func verified(_ rows: [BookDatabase.Row]) throws(BookError) -> AuditHead {
    do throws(AuditTrailError) {
      var head = AuditHead.empty
      for row in rows {
        head = try self.head(following: head, by: row.audit.link, of: row.audit.fields(row.sealed))
      }
      return head
    } catch { throw .auditBroken(row: error.row, reason: error.reason) }
  }
}

extension AuditDamage {
  /// Compares the rows with the note of their head.
  init?(noted: AuditHead?, _ rows: [BookDatabase.Row]) {
    self.init(noted: noted, count: rows.count) { rows[$0 - 1].audit.hash }
  }
}

/// One row of the audit trail, as the database keeps it: actor, action, time. No name of a person, no threshold.
package struct AuditRow: Sendable, Hashable {
  /// Number of its event, from 1, without a gap.
  package let number: Int
  /// Time of the action by the system's clock, whole s since 1970-01-01 UTC.
  package let moment: Int
  /// Word of an ``Actor/Channel``; behind it an ``Authority``, where there was one: `socket audiologist PAM`.
  package let channel: String
  /// User who acted, as the kernel knows them: 0 to 2³² − 1.
  package let userID: Int
  /// Process that acted, 0 to 2³¹ − 1.
  package let processID: Int
  /// Word of an ``AuditAction`` or a ``BookChange/Note``.
  package let action: String
  /// Serial of the prescription that was acted on, 1 to 999,999,999.
  package let serial: Int?
  /// Fingerprint of the clinic's key that was acted on, 43 characters of base64url.
  package let clinic: String?
  /// A number or a word more: an entry, an end, a reason.
  package let detail: String?
  /// As ``AuditLink/hash``, 32 bytes.
  package internal(set) var hash: [UInt8] = []
  /// As ``AuditLink/tag``, 32 bytes.
  var tag: [UInt8] = []

  var link: AuditLink { AuditLink(number: number, hash: hash, tag: tag) }

  /// Content that the chain's hash covers: everything the row says, and the sealed event, so that the chain holds both tables together.
  func fields(_ sealed: [UInt8]) -> [AuditField?] {
    [
      .number(number), .number(moment), .text(channel), .number(userID), .number(processID), .text(action),
      serial.map { .number($0) }, clinic.map { .text($0) }, detail.map { .text($0) }, .digest(of: sealed),
    ]
  }

  /// Origin of the action.
  ///
  /// - Throws: ``BookError/unreadableRow(_:reason:)`` when the row has a word that no version wrote.
  package func actor() throws(BookError) -> Actor {
    let words = channel.split(separator: " ", omittingEmptySubsequences: false)
    let authority = Authority(words: words.dropFirst())
    guard let channel = words.first.flatMap({ Actor.Channel(rawValue: String($0)) }),
      authority != nil || words.count == 1,
      AuditAction(rawValue: action) != nil || BookChange.Note(rawValue: action) != nil,
      let userID = UInt32(exactly: userID), let processID = Int32(exactly: processID)
    else { throw .unreadableRow(number, reason: "its audit row has a word that is not known.") }
    return Actor(channel: channel, userID: userID, processID: processID, authority: authority)
  }
}

extension AuditRow {
  /// The row of an event.
  ///
  /// - Parameters:
  ///   - action: Name of the event's kind in the sealed log.
  ///   - state: The state before the event.
  init(_ event: BookEvent, _ action: String, in state: BookState) {
    let subject = event.change.subject(in: state)
    self.init(
      number: event.number, moment: event.moment.seconds, channel: event.actor.words,
      userID: Int(event.actor.userID), processID: Int(event.actor.processID),
      action: action, serial: subject.card?.content.serial,
      clinic: (subject.card?.clinic.fingerprint ?? subject.clinic)?.base64URL, detail: subject.detail)
  }
}

extension Actor {
  fileprivate var words: String {
    ([channel.rawValue] + [authority?.words].compactMap(\.self)).joined(separator: " ")
  }
}

extension BookChange {
  /// Prescription, clinic and detail that the trail names with a change.
  fileprivate func subject(
    in state: BookState
  ) -> (card: Signed<Prescription>?, clinic: KeyFingerprint?, detail: String?) {
    switch self {
    case .loaded(let card): (card, nil, "entry \(state.entries.count + 1)")
    case .selected(let environment): (state.inForce(in: environment)?.card, nil, nil)
    case .used(let entry), .accepted(let entry), .exported(let entry): (state.entry(entry)?.card, nil, nil)
    case .trialBegan(let entry, let ends): (state.entry(entry)?.card, nil, "until \(ends.text)")
    case .reverted(let environment): (state.inForce(in: environment)?.card, nil, "from this one")
    case .enrolled(let identity): (nil, identity.fingerprint, nil)
    case .revoked(let fingerprint): (nil, fingerprint, nil)
    case .rebound(let pass): (nil, pass.clinic.fingerprint, "pass \(pass.content.serial)")
    case .developerModeOpened(let pass):
      (nil, pass.clinic.fingerprint, "pass \(pass.content.serial), \(pass.content.duration) s")
    case .handedOver(let handOver): (nil, handOver.clinic.fingerprint, "device \(handOver.device)")
    case .returned(let pass):
      (nil, pass.clinic.fingerprint, "pass \(pass.content.serial), device \(pass.content.device)")
    case .clockCorrected: (nil, nil, "from \(state.moment.text)")
    case .found(let damage): (nil, nil, damage.text)
    case .refused(let reason), .noted(_, let reason): (nil, nil, reason)
    case .timePassed, .developerModeClosed, .backedUp, .restored, .damageAccepted: (nil, nil, nil)
    }
  }
}
