import Base
import Prescriptions

/// The bundle that a prescription exports, put on a card again: what was written must be read as it was.
package enum ExportedBundle {
  /// Members of the file that a card leaves out, by the resource or member around them.
  private static let fileOnly: [String: Set<String>] = [
    "Observation": ["subject", "effectiveDateTime"], "valueQuantity": ["system", "code"],
    "DeviceRequest": ["status", "performer", "authoredOn", "occurrencePeriod"], "parameter": ["code"],
  ]

  /// The bundle as a card has it.
  static func bundle(_ prescription: Prescription) throws -> JSONValue {
    short(try JSONValue(Array(prescription.fhirBundle.utf8)), in: "")
  }

  /// Content of a prescription's card with a bundle.
  static func content(_ bundle: JSONValue, issued: Instant, expires: Instant?) -> JSONValue {
    [
      "iss": "urn:auricle", "nbf": .number(Double(issued.seconds)),
      "exp": expires.map { .number(Double($0.seconds)) },
      "vc": [
        "type": ["https://smarthealth.cards#health-card"],
        "credentialSubject": ["fhirVersion": "4.0.1", "fhirBundle": bundle],
      ],
    ]
  }

  private static func short(_ value: JSONValue, in key: String) -> JSONValue {
    switch value.content {
    case .array(let elements): return .array(elements.map { short($0, in: key) })
    case .object(let members):
      var dropped = fileOnly[key] ?? []
      if case .text(let type) = value["resourceType"]?.content { dropped.formUnion(fileOnly[type] ?? []) }
      return .object(
        members.filter { !dropped.contains($0.key) }.map {
          JSONValue.Member(key: $0.key, value: short($0.value, in: $0.key))
        })
    default: return value
    }
  }

  /// - Parameter clinic: The one that the prescription names.
  /// - Returns: What is wrong; nil when it is read as the same.
  package static func fault(_ prescription: Prescription, by clinic: ClinicKey) -> String? {
    do {
      let content = content(
        try bundle(prescription), issued: prescription.issued, expires: prescription.expires)
      let packed = HostileTrial.packed(Array(content.minified.utf8), level: 12)
      let text = try clinic.jws(header: clinic.identity.card.parts[0], packed: packed)
      let trusted = TrustedClinic(identity: clinic.identity, enrolled: prescription.issued)
      guard
        case .prescription(let again) = try Card.read(text, trusting: [trusted], at: prescription.issued)
      else { return "a prescription that was read is read again as another card" }
      return again.content == prescription ? nil : "a prescription that was read is read again as another"
    } catch PrescriptionError.tooLarge {
      // A card is packed by Zopfli, which saves 2 to 3 %.
      return nil
    } catch { return "a prescription that was read is not read again: \(error)" }
  }
}
