import Acoustics
import Base
import Fitting

/// A prescription as a FHIR R4 Bundle of type `collection`, in the short form that SMART Health Cards ask
/// for: `resource:0` addresses, no ids, no narrative.
///
/// Each ear is one Observation with a component for each point. The alternative, an Observation for each
/// point under a panel's `hasMember`, says the same in three times the bytes, and a QR code pays for each.
///
/// On a card the bundle repeats nothing that the card itself states: the clinic is the one whose key
/// signed, so that no other can be named; issue and expiry are the card's `nbf` and `exp`. The other form,
/// for files, states all of it, with references and unit codes.
struct PrescriptionBundle {
  let prescription: Prescription
  /// True for a bundle that stands by itself, false for the content of a card.
  let isFile: Bool
  /// Trust in the card that the content is of; what stands on a card does not depend on it.
  var standing = CardStanding.good

  /// FHIR R4.
  static let version = "4.0.1"

  /// Kind of device that is requested; its form is the patient's and the clinic's choice.
  static let device = "hearing aid"

  /// In FHIR's value sets request-status and observation-status: the source does not know which status holds.
  private static let unknown = "unknown"

  private static let patientReference: JSONValue = ["reference": "resource:2"]

  /// Resources and keys stand in the order that DEFLATE packs best, found by trying them all in turn: it is
  /// worth 40 characters of the card.
  var json: JSONValue {
    let practitioner: JSONValue = [
      "resourceType": "Practitioner", "name": [["text": .text(prescription.prescriber.name)]],
    ]
    let ears = Ear.allCases.filter { !prescription.audiograms[$0].points.isEmpty }
    let resources = [request, practitioner, Self.patient(prescription.patient)] + ears.map(observation)
    return [
      "resourceType": "Bundle", "type": "collection",
      "entry": .array(
        resources.enumerated().map { ["fullUrl": .text("resource:\($0)"), "resource": $1] }),
    ]
  }

  static func patient(_ patient: Patient) -> JSONValue {
    [
      "resourceType": "Patient",
      "name": patient.givenName.map { given in
        [["given": [.text(given)], "family": patient.familyName.map(JSONValue.text)]]
      },
      "birthDate": patient.birthDate.map { .text($0.description) },
      "identifier": patient.reference.map { [["value": .text($0)]] },
    ]
  }

  /// A member that only a file has.
  private func file(_ value: JSONValue) -> JSONValue? { isFile ? value : nil }

  /// Without a moment, which FHIR does not demand: a card does not state when the ears were tested.
  private func observation(_ ear: Ear) -> JSONValue {
    var observation = ThresholdObservation(
      ear: ear, points: prescription.audiograms[ear].points, isFile: isFile,
      subject: file(Self.patientReference))
    // Readers take thresholds from final results alone, and nobody has vouched for these.
    if isFile, case .unsigned = standing { observation.status = Self.unknown }
    return observation.json
  }

  private var request: JSONValue {
    // The request's one parameter.
    let fitting: JSONValue = [
      "valueCodeableConcept": ["text": .text(FittingText(prescription).text)],
      "code": file(["text": "fitting"]),
    ]
    return [
      "resourceType": "DeviceRequest", "status": file(.text(standing == .good ? "active" : Self.unknown)),
      "intent": "order",
      "identifier": [["value": .text("\(prescription.serial)")]],
      "subject": Self.patientReference, "parameter": [fitting],
      "requester": ["reference": "resource:1"], "codeCodeableConcept": ["text": .text(Self.device)],
      "performer": file(["display": .text(prescription.prescriber.clinic)]),
      "authoredOn": file(.text(prescription.issued.text)),
      "occurrencePeriod": prescription.expires.flatMap { file(["end": .text($0.text)]) },
      "priorRequest": prescription.supersedes.map { [["identifier": ["value": .text("\($0)")]]] },
    ]
  }
}

extension Prescription {
  /// The prescription as the subject of its card.
  var subject: JSONValue {
    let bundle = PrescriptionBundle(prescription: self, isFile: false)
    return ["fhirVersion": .text(PrescriptionBundle.version), "fhirBundle": bundle.json]
  }

  /// The prescription as a FHIR R4 Bundle for other programs, JSON without white space. Unlike the bundle
  /// on a card, it states clinic, issue and expiry.
  package var fhirBundle: String { fhirBundle(standing: .good) }

  /// The same of a card that may not be good: the request is then not called active, and thresholds that nobody known has signed
  /// are not called final.
  package func fhirBundle(standing: CardStanding) -> String {
    PrescriptionBundle(prescription: self, isFile: true, standing: standing).json.minified
  }
}
