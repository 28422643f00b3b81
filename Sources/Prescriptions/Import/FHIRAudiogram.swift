public import Acoustics

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
public struct FHIRAudiogram: Sendable, Hashable {
  /// Largest text read, bytes.
  public static let greatestSize = 1_048_576

  public let ears: Binaural<Audiogram>

  /// - Throws: ``FHIRAudiogramError`` with the place.
  public init(parsing text: String) throws(FHIRAudiogramError) {
    guard text.utf8.count <= Self.greatestSize else {
      throw .tooLarge(size: text.utf8.count, limit: Self.greatestSize)
    }
    do {
      let place = JSONPlace(try JSONValue(Array(text.utf8)))
      var reader = FHIRThresholdReader()
      try reader.read(try FHIRResources(place))
      ears = Binaural(left: try reader.audiogram(.left), right: try reader.audiogram(.right))
    } catch let error as JSONError {
      throw .notJSON(offset: error.offset, reason: error.reason)
    } catch CardError.invalidContent(let place, let reason) {
      throw .invalid(place: place, reason: reason)
    } catch { throw .invalid(place: "the content", reason: "\(error)") }
    if ears.left.points.isEmpty, ears.right.points.isEmpty { throw .noThresholds }
  }
}
