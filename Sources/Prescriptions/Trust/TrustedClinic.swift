/// A clinic whose key an owner of the device enrolled.
public struct TrustedClinic: Sendable, Hashable {
  public let identity: ClinicIdentity
  public let enrolled: Instant
  /// When trust was withdrawn; nil: in force.
  public let revoked: Instant?

  public init(identity: ClinicIdentity, enrolled: Instant, revoked: Instant? = nil) {
    self.identity = identity
    self.enrolled = enrolled
    self.revoked = revoked
  }
}
