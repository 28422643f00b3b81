extension PrescriptionBundle {
  /// What a prescription's card says of it.
  static func subject(_ prescription: Prescription) -> JSONValue {
    ["fhirVersion": .text(version), "fhirBundle": json(prescription)]
  }

  /// FHIR R4.
  private static let version = "4.0.1"

  /// - Throws: ``CardError/invalidContent(place:reason:)`` or ``CardError/earsSwapped(place:)``.
  static func prescription(_ envelope: ReadEnvelope) throws(CardError) -> Prescription {
    let members = try envelope.subject.members("fhirVersion", "fhirBundle")
    try members("fhirVersion").fixed(version)
    let prescription = try BundleReader.prescription(try members("fhirBundle"))
    guard prescription.issued == envelope.from, prescription.expires == envelope.until else {
      throw envelope.subject.failure("issue or expiry differ from the card's own nbf or exp")
    }
    return prescription
  }
}
