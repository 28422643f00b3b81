extension Audiogram {
  /// The threshold found at one frequency.
  public struct Point: Sendable, Hashable, Codable {
    /// Hz, 125–16000.
    public var frequency: Double
    /// Softest tone heard, or with ``hasResponse`` false the loudest one presented; −10…120 dB HL.
    public var threshold: HearingLevel
    public var conduction: Conduction
    /// Whether the other ear was kept busy with noise.
    public var isMasked: Bool
    /// False when the loudest tone presented went unheard: the true threshold lies above ``threshold``.
    public var hasResponse: Bool

    public init(
      frequency: Double, threshold: HearingLevel, conduction: Conduction = .air, isMasked: Bool = false,
      hasResponse: Bool = true
    ) {
      self.frequency = frequency
      self.threshold = threshold
      self.conduction = conduction
      self.isMasked = isMasked
      self.hasResponse = hasResponse
    }
  }
}
