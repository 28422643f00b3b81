public import Acoustics
import Fitting
import Glibc
import Realtime
import Synchronization

/// One complete setting of the chain, both ears, in the form that the audio thread reads. Immutable.
///
/// Built on the control thread, which refuses wrong values; the audio thread copies the numbers and hands
/// the object back.
///
/// - Threads: built on `control`, read on `audio`.
public final class ChainParameters: PerformerSetting {
  /// Number of the setting, above 0: no two of a process have the same.
  public let number: Int
  /// Sound of both ears that this was built from.
  public let fittings: Binaural<EarFitting>
  /// Greatest output of each ear.
  public let limits: OutputLimits
  /// Bands that this was built for.
  public let bands: BandLayout
  let tables: Binaural<EarTable>
  let lowerings: Binaural<LoweringPlan>
  let noises: Binaural<NoiseShape>
  let listeners: Binaural<NoiseListener>
  let paths: Binaural<PathPrior>
  let binauralLink: Float
  let treatment: Treatment
  /// Factor of the microphones while streamed sound is heard, linear.
  let streamedMicrophones: Float

  private static let made = Atomic(0)

  /// - Parameters:
  ///   - ears: As many curves as `bands` has centres.
  ///   - dynamics: Times and link, the same for both ears.
  ///   - treatment: Processing besides the prescribed gain. Default: none.
  ///   - bands: The chain's bands.
  ///   - geometry: The chain's sizes.
  /// - Throws: ``ChainError`` with the band and the limit.
  public init(
    _ ears: Binaural<EarFitting>, dynamics: Dynamics, treatment: Treatment = .plain, bands: BandLayout,
    geometry: ChainGeometry
  ) throws(ChainError) {
    try dynamics.check()
    try treatment.check()
    self.bands = bands
    number = Self.made.add(1, ordering: .relaxed).newValue
    fittings = ears
    let paths = [ears.left.feedbackPath, ears.right.feedbackPath].compactMap { $0 }
    for path in paths { try path.check() }
    var treatment = treatment
    let loopDelay = treatment.feedback.loopDelay(measured: paths)
    treatment.feedback.loopDelay = loopDelay
    // With a wrong delay the canceller finds nothing of a path, and may adapt to the sound itself.
    if loopDelay == 0 { treatment.feedback.isCancelling = false }
    self.treatment = treatment
    streamedMicrophones = Float(pow(10, -treatment.streamingReduction / 20))
    limits = try OutputLimits(ears)
    tables = try ears.map { ear throws(ChainError) in
      try EarTable(ear, dynamics: dynamics, bands: bands, geometry: geometry)
    }
    lowerings = ears.map { LoweringPlan($0, bands: bands, geometry: geometry) }
    noises = ears.map { NoiseShape($0, bands: bands, geometry: geometry) }
    listeners = ears.map { NoiseListener($0.aidedThresholds, layout: bands) }
    self.paths = ears.map { PathPrior($0.feedbackPath, loopDelay: loopDelay, geometry: geometry) }
    binauralLink = Float(dynamics.binauralLink)
  }
}

/// Meters of one ear, as plain numbers that cross threads.
///
/// Counts are those since the chain began, or since the first one of those that it follows did (`HearingChain.init`).
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
  /// Hops of input with an infinite sample or NaN, since the chain began.
  public internal(set) var nonFinite: Int64 = 0
  /// Hops of output that were not finite although the input was, since the chain began: a fault of the
  /// chain. Silenced.
  public internal(set) var brokenOutput: Int64 = 0

  /// Figures of the processing against feedback.
  var feedback = FeedbackStage.Meters()
  var inputPower: Float = 0
  var outputPower: Float = 0
  var bandPower = InlineArray<40, Float>(repeating: 0)
  /// Response of the microphone in each band, dB.
  var response = InlineArray<40, Float>(repeating: 0)
  var inputOffset: Float = 0
  var outputOffset: Float = 0
  var outputLimiter: Float = 1

  /// Howls notched or attenuated, since the chain began.
  public var howls: Int64 { feedback.howls }
  /// Frequency of the last howl, Hz; 0 when there was none.
  public var howlFrequency: Float { feedback.howlFrequency }
  /// Times that the feedback canceller diverged and began anew, since the chain began.
  public var feedbackResets: Int64 { feedback.resets }

  /// Level at the microphone, Fast-weighted (125 ms), dB SPL: the whole power counts as sound of 1 kHz.
  public var inputLevel: Double { Self.level(inputPower, inputOffset) }
  /// Level at the ear at most, Fast-weighted, dB SPL: the whole power counts with the sensitivity where the earphone is most sensitive, so
  /// of an uneven response the sound at other frequencies is softer than that.
  public var outputLevel: Double { Self.level(outputPower, outputOffset) }
  /// Attenuation of the ear because it went on howling, dB.
  public var howlRelief: Double { -Double(Decibel.fromPower(feedback.howlFactor * feedback.howlFactor)) }
  /// Greatest reduction by the output limiter in the last hop, dB.
  public var outputLimiting: Double { -Double(Decibel.fromPower(outputLimiter * outputLimiter + 1e-20)) }
  /// Level of one band of the sound before the microphone, averaged over 1 s, dB SPL.
  public func bandLevel(_ band: Int) -> Double { Self.level(bandPower[band], inputOffset - response[band]) }

  private static func level(_ power: Float, _ offset: Float) -> Double {
    Double(Decibel.fromPower(power + 1e-20) + offset)
  }

  /// The counts alone, with which a chain that follows goes on.
  var counts: EarMeters {
    var counts = EarMeters()
    (counts.limitedFrames, counts.clippedInput) = (limitedFrames, clippedInput)
    (counts.nonFinite, counts.brokenOutput) = (nonFinite, brokenOutput)
    counts.feedback = feedback
    counts.feedback.howlFactor = 1
    return counts
  }
}

