public import Acoustics

extension GainCurve {
  /// A level at which the slope may change.
  public struct Knot: Sendable, Hashable, Codable {
    /// Band input level, dB SPL.
    public var level: SoundPressureLevel
    /// Insertion gain there, dB.
    public var gain: Double

    @inlinable
    public init(level: SoundPressureLevel, gain: Double) {
      self.level = level
      self.gain = gain
    }
  }
}
