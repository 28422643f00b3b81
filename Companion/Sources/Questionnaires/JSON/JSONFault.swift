/// A member of a JSON text that is not taken.
public struct JSONFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// Path of the member, such as `item[3].enableWhen[0].operator`.
  public let path: String
  public let found: String
  public let expected: String

  public init(path: String, found: String, expected: String) {
    (self.path, self.found, self.expected) = (path, found, expected)
  }

  public var description: String { "\(path): found \(found); expected \(expected)" }
}
