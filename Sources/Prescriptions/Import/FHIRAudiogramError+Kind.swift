extension FHIRAudiogramError {
  /// What kind of thing is wrong, and where, without a value of the file: for a log.
  public var kind: String {
    switch self {
    case .tooLarge: "a FHIR text that is too large"
    case .notJSON(let offset, _): "a FHIR text that is not JSON at byte \(offset)"
    case .invalid(let place, _): "something that cannot be taken at \(place)"
    case .noThresholds: "a FHIR text without a hearing level"
    }
  }
}
