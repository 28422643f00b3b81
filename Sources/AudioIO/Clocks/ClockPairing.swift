/// Whether the two devices of a stream are paced by one oscillator.
public enum ClockPairing: String, Sendable, Hashable, Codable, CaseIterable {
  /// Asks the devices: one card is one clock, and so are two directions of one name; anything else is two.
  case automatic
  /// One clock: blocks go through unchanged.
  case shared
  /// Two clocks: playback is resampled to follow.
  case separate
}
