/// A FHIR questionnaire that is not taken.
public struct FHIRError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Path of the member, such as `item[3].enableWhen[0].operator`.
  public let path: String
  public let found: String
  public let expected: String

  public var description: String { "\(path): found \(found); expected \(expected)" }
}
