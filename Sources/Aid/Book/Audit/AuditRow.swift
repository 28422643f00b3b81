import Crypto
import Prescriptions

/// A row of the audit trail as the database keeps it.
struct AuditRow: Hashable {
  let number: Int
  let moment: Int
  let channel: String
  let userID: Int
  let processID: Int
  let action: String
  let serial: Int?
  let clinic: String?
  let detail: String?
  var hash: [UInt8] = []
  var tag: [UInt8] = []

  /// SHA-256 over the former hash and everything the row says, and over the sealed event, so that the chain
  /// holds both tables together. Each field has its length before it: no two rows read the same.
  func chained(after former: [UInt8], sealed: [UInt8], bookID: [UInt8]) -> [UInt8] {
    var hasher = SHA256()
    func add(_ bytes: [UInt8]?) {
      hasher.update(data: (bytes?.count ?? -1).bytes)
      if let bytes { hasher.update(data: bytes) }
    }
    add(Array("auricle.audit.1".utf8))
    add(former)
    add(bookID)
    add(number.bytes)
    add(moment.bytes)
    add(Array(channel.utf8))
    add(userID.bytes)
    add(processID.bytes)
    add(Array(action.utf8))
    add(serial?.bytes)
    add(clinic.map { Array($0.utf8) })
    add(detail.map { Array($0.utf8) })
    add(Array(SHA256.hash(data: sealed)))
    return Array(hasher.finalize())
  }

  /// The row in words; nil when it has a word that no version wrote.
  var entry: AuditEntry? {
    guard let channel = Actor.Channel(rawValue: channel), let action = AuditAction(rawValue: action),
      let userID = UInt32(exactly: userID), let processID = Int32(exactly: processID)
    else { return nil }
    return AuditEntry(
      number: number, moment: Instant(seconds: moment),
      actor: Actor(channel: channel, userID: userID, processID: processID), action: action, serial: serial,
      clinic: clinic, detail: detail, hash: hash)
  }
}

extension AuditRow {
  /// What the trail says of an event.
  init(_ event: BookEvent, in state: BookState) {
    number = event.number
    moment = event.moment.seconds
    channel = event.actor.channel.rawValue
    userID = Int(event.actor.userID)
    processID = Int(event.actor.processID)
    let about = event.change.audit(in: state)
    action = about.action.rawValue
    serial = about.card?.content.serial
    clinic = (about.card?.clinic.fingerprint ?? about.clinic)?.base64URL
    detail = about.detail
  }
}

extension BookChange {
  struct AuditSubject {
    let action: AuditAction
    var card: Signed<Prescription>?
    var clinic: KeyFingerprint?
    var detail: String?
  }

  /// What is said of a change; `state` is the one before it.
  func audit(in state: BookState) -> AuditSubject {
    func about(_ number: Int, _ action: AuditAction, _ detail: String? = nil) -> AuditSubject {
      AuditSubject(action: action, card: state.entry(number)?.card, detail: detail)
    }
    switch self {
    case .loaded(let card):
      return AuditSubject(action: .loaded, card: card, detail: "entry \(state.entries.count + 1)")
    case .selected(let environment):
      return AuditSubject(action: .selected, card: state.inForce(in: environment)?.card)
    case .used(let entry): return about(entry, .used)
    case .trialBegan(let entry, let ends): return about(entry, .trialBegan, "until \(ends.text)")
    case .timePassed: return AuditSubject(action: .timePassed)
    case .accepted(let entry): return about(entry, .accepted)
    case .reverted(let environment):
      return AuditSubject(
        action: .reverted, card: state.inForce(in: environment)?.card, detail: "from this one")
    case .enrolled(let identity): return AuditSubject(action: .enrolled, clinic: identity.fingerprint)
    case .revoked(let fingerprint): return AuditSubject(action: .revoked, clinic: fingerprint)
    case .rebound(let pass):
      return AuditSubject(
        action: .rebound, clinic: pass.clinic.fingerprint, detail: "pass \(pass.content.serial)")
    case .developerModeOpened(let pass):
      return AuditSubject(
        action: .developerModeOpened, clinic: pass.clinic.fingerprint,
        detail: "pass \(pass.content.serial), \(pass.content.duration) s")
    case .developerModeClosed: return AuditSubject(action: .developerModeClosed)
    case .clockCorrected: return AuditSubject(action: .clockCorrected, detail: "from \(state.moment.text)")
    case .backedUp: return AuditSubject(action: .backedUp)
    case .restored: return AuditSubject(action: .restored)
    case .found(let damage): return AuditSubject(action: .found, detail: damage.text)
    case .refused(let reason): return AuditSubject(action: .refused, detail: reason)
    }
  }
}
