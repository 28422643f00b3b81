/// The way a test tone took to the inner ear.
public enum Conduction: String, Sendable, CaseIterable, Codable {
  /// Through an earphone and the middle ear.
  case air
  /// Through a vibrator and the skull.
  case bone
}
