import Acoustics
import Fitting

/// A prescription as a FHIR R4 Bundle of type `collection`, in the lean form that SMART Health Cards ask for:
/// `resource:0` addresses, no ids, no narrative, no display names.
///
/// Each ear is one Observation with a component for each point. The alternative, an Observation for each
/// point under a panel's `hasMember`, says the same in three times the bytes, and a QR code pays for each.
enum PrescriptionBundle {
  /// Keys stand where DEFLATE finds the longest repeats: what varies comes last.
  static func json(_ prescription: Prescription) -> JSONValue {
    var resources: [JSONValue] = [
      patient(prescription.patient),
      ["resourceType": "Practitioner", "name": [["text": .text(prescription.prescriber.name)]]],
      [
        "resourceType": "PractitionerRole", "practitioner": ["reference": "resource:1"],
        "organization": ["display": .text(prescription.prescriber.clinic)],
      ],
    ]
    for ear in Ear.allCases where !prescription.audiograms[ear].points.isEmpty {
      resources.append(observation(prescription.audiograms[ear], ear))
    }
    resources.append(deviceRequest(prescription))
    return [
      "resourceType": "Bundle", "type": "collection",
      "entry": .array(
        resources.enumerated().map { ["fullUrl": .text("resource:\($0)"), "resource": $1] }),
    ]
  }

  static func patient(_ patient: Patient) -> JSONValue {
    .object(
      [
        .init(key: "resourceType", value: "Patient"),
        patient.reference.map { .init(key: "identifier", value: [["value": .text($0)]]) },
        .init(
          key: "name", value: [["family": .text(patient.familyName), "given": [.text(patient.givenName)]]]),
        .init(key: "birthDate", value: .text(patient.birthDate.description)),
      ].compactMap { $0 })
  }

  private static func observation(_ audiogram: Audiogram, _ ear: Ear) -> JSONValue {
    [
      "resourceType": "Observation", "status": "final",
      "code": concept(ThresholdCode.loincSystem, ThresholdCode.panel),
      "subject": ["reference": "resource:0"],
      "bodySite": concept(BundleVocabulary.bodySites, BundleVocabulary.ear[ear]),
      "component": .array(audiogram.points.map { component($0, ear) }),
    ]
  }

  private static func component(_ point: Audiogram.Point, _ ear: Ear) -> JSONValue {
    let coding = ThresholdCode(ear: ear, conduction: point.conduction, frequency: point.frequency).coding
    var quantity: [JSONValue.Member] = [
      .init(key: "system", value: .text(BundleVocabulary.units)),
      .init(key: "code", value: .text(BundleVocabulary.decibel)),
      .init(key: "value", value: .number(point.threshold.decibels)),
    ]
    if !point.hasResponse { quantity.append(.init(key: "comparator", value: ">")) }
    var members: [JSONValue.Member] = [
      .init(key: "code", value: concept(coding.system, coding.code)),
      .init(key: "valueQuantity", value: .object(quantity)),
    ]
    if point.isMasked {
      members.append(
        .init(key: "extension", value: [["url": .text(BundleVocabulary.masked), "valueBoolean": true]]))
    }
    return .object(members)
  }

  private static func deviceRequest(_ prescription: Prescription) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init(key: "resourceType", value: "DeviceRequest"),
      .init(key: "status", value: "active"), .init(key: "intent", value: "order"),
      .init(key: "codeCodeableConcept", value: ["text": .text(BundleVocabulary.device)]),
      .init(key: "subject", value: ["reference": "resource:0"]),
      .init(key: "requester", value: ["reference": "resource:2"]),
      .init(key: "identifier", value: [["value": .text("\(prescription.serial)")]]),
    ]
    if let superseded = prescription.supersedes {
      members.append(
        .init(key: "priorRequest", value: [["identifier": ["value": .text("\(superseded)")]]]))
    }
    members.append(.init(key: "authoredOn", value: .text(prescription.issued.text)))
    if let expires = prescription.expires {
      members.append(.init(key: "occurrencePeriod", value: ["end": .text(expires.text)]))
    }
    if let end = prescription.trialEnds {
      members.append(
        .init(
          key: "extension",
          value: [["url": .text(BundleVocabulary.trialEnds), "valueDateTime": .text(end.text)]]))
    }
    members.append(.init(key: "parameter", value: .array(parameters(prescription))))
    return .object(members)
  }

  static func concept(_ system: String, _ code: String) -> JSONValue {
    ["coding": [["system": .text(system), "code": .text(code)]]]
  }
}
