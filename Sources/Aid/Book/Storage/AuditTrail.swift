import Base
import Crypto
import Prescriptions

/// The rows as a chain: each hash covers the row, its sealed event and the hash before it; each tag proves
/// that the holder of the key made the hash.
struct AuditChain {
  let vault: Vault

  /// Follows the chain from the first row to the last.
  ///
  /// - Throws: ``BookError/auditBroken(row:reason:)`` with the first bad row.
  func verified(_ rows: [BookDatabase.Row]) throws(BookError) -> AuditHead {
    var head = AuditHead.empty
    for row in rows {
      let audit = row.audit
      func broken(_ reason: String) -> BookError { .auditBroken(row: head.count + 1, reason: reason) }
      guard audit.number == head.count + 1 else { throw broken("it is missing") }
      guard audit.chained(after: head.hash, sealed: row.sealed, bookID: vault.bookID) == audit.hash else {
        throw broken("its content does not fit its hash")
      }
      guard vault.isTag(audit.tag, of: audit.hash) else {
        throw broken("its hash was not made by this book")
      }
      head = AuditHead(count: audit.number, hash: audit.hash)
    }
    return head
  }

  /// Damage that the note of the head shows. A note that is one row behind is right: the process ended
  /// between the row and its note.
  func difference(_ rows: [BookDatabase.Row], from noted: AuditHead?, isNew: Bool) -> BookNotice.Damage? {
    guard let noted else { return isNew ? nil : .headMissing }
    guard noted.count <= rows.count else { return .truncated(found: rows.count, expected: noted.count) }
    guard noted.count > 0, rows[noted.count - 1].audit.hash != noted.hash else { return nil }
    return .rewritten(row: noted.count)
  }
}

/// The end of an audit trail. A copy of it kept elsewhere shows later whether rows were cut off or
/// rewritten.
package struct AuditHead: Sendable, Hashable {
  /// Rows.
  package let count: Int
  /// Hash of the last row; 32 zero bytes when there is none.
  package let hash: [UInt8]

  package static let empty = AuditHead(count: 0, hash: [UInt8](repeating: 0, count: 32))
}

extension AuditHead {
  /// `12:` and 64 hexadecimal digits, to be kept elsewhere.
  package var text: String { "\(count):\(Hexadecimal.text(hash))" }

  /// Nil for what is not such a text.
  package init?(text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Int(parts[0]), count >= 0,
      let hash = Hexadecimal.bytes(String(parts[1])), hash.count == 32
    else { return nil }
    self.init(count: count, hash: hash)
  }
}

/// One row of the audit trail, as the database keeps it: actor, action, time. No name of a person, no threshold.
package struct AuditRow: Sendable, Hashable {
  /// Number of its event.
  package let number: Int
  /// s since 1970.
  package let moment: Int
  /// Word of an ``Actor/Channel``; behind it an ``Authority``, where there was one: `socket audiologist PAM`.
  package let channel: String
  package let userID: Int
  package let processID: Int
  /// Word of an ``AuditAction`` or a ``BookChange/Note``.
  package let action: String
  /// Serial of the prescription that was acted on.
  package let serial: Int?
  /// Fingerprint of the clinic's key that was acted on.
  package let clinic: String?
  /// A number or a word more: an entry, an end, a reason.
  package let detail: String?
  /// SHA-256 over the hash of the row before (32 zero bytes before the first) and this row.
  package internal(set) var hash: [UInt8] = []
  var tag: [UInt8] = []

  /// SHA-256 over the former hash and everything the row says, and over the sealed event, so that the chain
  /// holds both tables together. Each field has its length before it: no two rows read the same.
  func chained(after former: [UInt8], sealed: [UInt8], bookID: [UInt8]) -> [UInt8] {
    let fields: [[UInt8]?] = [
      Array("auricle.audit.1".utf8), former, bookID, number.bytes, moment.bytes, Array(channel.utf8),
      userID.bytes, processID.bytes, Array(action.utf8), serial?.bytes, clinic.map { Array($0.utf8) },
      detail.map { Array($0.utf8) }, Array(SHA256.hash(data: sealed)),
    ]
    var hasher = SHA256()
    for field in fields {
      hasher.update(data: (field?.count ?? -1).bytes)
      if let field { hasher.update(data: field) }
    }
    return Array(hasher.finalize())
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
