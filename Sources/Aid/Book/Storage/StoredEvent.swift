import AuditTrail
import FoundationEssentials
import Prescriptions
import Sealing

/// Sealed content of an event. Cards are kept as their clinics signed them and verified again when the book
/// is opened; nothing of their content is kept besides.
struct StoredEvent: Codable {
  let kind: String
  /// JWS of a prescription, a pass or a clinic.
  var card: String?
  var environment: String?
  var entry: Int?
  /// s since 1970.
  var ends: Int?
  /// Key id.
  var clinic: String?
  var reason: String?
  /// Number of a hand-over.
  var device: String?

  init(_ change: BookChange) {
    let action: AuditAction
    switch change {
    case .loaded(let signed): (action, card) = (.loaded, signed.text.jws)
    case .selected(let environment): (action, self.environment) = (.selected, environment.word)
    case .used(let entry): (action, self.entry) = (.used, entry)
    case .trialBegan(let entry, let ends):
      (action, self.entry, self.ends) = (.trialBegan, entry, ends.seconds)
    case .timePassed: action = .timePassed
    case .accepted(let entry): (action, self.entry) = (.accepted, entry)
    case .reverted(let environment): (action, self.environment) = (.reverted, environment.word)
    case .enrolled(let identity): (action, card) = (.enrolled, identity.card.jws)
    case .revoked(let fingerprint): (action, clinic) = (.revoked, fingerprint.base64URL)
    case .rebound(let pass): (action, card) = (.rebound, pass.text.jws)
    case .developerModeOpened(let pass): (action, card) = (.developerModeOpened, pass.text.jws)
    case .developerModeClosed: action = .developerModeClosed
    case .handedOver(let handOver):
      (action, card, device) = (.handedOver, handOver.clinic.card.jws, handOver.device.text)
    case .returned(let pass): (action, card) = (.returned, pass.text.jws)
    case .clockCorrected: action = .clockCorrected
    case .backedUp: action = .backedUp
    case .restored: action = .restored
    case .exported(let entry): (action, self.entry) = (.exported, entry)
    case .found(let damage): (action, reason) = (.found, damage.text)
    case .damageAccepted: action = .damageAccepted
    case .refused(let reason): (action, self.reason) = (.refused, reason)
    case .noted(let note, let detail):
      (kind, reason) = (note.rawValue, detail)
      return
    }
    kind = action.rawValue
  }

  /// Verifies the card again and rebuilds the change.
  ///
  /// - Parameter state: The state before the event; its clinics are those that the card was verified with.
  /// - Throws: ``BookError/unreadableRow(_:reason:)``.
  func change(row: Int, at moment: Instant, in state: BookState) throws(BookError) -> BookChange {
    func need<Value>(_ value: Value?, _ what: String) throws(BookError) -> Value {
      guard let value else { throw .unreadableRow(row, reason: "it has no \(what).") }
      return value
    }
    func read() throws(BookError) -> VerifiedCard {
      let card = try need(card, "card")
      do {
        return try Card.read(card, trusting: state.clinics, at: moment)
      } catch { throw .unreadableRow(row, reason: error.description) }
    }
    // Whatever its validity: it was trusted at this moment, and its cards are checked against its end themselves.
    func ownClinic() throws(BookError) -> ClinicIdentity {
      let card = try need(card, "card")
      do { return try ClinicIdentity(reading: try CardText(reading: card)) } catch {
        throw .unreadableRow(row, reason: error.description)
      }
    }
    func place() throws(BookError) -> ListeningEnvironment {
      try need(environment.flatMap { try? ListeningEnvironment(word: $0) }, "environment")
    }
    switch AuditAction(rawValue: kind) {
    case .loaded: if case .prescription(let signed) = try read() { return .loaded(signed) }
    case .selected: return .selected(try place())
    case .used: return .used(entry: try need(entry, "entry"))
    case .trialBegan:
      let end = ends.map(Instant.init(seconds:)).flatMap { Instant.writable.contains($0) ? $0 : nil }
      let ends = try need(end, "end between 1970 and 9999")
      return .trialBegan(entry: try need(entry, "entry"), ends: ends)
    case .timePassed: return .timePassed
    case .accepted: return .accepted(entry: try need(entry, "entry"))
    case .reverted: return .reverted(try place())
    case .enrolled: return .enrolled(try ownClinic())
    case .revoked: return .revoked(try need(clinic.flatMap { KeyFingerprint(base64URL: $0) }, "clinic"))
    case .rebound: if case .bindingPass(let pass) = try read() { return .rebound(pass) }
    case .developerModeOpened:
      if case .developerPass(let pass) = try read() { return .developerModeOpened(pass) }
    case .developerModeClosed: return .developerModeClosed
    case .handedOver:
      let number = try need(device.flatMap { DeviceNumber($0) }, "number of the device")
      return .handedOver(HandOver(clinic: try ownClinic(), device: number))
    case .returned: if case .returnPass(let pass) = try read() { return .returned(pass) }
    case .clockCorrected: return .clockCorrected
    case .backedUp: return .backedUp
    case .restored: return .restored
    case .exported: return .exported(entry: try need(entry, "entry"))
    case .found: return .found(try need(reason.flatMap(AuditDamage.init(text:)), "damage"))
    case .damageAccepted: return .damageAccepted
    case .refused: return .refused(reason: reason ?? "")
    case nil: if let note = BookChange.Note(rawValue: kind) { return .noted(note, detail: reason ?? "") }
    }
    throw .unreadableRow(row, reason: "an event of kind \(kind) with what it has is not known.")
  }

