import FoundationEssentials
import Prescriptions

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

  init(_ change: BookChange) {
    kind = change.action.rawValue
    switch change {
    case .loaded(let signed): card = signed.text.jws
    case .selected(let environment), .reverted(let environment): self.environment = environment.word
    case .used(let entry), .accepted(let entry): self.entry = entry
    case .trialBegan(let entry, let ends): (self.entry, self.ends) = (entry, ends.seconds)
    case .enrolled(let identity): card = identity.card.jws
    case .revoked(let fingerprint): clinic = fingerprint.base64URL
    case .rebound(let pass): card = pass.text.jws
    case .developerModeOpened(let pass): card = pass.text.jws
    case .found(let damage): reason = damage.text
    case .refused(let reason): self.reason = reason
    case .timePassed, .developerModeClosed, .clockCorrected, .backedUp, .restored: break
    }
  }

  /// Verifies the card again and rebuilds the change.
  ///
  /// - Parameter state: The state before the event; its clinics are those that the card was verified with.
  /// - Throws: ``BookError/unreadableRow(_:reason:)``.
  func change(row: Int, at moment: Instant, in state: BookState) throws(BookError) -> BookChange {
    func missing(_ what: String) -> BookError { .unreadableRow(row, reason: "it has no \(what).") }
    func read() throws(BookError) -> VerifiedCard {
      guard let card else { throw missing("card") }
      do {
        return try Card.read(card, trusting: state.clinics, at: moment)
      } catch { throw .unreadableRow(row, reason: error.description) }
    }
    func place() throws(BookError) -> ListeningEnvironment {
      guard let environment, let place = try? ListeningEnvironment(word: environment) else {
        throw missing("environment")
      }
      return place
    }
    func number() throws(BookError) -> Int {
      guard let entry else { throw missing("entry") }
      return entry
    }
    switch AuditAction(rawValue: kind) {
    case .loaded: if case .prescription(let signed) = try read() { return .loaded(signed) }
    case .selected: return .selected(try place())
    case .used: return .used(entry: try number())
    case .trialBegan:
      guard let ends = ends.map(Instant.init(seconds:)), Instant.writable.contains(ends) else {
        throw missing("end between 1970 and 9999")
      }
      return .trialBegan(entry: try number(), ends: ends)
    case .timePassed: return .timePassed
    case .accepted: return .accepted(entry: try number())
    case .reverted: return .reverted(try place())
    case .enrolled: if case .clinic(let identity) = try read() { return .enrolled(identity) }
    case .revoked:
      guard let fingerprint = clinic.flatMap({ KeyFingerprint(base64URL: $0) }) else {
        throw missing("clinic")
      }
      return .revoked(fingerprint)
    case .rebound: if case .bindingPass(let pass) = try read() { return .rebound(pass) }
    case .developerModeOpened:
      if case .developerPass(let pass) = try read() { return .developerModeOpened(pass) }
    case .developerModeClosed: return .developerModeClosed
    case .clockCorrected: return .clockCorrected
    case .backedUp: return .backedUp
    case .restored: return .restored
    case .found:
      guard let damage = reason.flatMap(BookNotice.Damage.init(text:)) else { throw missing("damage") }
      return .found(damage)
    case .refused: return .refused(reason: reason ?? "")
    case nil: break
    }
    throw .unreadableRow(row, reason: "an event of kind \(kind) with what it has is not known.")
  }

  func encoded() throws(BookError) -> [UInt8] {
    do {
      return Array(try JSONEncoder().encode(self))
    } catch { throw .inputOutput(path: "JSON", reason: "\(error)") }
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

  private static let mark = Array("auricle.head.1".utf8)

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
    try PrivateFile.write(
      try Vault.seal(Array(bytes), with: key.derived("head"), bound: Self.mark), to: path, replacing: true)
  }

  /// Nil when there is none, or it is damaged, or sealed with another key.
  init?(from path: String, key: SealingKey) {
    guard let sealed = try? PrivateFile.bytes(of: path, limit: 1 << 16),
      let bytes = Vault.open(sealed, with: key.derived("head"), bound: Self.mark),
      let note = try? JSONDecoder().decode(HeadNote.self, from: Data(bytes)), note.count >= 0,
      [note.latest, note.loaded ?? 0].allSatisfy({ Instant.writable.contains(Instant(seconds: $0)) })
    else { return nil }
    self = note
  }
}
