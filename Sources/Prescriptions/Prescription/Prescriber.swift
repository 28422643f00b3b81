/// Who prescribes, and where.
public struct Prescriber: Sendable, Hashable {
  public let name: String
  public let clinic: String

  /// - Throws: ``PrescriptionError/unusableText(field:reason:)``.
  public init(name: String, clinic: String) throws(PrescriptionError) {
    self.name = try PlainText.checked(name, field: "prescriber's name")
    self.clinic = try PlainText.checked(clinic, field: "clinic's name")
  }
}