  func encoded() throws(BookError) -> [UInt8] {
    do {
      return Array(try JSONEncoder().encode(self))
    } catch { throw .sealing(.inputOutput(path: "JSON", reason: "\(error)")) }
  }

  init(decoding bytes: [UInt8], row: Int) throws(BookError) {
    do {
      self = try JSONDecoder().decode(StoredEvent.self, from: Data(bytes))
    } catch { throw .unreadableRow(row, reason: "it is not an event.") }
  }
}

/// Note outside the database, written after each change: the length of the audit trail, so that rows cut
/// off its end are missed; the latest moment seen, so that no clock brings a trial back; and the card in
/// force, so that sound goes on when the database is damaged.
struct HeadNote: Codable, Equatable {
  var count: Int
  var hash: [UInt8]
  /// s since 1970.
  var latest: Int
  /// JWS of the prescription in force.
  var card: String?
  /// JWS of its clinic.
  var clinic: String?
  /// Moment of its loading, s since 1970: the card was valid then.
  var loaded: Int?

  /// Of the note and of the key that seals it.
  private static let purpose = "auricle.head.1"
  private static let mark = Array(purpose.utf8)

  var head: AuditHead { AuditHead(count: count, hash: hash) }

  init(head: AuditHead, state: BookState, latest: Instant) {
    count = head.count
    hash = head.hash
    self.latest = latest.seconds
    card = state.inForce?.card.text.jws
    clinic = state.inForce?.card.clinic.card.jws
    loaded = state.inForce?.loaded.seconds
  }

  func write(to path: String, key: SealingKey) throws(BookError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let bytes = try? encoder.encode(self) else { return }
    do {
      let sealed = try key.derived(Self.purpose).seal(Array(bytes), bound: Self.mark)
      try PrivateFile.write(sealed, to: path, replacing: true)
    } catch { throw .sealing(error) }
  }

  /// Nil when there is none, or it is damaged, or sealed with another key.
  ///
  /// - Throws: ``BookError`` of a disk that does not give it: then there may be one all the same, and taking it for lost would be said
  ///   for ever.
  init?(from path: String, key: SealingKey) throws(BookError) {
    let sealed: [UInt8]?
    do throws(BookError) { sealed = try BookFile.bytes(of: path, limit: 1 << 16) } catch {
      switch error {
      case .sealing(.unsafeFile), .sealing(.tooLarge): return nil
      default: throw error
      }
    }
    guard let sealed, let bytes = key.derived(Self.purpose).open(sealed, bound: Self.mark),
      let note = try? JSONDecoder().decode(HeadNote.self, from: Data(bytes)), note.count >= 0,
      [note.latest, note.loaded ?? 0].allSatisfy({ Instant.writable.contains(Instant(seconds: $0)) })
    else { return nil }
    self = note
  }
}
