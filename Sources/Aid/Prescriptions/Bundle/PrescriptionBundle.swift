import Acoustics
import Base
import Fitting

/// A prescription as a FHIR R4 Bundle of type `collection`, in the lean form that SMART Health Cards ask for:
/// `resource:0` addresses, no ids, no narrative.
///
/// Each ear is one Observation with a component for each point. The alternative, an Observation for each
/// point under a panel's `hasMember`, says the same in three times the bytes, and a QR code pays for each.
///
/// On a card the bundle says nothing that the card itself says: the clinic is the one whose key signed, so
/// that none can be named that did not sign; issue and expiry are the card's `nbf` and `exp`. The other form,
/// for files, says all of it, with references and unit codes.
enum PrescriptionBundle {
  /// How much a bundle says.
  enum Form {
    /// What a card carries.
    case card
    /// What stands by itself.
    case file
  }

  /// Resources and keys stand in the order that DEFLATE packs best, found by trying them all in turn: it is
  /// worth 40 characters of the card.
  static func json(_ prescription: Prescription, _ form: Form) -> JSONValue {
    var resources: [JSONValue] = [
      deviceRequest(prescription, form),
      ["resourceType": "Practitioner", "name": [["text": .text(prescription.prescriber.name)]]],
      patient(prescription.patient),
    ]
    for ear in Ear.allCases where !prescription.audiograms[ear].points.isEmpty {
      resources.append(observation(prescription, ear, form))
    }
    return [
      "resourceType": "Bundle", "type": "collection",
      "entry": .array(
        resources.enumerated().map { ["fullUrl": .text("resource:\($0)"), "resource": $1] }),
    ]
  }

  private static let patientAddress = "resource:2"

  static func patient(_ patient: Patient) -> JSONValue {
    .object(
      [
        .init(key: "resourceType", value: "Patient"),
        .init(
          key: "name", value: [["given": [.text(patient.givenName)], "family": .text(patient.familyName)]]),
        .init(key: "birthDate", value: .text(patient.birthDate.description)),
        patient.reference.map { .init(key: "identifier", value: [["value": .text($0)]]) },
      ].compactMap { $0 })
  }

  private static func observation(_ prescription: Prescription, _ ear: Ear, _ form: Form) -> JSONValue {
    let points = prescription.audiograms[ear].points
    let components = points.map { component($0, ear, form) }
    var members: [JSONValue.Member] = [
      .init(key: "resourceType", value: "Observation"), .init(key: "status", value: "final"),
      .init(key: "bodySite", value: ["text": .text(ear.rawValue)]),
      .init(key: "code", value: loinc(ThresholdCode.panel)),
    ]
    if form == .file {
      members.append(.init(key: "subject", value: ["reference": .text(patientAddress)]))
      members.append(.init(key: "effectiveDateTime", value: .text(prescription.issued.text)))
    }
    members.append(.init(key: "component", value: .array(components)))
    return .object(members)
  }

  private static func component(_ point: Audiogram.Point, _ ear: Ear, _ form: Form) -> JSONValue {
    // Whole, and within an audiogram's range: a prescription has no others.
    let code = ThresholdCode(ear: ear, conduction: point.conduction, frequency: Int(point.frequency))
    var quantity: [JSONValue.Member] = [
      .init(key: "value", value: .number(point.threshold.decibels)),
      .init(key: "unit", value: .text(BundleVocabulary.decibel)),
    ]
    if form == .file {
      quantity.append(.init(key: "system", value: .text(BundleVocabulary.units)))
      quantity.append(.init(key: "code", value: .text(BundleVocabulary.decibel)))
    }
    if !point.hasResponse { quantity.append(.init(key: "comparator", value: ">")) }
    var members: [JSONValue.Member] = [
      .init(key: "valueQuantity", value: .object(quantity)),
      .init(key: "code", value: code.loincCode.map(loinc) ?? ["text": .text(code.words)]),
    ]
    if point.isMasked {
      members.append(
        .init(key: "extension", value: [["url": .text(BundleVocabulary.masked), "valueBoolean": true]]))
    }
    return .object(members)
  }

  private static func deviceRequest(_ prescription: Prescription, _ form: Form) -> JSONValue {
    var members: [JSONValue.Member] = [.init(key: "resourceType", value: "DeviceRequest")]
    if form == .file { members.append(.init(key: "status", value: "active")) }
    var fitting: [JSONValue.Member] = [
      .init(key: "valueCodeableConcept", value: ["text": .text(FittingText(prescription).text)])
    ]
    if form == .file {
      fitting.append(.init(key: "code", value: ["text": .text(BundleVocabulary.fitting)]))
    }
    members += [
      .init(key: "intent", value: "order"),
      .init(key: "identifier", value: [["value": .text("\(prescription.serial)")]]),
      .init(key: "subject", value: ["reference": .text(patientAddress)]),
      .init(key: "parameter", value: [.object(fitting)]),
      .init(key: "requester", value: ["reference": "resource:1"]),
      .init(key: "codeCodeableConcept", value: ["text": .text(BundleVocabulary.device)]),
    ]
    if form == .file {
      members.append(
        .init(key: "performer", value: ["display": .text(prescription.prescriber.clinic)]))
      members.append(.init(key: "authoredOn", value: .text(prescription.issued.text)))
      if let expires = prescription.expires {
        members.append(.init(key: "occurrencePeriod", value: ["end": .text(expires.text)]))
      }
    }
    if let superseded = prescription.supersedes {
      members.append(
        .init(key: "priorRequest", value: [["identifier": ["value": .text("\(superseded)")]]]))
    }
    return .object(members)
  }

  private static func loinc(_ code: String) -> JSONValue {
    ["coding": [["system": .text(ThresholdCode.loincSystem), "code": .text(code)]]]
  }
}

/// Names that a prescription's bundle uses besides FHIR's own.
enum BundleVocabulary {
  /// UCUM, and its code for the decibel. The codes of thresholds say that they are hearing levels.
  static let units = "http://unitsofmeasure.org"
  static let decibel = "dB"

  /// Extension of a threshold: true when the other ear was masked.
  static let masked = "urn:auricle:masked"

  /// What the request is for, in words: the form of it is the patient's and the clinic's choice.
  static let device = "hearing aid"
  /// The request's one parameter; ``FittingText`` is its value.
  static let fitting = "fitting"
}

/// What a prescription's card says outside its bundle, so that it is said only once.
struct SignedFacts {
  /// Name of the clinic whose key signed.
  let clinic: String
  /// The card's `nbf`.
  let issued: Instant
  /// The card's `exp`.
  let expires: Instant?
}

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
