/// What one ear heard since the meters were last taken, as plain numbers that cross threads.
///
/// - Threads: written on `audio`, read on `control` as a copy.
public struct EarMeters: BitwiseCopyable, Sendable {
  /// Bands there is room for.
  public static let bandLimit = 40

  /// Insertion gain of each band after limiting, dB.
  public internal(set) var insertionGain = InlineArray<40, Float>(repeating: 0)
  /// Greatest reduction by a band's output limit in the last hop, dB.
  public internal(set) var bandLimiting: Float = 0
  /// Frames of output while any limiter was active, since the chain began.
  public internal(set) var limitedFrames: Int64 = 0
  /// Input samples at or above full scale, since the chain began.
  public internal(set) var clippedInput: Int64 = 0
  /// Hops of input that held an infinite sample or one that is not a number, since the chain began.
  public internal(set) var nonFinite: Int64 = 0
  /// Hops of output that were not finite although the input was: a fault of the chain itself. Silenced.
  public internal(set) var brokenOutput: Int64 = 0

  /// Howls notched or lowered, since the chain began.
  public internal(set) var howls: Int64 = 0
  /// Frequency of the last howl, Hz; 0 when there was none.
  public internal(set) var howlFrequency: Float = 0
  /// Times that the feedback canceller did harm and began anew, since the chain began.
  public internal(set) var feedbackResets: Int64 = 0
  /// Whether the feedback canceller is at work.
  public internal(set) var isCancelling = false
  /// Whether its estimate began with a measured path: false when there is none, or when what was measured did harm.
  public internal(set) var hasMeasuredPath = false

  var feedbackPeak: Float = 0

  var inputPower: Float = 0
  var outputPower: Float = 0
  var bandPower = InlineArray<40, Float>(repeating: 0)
  var inputOffset: Float = 0
  var outputOffset: Float = 0
  var outputLimiter: Float = 1
  var howlFactor: Float = 1

  public init() {}

  /// Level at the microphone, Fast-weighted (125 ms), dB SPL.
  public var inputLevel: Double { Self.level(inputPower, inputOffset) }
  /// Level at the ear, Fast-weighted, dB SPL.
  public var outputLevel: Double { Self.level(outputPower, outputOffset) }
  /// What the ear is lowered by because it went on howling, dB.
  public var howlRelief: Double { -Double(Decibel.fromPower(howlFactor * howlFactor)) }
  /// Greatest reduction by the output limiter in the last hop, dB.
  public var outputLimiting: Double { -Double(Decibel.fromPower(outputLimiter * outputLimiter + 1e-20)) }

  /// Greatest |F| of the feedback path as the canceller knows it, digital full scale to digital full scale, dB; below −60
  /// it has found nothing.
  public var feedbackPathGain: Double { Double(Decibel.fromPower(feedbackPeak + 1e-20)) }

  /// Level of one band of the input, averaged over 1 s, dB SPL.
  public func bandLevel(_ band: Int) -> Double { Self.level(bandPower[band], inputOffset) }

  private static func level(_ power: Float, _ offset: Float) -> Double {
    Double(Decibel.fromPower(power + 1e-20) + offset)
  }
}
