import Questionnaires

/// A study bundle that is not taken. Nothing of it is kept then.
public struct BundleError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Path in the bundle; empty: the bundle itself.
  public let file: String
  /// Path of the member within the file, or its line; empty: the file itself.
  public let place: String
  public let found: String
  public let expected: String
  public let remedy: String

  public init(_ file: String, place: String = "", found: String, expected: String, remedy: String) {
    (self.file, self.place, self.found, self.expected, self.remedy) = (file, place, found, expected, remedy)
  }

  init(_ file: String, _ fault: JSONFault) {
    self.init(
      file, place: fault.path, found: fault.found, expected: fault.expected,
      remedy: "correct this place in the author's files, and pack the bundle again")
  }

  public var description: String {
    let subject = file.isEmpty ? "the bundle" : place.isEmpty ? file : "\(file), \(place)"
    return "\(subject): found \(found); expected \(expected); \(remedy)"
  }
}
