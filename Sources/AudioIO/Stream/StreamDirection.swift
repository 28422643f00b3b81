/// The way sound moves through a device.
public enum StreamDirection: String, Sendable, Hashable, Codable, CaseIterable, BitwiseCopyable {
  /// From the world into the program.
  case capture
  /// From the program to the ear.
  case playback
}
