import FoundationEssentials
import Prescriptions

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
