public import Prescriptions

/// One row of the audit trail: who did what, when. No name of a person, no threshold.
public struct AuditEntry: Sendable, Hashable {
  /// Number of the event it is about.
  public let number: Int
  public let moment: Instant
  public let actor: Actor
  public let action: AuditAction
  /// Serial of the prescription that it is about.
  public let serial: Int?
  /// Fingerprint of the clinic's key that it is about.
  public let clinic: String?
  /// A number or a word more: an entry, an end, a reason.
  public let detail: String?
  /// SHA-256 over the hash of the row before (32 zero bytes before the first) and this row.
  public let hash: [UInt8]
}
