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

  /// FHIR R4.
  static let version = "4.0.1"

  /// Kind of device that is requested; its form is the patient's and the clinic's choice.
  static let device = "hearing aid"

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

  private func observation(_ ear: Ear) -> JSONValue {
    ThresholdObservation(
      ear: ear, points: prescription.audiograms[ear].points, isFile: isFile,
      effective: isFile ? prescription.issued.text : nil, subject: file(Self.patientReference)
    ).json
  }

  private var request: JSONValue {
    // The request's one parameter.
    let fitting: JSONValue = [
      "valueCodeableConcept": ["text": .text(FittingText(prescription).text)],
      "code": file(["text": "fitting"]),
    ]
    return [
      "resourceType": "DeviceRequest", "status": file("active"), "intent": "order",
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
  package var fhirBundle: String { PrescriptionBundle(prescription: self, isFile: true).json.minified }
}
