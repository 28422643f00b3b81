/// Clinics whose cards are believed, as `auricle trust list --json` prints them.
public struct ClinicsReport: Sendable, Codable, Equatable {
  public let schema: Int
  public let clinics: [Clinic]

  public init(clinics: [Clinic]) {
    schema = 100
    self.clinics = clinics
  }

  /// One clinic's key.
  public struct Clinic: Sendable, Codable, Hashable {
    public let name: String
    /// Fingerprint in groups, as people compare it.
    public let fingerprint: String
    /// s since 1970-01-01 UTC.
    public let enrolled: Double
    public let revoked: Double?
    public let validUntil: Double?
    /// The clinic's own card, which carries its public key.
    public let card: String

    public init(
      name: String, fingerprint: String, enrolled: Double, revoked: Double?, validUntil: Double?,
      card: String
    ) {
      self.name = name
      self.fingerprint = fingerprint
      self.enrolled = enrolled
      self.revoked = revoked
      self.validUntil = validUntil
      self.card = card
    }

    enum CodingKeys: String, CodingKey {
      case name, fingerprint, card
      case enrolled = "enrolled_unix_seconds"
      case revoked = "revoked_unix_seconds"
      case validUntil = "valid_until_unix_seconds"
    }
  }
}
