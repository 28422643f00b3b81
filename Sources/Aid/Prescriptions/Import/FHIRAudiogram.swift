import Acoustics
import Base

/// An audiogram that another program wrote in FHIR R4: an Observation or a Bundle, JSON.
///
/// Read are thresholds under LOINC's codes of ear and frequency, as Observations of their own, as members of a
/// panel 89015-2, or as components; and HL7's Personal Health Record Format, whose members have the components
/// `frequency`, `leftEarSensitivity` and `rightEarSensitivity`. For what LOINC has no code for the words of
/// this project's own bundles are read, as `left air 125`.
///
/// What is not understood beside the thresholds is passed over, as FHIR asks for; a threshold that is not
/// understood is an error, and so is a panel's member that is no threshold. `dataAbsentReason` without a value
/// means that a frequency was not tested.
package struct FHIRAudiogram: Sendable, Hashable {
  /// Largest text read, bytes.
  package static let greatestSize = 1_048_576

  package let ears: Binaural<Audiogram>

  /// - Throws: ``FHIRAudiogramError`` with the place.
  package init(parsing text: String) throws(FHIRAudiogramError) {
    guard text.utf8.count <= Self.greatestSize else {
      throw .tooLarge(size: text.utf8.count, limit: Self.greatestSize)
    }
    do {
      let place = JSONPlace(try JSONValue(Array(text.utf8)))
      var reader = FHIRThresholdReader()
      try reader.read(try FHIRResources(place))
      ears = Binaural(left: try reader.audiogram(.left), right: try reader.audiogram(.right))
    } catch let error as JSONError {
      throw .notJSON(offset: error.position.offset, reason: error.words)
    } catch CardError.invalidContent(let place, let reason) {
      throw .invalid(place: place, reason: reason)
    } catch { throw .invalid(place: "the content", reason: "\(error)") }
    if ears.left.points.isEmpty, ears.right.points.isEmpty { throw .noThresholds }
  }
}

/// Why a FHIR text does not give an audiogram.
///
/// Places are as in `Bundle.entry[2].resource.valueQuantity`; no case carries a threshold or a name.
package enum FHIRAudiogramError: Error, Equatable {
  /// More bytes than ``FHIRAudiogram/greatestSize``.
  case tooLarge(size: Int, limit: Int)
  /// Not JSON.
  case notJSON(offset: Int, reason: String)
  /// Something that cannot be taken as it stands.
  case invalid(place: String, reason: String)
  /// No hearing threshold in it.
  case noThresholds
}

extension FHIRAudiogramError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLarge(let size, let limit):
      "FHIR audiogram: found \(size) bytes, expected at most \(limit)"
    case .notJSON(let offset, let reason): "FHIR audiogram: not JSON at byte \(offset): \(reason)"
    case .invalid(let place, let reason): "FHIR audiogram: \(place): \(reason)"
    case .noThresholds:
      "FHIR audiogram: found no hearing threshold, expected Observations with LOINC codes as 89016-0 (left ear,"
        + " 1000 Hz), or a panel 89015-2 of them"
    }
  }
}

extension FHIRAudiogramError {
  /// What kind of thing is wrong, and where, without a value of the file: for a log.
  package var kind: String {
    switch self {
    case .tooLarge: "a FHIR text that is too large"
    case .notJSON(let offset, _): "a FHIR text that is not JSON at byte \(offset)"
    case .invalid(let place, _): "something that cannot be taken at \(place)"
    case .noThresholds: "a FHIR text without a hearing level"
    }
  }
}
