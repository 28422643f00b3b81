/// All that a clinic's printed public card says, as ready text.
public struct ClinicCardContent: Sendable, Equatable {
  /// Name of the clinic.
  public var clinic: String
  /// How to reach the clinic.
  public var contact: String?
  /// Address of the clinic's pages.
  public var url: String?
  /// Date after which cards signed with the key are refused; nil: none.
  public var validUntil: String?
  /// Fingerprint of the clinic's key in groups parted by spaces, as people compare it.
  public var keyFingerprint: String
  public var code: CodeModules

  public init(
    clinic: String, contact: String? = nil, url: String? = nil, validUntil: String? = nil,
    keyFingerprint: String, code: CodeModules
  ) {
    self.clinic = clinic
    self.contact = contact
    self.url = url
    self.validUntil = validUntil
    self.keyFingerprint = keyFingerprint
    self.code = code
  }
}
