/// One of the two ears.
public enum Ear: String, Sendable, CaseIterable, Codable {
  case left
  case right
}