/// Meters of both ears and of the scene; counts as of ``EarMeters``.
///
/// - Threads: written on `audio`, read on `control` as a copy.
public struct ChainMeters: BitwiseCopyable, Sendable {
  /// The left ear's.
  public var left = EarMeters()
  /// The right ear's.
  public var right = EarMeters()
  /// Frames processed since the chain began.
  public var frames: Int64 = 0
  /// Bands in use in the ears' arrays.
  public var bandCount: Int32 = 0
  /// Scene around the wearer.
  public var scene = SceneReading()
  /// Streamed sound.
  public var streaming = StreamingMeters()

  /// Silence: nothing measured yet.
  public init() {}
}

/// Collects one ear's meters, hop by hop.
///
/// - Threads: `audio`.
struct EarMeterStage: ~Copyable {
  /// Time constant of the Fast weighting, s (IEC 61672-1).
  static let fast = 0.125
  /// Averaging time of the band levels, s.
  static let bandAveraging = 1.0

  private(set) var meters: EarMeters
  private var bandPower: Buffer
  /// Parts of a distance covered per hop.
  private let shares: (fast: Float, band: Float)

  /// - Parameter former: Meters of a former chain, whose counts go on.
  init(stride: Int, geometry: ChainGeometry, after former: EarMeters = EarMeters()) {
    meters = former.counts
    bandPower = AlignedBuffer(count: stride)
    shares = (geometry.share(Self.fast), geometry.share(Self.bandAveraging))
  }

  /// Counts one hop of input.
  ///
  /// - Parameter power: Mean square of the hop, without direct current.
  mutating func processInput(_ finding: PairHistory.Finding, power: Float) {
    meters.clippedInput += Int64(finding.clipped)
    meters.nonFinite += finding.isNonFinite ? 1 : 0
    meters.inputPower += shares.fast * (power - meters.inputPower)
  }

  /// Counts one hop of output.
  ///
  /// - Parameters:
  ///   - output: The hop behind the limiter.
  ///   - power: Mean square of each band of the input.
  mutating func processOutput(
    _ output: OutputReport.Ear, _ gain: borrowing EarGain, _ power: borrowing Buffer, frames: Int
  ) {
    if output.isBroken { meters.brokenOutput += 1 }
    let played = output.power * output.factor * output.factor
    meters.outputPower += shares.fast * (played - meters.outputPower)
    let count = gain.table.bandCount
    precondition(bandPower.count >= count && power.count >= count)
    let (mean, power, limiting) = unsafe (bandPower.pointer, power.pointer, gain.limiting.pointer)
    var most: Float = 0
    for band in 0..<count {
      unsafe mean[band] += shares.band * (power[band] - mean[band])
      most = unsafe limiting[band] > most ? limiting[band] : most
    }
    meters.bandLimiting = most
    meters.outputLimiter = output.limiterGain
    if most > 0.1 || output.limiterGain < 0.99 { meters.limitedFrames += Int64(frames) }
  }

  /// Completes the meters at the end of a block with values that are not needed in every hop.
  mutating func processBlock(_ gain: borrowing EarGain, _ feedback: FeedbackStage.Meters) {
    meters.inputOffset = gain.table.inputOffset
    meters.outputOffset = gain.table.outputOffset
    let response = unsafe gain.table.row(.response)
    for band in 0..<min(gain.table.bandCount, EarMeters.bandLimit) {
      meters.bandPower[band] = bandPower[band]
      meters.insertionGain[band] = gain.insertionGain[band]
      meters.response[band] = unsafe response[band]
    }
    meters.feedback = feedback
  }
}
