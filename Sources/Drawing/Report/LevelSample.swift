/// A sound level at one time.
public struct LevelSample: Sendable, Equatable {
  /// From the start of the recording, s.
  public var time: Double
  /// dB SPL; minus infinity for silence.
  public var level: Double

  public init(time: Double, level: Double) {
    self.time = time
    self.level = level
  }
}
