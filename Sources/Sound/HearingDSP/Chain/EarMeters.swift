import Glibc
import Realtime

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

/// What both ears heard: the whole of one meter reading.
///
/// - Threads: written on `audio`, read on `control` as a copy.
public struct ChainMeters: BitwiseCopyable, Sendable {
  public var left = EarMeters()
  public var right = EarMeters()
  /// Frames processed since the chain began.
  public var frames: Int64 = 0
  /// Bands in use in the ears' arrays.
  public var bandCount: Int32 = 0
  /// What the surroundings are taken for.
  public var scene = SceneReading()

  public init() {}
}

/// Collects one ear's meters, hop by hop.
///
/// - Threads: `audio`.
struct EarMeterReader: ~Copyable {
  /// Time constant of the Fast weighting, s (IEC 61672-1).
  static let fast = 0.125
  /// Averaging time of the band levels, s.
  static let bandAveraging = 1.0

  private(set) var reading = EarMeters()
  private var bandPower: AlignedBuffer<Float>
  private let fastShare: Float
  private let bandShare: Float

  init(stride: Int, hopTime: Double) {
    bandPower = AlignedBuffer(count: stride)
    fastShare = Float(1 - exp(-hopTime / Self.fast))
    bandShare = Float(1 - exp(-hopTime / Self.bandAveraging))
  }

  /// Notes what came in.
  ///
  /// - Parameter power: Mean square of the hop, without direct current.
  mutating func note(_ finding: PairHistory.Finding, power: Float) {
    reading.clippedInput += Int64(finding.clipped)
    reading.nonFinite += finding.isNonFinite ? 1 : 0
    reading.inputPower += fastShare * (power - reading.inputPower)
  }

  /// Notes what went out.
  ///
  /// - Parameters:
  ///   - output: The hop behind the limiter.
  ///   - ramp: Factor between the limiter and the ear at the end of the hop.
  mutating func note(_ ear: borrowing EarGain, _ output: OutputReport.Ear, frames: Int, ramp: Float) {
    if output.isBroken { reading.brokenOutput += 1 }
    let heard = output.power * ramp * ramp
    reading.outputPower += fastShare * (heard - reading.outputPower)
    let count = ear.table.bandCount
    precondition(bandPower.count >= count && ear.bandPower.count >= count)
    let (mean, power, limiting) = unsafe (
      bandPower.pointer, ear.bandPower.pointer, ear.gains.limiting.pointer
    )
    var most: Float = 0
    for band in 0..<count {
      unsafe mean[band] += bandShare * (power[band] - mean[band])
      most = unsafe limiting[band] > most ? limiting[band] : most
    }
    reading.bandLimiting = most
    reading.outputLimiter = output.limiterGain
    if most > 0.1 || output.limiterGain < 0.99 { reading.limitedFrames += Int64(frames) }
  }

  /// Completes the reading with what need not be known in every hop.
  mutating func complete(_ ear: borrowing EarGain) {
    reading.inputOffset = ear.table.inputOffset
    reading.outputOffset = ear.table.outputOffset
    for band in 0..<min(ear.table.bandCount, EarMeters.bandLimit) {
      reading.bandPower[band] = bandPower[band]
      reading.insertionGain[band] = ear.gains.insertionGain[band]
    }
  }

  /// Completes the reading with what was done about feedback.
  mutating func complete(
    _ howls: borrowing HowlGuard, _ canceller: borrowing EarFeedback, isCancelling: Bool
  ) {
    reading.howls = howls.howls
    reading.howlFrequency = howls.frequency
    reading.howlFactor = howls.relief.lasting
    reading.feedbackResets = canceller.resets
    reading.isCancelling = isCancelling
    reading.hasMeasuredPath = canceller.estimate.isLeaning
    reading.feedbackPeak = canceller.estimate.peak
  }
}
