/// Why a FHIR text does not give an audiogram.
///
/// Places are as in `Bundle.entry[2].resource.valueQuantity`; no case carries a threshold or a name.
public enum FHIRAudiogramError: Error, Equatable {
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
  public var description: String {
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
