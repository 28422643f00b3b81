/// Request of a performer to the output safety stage for one hop. It can only make the sound softer.
public struct OutputRequest: BitwiseCopyable, Sendable {
  /// Silences the hop at once; the sound then rises anew.
  public var isSilent = false
  /// Factor of each ear at the hop's ends, linear, 0...1, applied behind the limiter and the ramp.
  public var left = Factor()
  public var right = Factor()

  /// Nothing beyond the limits.
  public init() {}

  /// A factor that moves in a straight line over a hop.
  public struct Factor: BitwiseCopyable, Sendable {
    public var from: Float = 1
    public var to: Float = 1

    /// - Parameters: Factors before the hop's first sample and at its last.
    public init(from: Float = 1, to: Float = 1) { (self.from, self.to) = (from, to) }
  }
}

/// Report of the output safety stage on one hop.
public struct OutputReport: BitwiseCopyable, Sendable {
  public var left = Ear()
  public var right = Ear()
  /// Factor of the ramp at the end of the hop, linear, 0...1.
  public var ramp: Float = 0

  /// Whether an ear's hop was not finite; both ears are silent then.
  public var isBroken: Bool { left.isBroken || right.isBroken }

  /// One ear's hop, behind the limiter and before the ramp.
  public struct Ear: BitwiseCopyable, Sendable {
    /// Mean square.
    public var power: Float = 0
    /// ``power`` relative to that of a sine at the ear's limit.
    public var limitShare: Float = 0
    /// Least gain of the limiter, linear; 1 when idle.
    public var limiterGain: Float = 1
    /// Whether a sample was not finite.
    public var isBroken = false
  }
}
