import Acoustics
import Base

/// One ear's thresholds as a FHIR Observation with a component for each point.
struct ThresholdObservation {
  let ear: Ear
  let points: [Audiogram.Point]
  /// True in a bundle that stands by itself, false on a card.
  let isFile: Bool
  /// FHIR's dateTime; nil: not stated.
  var effective: String?
  /// Reference to the patient; nil: not stated.
  var subject: JSONValue?
  /// For the reader; nil: none.
  var note: String?
  /// FHIR's observation-status.
  var status = "final"

  /// UCUM, and its code for the decibel. The codes of thresholds say that they are hearing levels.
  private static let units = "http://unitsofmeasure.org"
  static let decibel = "dB"

  /// Extension of a threshold: true when the other ear was masked.
  static let masked = "urn:auricle:masked"

  /// Keys stand in the order that DEFLATE packs best on a card.
  var json: JSONValue {
    [
      "resourceType": "Observation", "status": .text(status), "bodySite": ["text": .text(ear.rawValue)],
      "code": Self.loinc(ThresholdCode.panel), "subject": subject,
      "effectiveDateTime": effective.map(JSONValue.text),
      "component": .array(points.map(component)),
      "note": note.map { [["text": .text($0)]] },
    ]
  }

  private func component(_ point: Audiogram.Point) -> JSONValue {
    // Within an audiogram's range: no other can be made.
    let code = ThresholdCode(ear: ear, conduction: point.conduction, frequency: Int(point.frequency))
    let quantity: JSONValue = [
      "value": .number(point.threshold.decibels), "unit": .text(Self.decibel),
      "system": isFile ? .text(Self.units) : nil, "code": isFile ? .text(Self.decibel) : nil,
      "comparator": point.hasResponse ? nil : ">",
    ]
    return [
      "valueQuantity": quantity,
      "code": code.loincCode.map { Self.loinc($0) } ?? ["text": .text(code.words)],
      "extension": point.isMasked ? [["url": .text(Self.masked), "valueBoolean": true]] : nil,
    ]
  }

  private static func loinc(_ code: String) -> JSONValue {
    ["coding": [["system": .text(ThresholdCode.loincSystem), "code": .text(code)]]]
  }
}
