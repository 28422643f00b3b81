extension PrescriptionBundle {
  /// What a prescription's card says of it.
  static func subject(_ prescription: Prescription) -> JSONValue {
    ["fhirVersion": .text(version), "fhirBundle": json(prescription, .card)]
  }

  /// FHIR R4.
  private static let version = "4.0.1"

  /// - Parameter clinic: Name of the clinic whose key signed the card.
  /// - Throws: ``CardError/invalidContent(place:reason:)`` or ``CardError/earsSwapped(place:)``.
  static func prescription(_ envelope: ReadEnvelope, clinic: String) throws(CardError) -> Prescription {
    let members = try envelope.subject.members("fhirVersion", "fhirBundle")
    try members("fhirVersion").fixed(version)
    let facts = SignedFacts(clinic: clinic, issued: envelope.from, expires: envelope.until)
    return try BundleReader.prescription(try members("fhirBundle"), facts)
  }
}
