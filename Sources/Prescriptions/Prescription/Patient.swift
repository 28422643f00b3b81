public import Acoustics

/// The person a prescription is for.
public struct Patient: Sendable, Hashable {
  public let givenName: String
  public let familyName: String
  public let birthDate: CalendarDate
  /// The clinic's or the patient's own number for the person.
  public let reference: String?

  /// - Throws: ``PrescriptionError/unusableText(field:reason:)``.
  public init(
    givenName: String, familyName: String, birthDate: CalendarDate, reference: String? = nil
  ) throws(PrescriptionError) {
    self.givenName = try PlainText.checked(givenName, field: "given name")
    self.familyName = try PlainText.checked(familyName, field: "family name")
    self.birthDate = birthDate
    self.reference = try reference.map { text throws(PrescriptionError) in
      try PlainText.checked(text, field: "patient reference")
    }
  }

  /// "Ada Example".
  public var name: String { givenName + " " + familyName }
}
