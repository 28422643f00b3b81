/// What a rule that is defined up to 6 kHz does above.
public enum HighFrequencyEdge: String, Sendable, CaseIterable, Codable {
  /// The 6 kHz gain is held: what pyclarity 0.9.0 does, and the choice here, since it keeps the bands that
  /// carry fricatives audible.
  case heldAboveSixKilohertz
  /// The gain falls linearly over log frequency to 0 dB at 10 kHz: what openMHA 4.18 does.
  case fallingToTenKilohertz
}
