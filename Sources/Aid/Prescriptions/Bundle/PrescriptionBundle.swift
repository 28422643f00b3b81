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
enum PrescriptionBundle {
  /// Extent of a bundle.
  enum Form {
    /// The content of a card.
    case card
    /// A bundle that stands by itself.
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
    [
      "resourceType": "Patient",
      "name": [["given": [.text(patient.givenName)], "family": .text(patient.familyName)]],
      "birthDate": .text(patient.birthDate.description),
      "identifier": patient.reference.map { [["value": .text($0)]] },
    ]
  }

  private static func observation(_ prescription: Prescription, _ ear: Ear, _ form: Form) -> JSONValue {
    let components = prescription.audiograms[ear].points.map { component($0, ear, form) }
    return [
      "resourceType": "Observation", "status": "final", "bodySite": ["text": .text(ear.rawValue)],
      "code": loinc(ThresholdCode.panel),
      "subject": form == .file ? ["reference": .text(patientAddress)] : nil,
      "effectiveDateTime": form == .file ? .text(prescription.issued.text) : nil,
      "component": .array(components),
    ]
  }

  private static func component(_ point: Audiogram.Point, _ ear: Ear, _ form: Form) -> JSONValue {
    // Whole, and within an audiogram's range: a prescription has no others.
    let code = ThresholdCode(ear: ear, conduction: point.conduction, frequency: Int(point.frequency))
    let quantity: JSONValue = [
      "value": .number(point.threshold.decibels), "unit": .text(BundleVocabulary.decibel),
      "system": form == .file ? .text(BundleVocabulary.units) : nil,
      "code": form == .file ? .text(BundleVocabulary.decibel) : nil,
      "comparator": point.hasResponse ? nil : ">",
    ]
    return [
      "valueQuantity": quantity, "code": code.loincCode.map(loinc) ?? ["text": .text(code.words)],
      "extension": point.isMasked ? [["url": .text(BundleVocabulary.masked), "valueBoolean": true]] : nil,
    ]
  }

  private static func deviceRequest(_ prescription: Prescription, _ form: Form) -> JSONValue {
    let isFile = form == .file
    let fitting: JSONValue = [
      "valueCodeableConcept": ["text": .text(FittingText(prescription).text)],
      "code": isFile ? ["text": .text(BundleVocabulary.fitting)] : nil,
    ]
    let expires = isFile ? prescription.expires : nil
    return [
      "resourceType": "DeviceRequest", "status": isFile ? "active" : nil, "intent": "order",
      "identifier": [["value": .text("\(prescription.serial)")]],
      "subject": ["reference": .text(patientAddress)], "parameter": [fitting],
      "requester": ["reference": "resource:1"],
      "codeCodeableConcept": ["text": .text(BundleVocabulary.device)],
      "performer": isFile ? ["display": .text(prescription.prescriber.clinic)] : nil,
      "authoredOn": isFile ? .text(prescription.issued.text) : nil,
      "occurrencePeriod": expires.map { ["end": .text($0.text)] },
      "priorRequest": prescription.supersedes.map { [["identifier": ["value": .text("\($0)")]]] },
    ]
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

  /// Kind of device that is requested; its form is the patient's and the clinic's choice.
  static let device = "hearing aid"
  /// The request's one parameter; ``FittingText`` is its value.
  static let fitting = "fitting"
}

/// Facts that a prescription's card states outside its bundle, so that they are said only once.
struct SignedFacts {
  /// Name of the clinic whose key signed.
  let clinic: String
  /// The card's `nbf`.
  let issued: Instant
  /// The card's `exp`.
  let expires: Instant?
}

extension PrescriptionBundle {
  /// FHIR R4.
  private static let version = "4.0.1"

  /// A prescription as the subject of its card.
  static func subject(_ prescription: Prescription) -> JSONValue {
    ["fhirVersion": .text(version), "fhirBundle": json(prescription, .card)]
  }

  /// Reads the subject of a prescription's card.
  ///
  /// - Throws: ``PrescriptionError/invalidContent(place:reason:)`` or
  ///   ``PrescriptionError/earsSwapped(place:)``.
  static func prescription(
    _ subject: JSONPlace, _ facts: SignedFacts
  ) throws(PrescriptionError) -> Prescription {
    let members = try subject.members("fhirVersion", "fhirBundle")
    try members("fhirVersion").fixed(version)
    return try BundleReader.prescription(try members("fhirBundle"), facts)
  }
}

extension Prescription {
  /// Largest bundle read, bytes.
  package static let greatestBundleSize = 65_536

  /// The prescription as a FHIR R4 Bundle for other programs, JSON without white space. Unlike the bundle
  /// on a card, it states clinic, issue and expiry.
  package var fhirBundle: String { PrescriptionBundle.json(self, .file).minified }

  /// Reads a bundle that ``fhirBundle`` wrote. Nobody vouches for it: only a card is signed.
  ///
  /// - Throws: ``PrescriptionError/tooLarge(size:limit:)``,
  ///   ``PrescriptionError/invalidContent(place:reason:)``, ``PrescriptionError/earsSwapped(place:)``.
  package init(fhirBundle text: String) throws(PrescriptionError) {
    guard text.utf8.count <= Self.greatestBundleSize else {
      throw .tooLarge(size: text.utf8.count, limit: Self.greatestBundleSize)
    }
    self = try BundleReader.prescription(JSONPlace(reading: Array(text.utf8)), nil)
  }
}
