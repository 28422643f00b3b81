import Glibc
import Realtime

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
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func note(_ finding: PairHistory.Finding, power: Float) {
    reading.clippedInput += Int64(finding.clipped)
    reading.nonFinite += finding.isNonFinite ? 1 : 0
    reading.inputPower += fastShare * (power - reading.inputPower)
  }

  /// Notes that an output hop had to be silenced because it was not finite.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func noteBrokenOutput() { reading.brokenOutput += 1 }

  /// Notes what went out.
  ///
  /// - Parameter ramp: Factor between the limiter and the ear at the end of the hop.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func note(_ ear: borrowing EarGain, frames: Int, ramp: Float) {
    let heard = ear.limiter.outputPower * ramp * ramp
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
    reading.outputLimiter = ear.limiter.gain
    if most > 0.1 || ear.limiter.gain < 0.99 { reading.limitedFrames += Int64(frames) }
  }

  /// Completes the reading with what need not be known in every hop.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func complete(_ ear: borrowing EarGain) {
    reading.inputOffset = ear.table.inputOffset
    reading.outputOffset = ear.table.outputOffset
    for band in 0..<min(ear.table.bandCount, EarMeters.bandLimit) {
      reading.bandPower[band] = bandPower[band]
      reading.insertionGain[band] = ear.gains.insertionGain[band]
    }
  }

  /// Completes the reading with what was done about feedback.
  #if RT_LINT
    @_noAllocation
  #endif
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
