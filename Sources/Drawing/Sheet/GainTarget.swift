/// What is wanted of an ear at one frequency.
public struct GainTarget: Sendable, Equatable {
  /// Hz.
  public var frequency: Double
  /// Insertion gain for speech at 50 dB SPL, dB.
  public var soft: Double
  /// Insertion gain for speech at 65 dB SPL, dB.
  public var ordinary: Double
  /// Insertion gain for speech at 80 dB SPL, dB.
  public var loud: Double
  /// Greatest output, dB SPL; nil where none is stated.
  public var maximumOutput: Double?

  public init(frequency: Double, soft: Double, ordinary: Double, loud: Double, maximumOutput: Double? = nil)
  {
    self.frequency = frequency
    self.soft = soft
    self.ordinary = ordinary
    self.loud = loud
    self.maximumOutput = maximumOutput
  }

  var isFinite: Bool {
    [frequency, soft, ordinary, loud, maximumOutput ?? 0].allSatisfy(\.isFinite) && frequency > 0
  }
}
