import Glibc

/// Sound level meter: equivalent level, Fast level and its maximum, IEC 61672-1.
///
/// Leq is the level of the mean square over all samples since the last reset. Fast is the mean square
/// through a one-pole low-pass with a time constant of 125 ms, so a sound that stops decays by
/// 10 log10(e)/τ, 34.7 dB per second. The maximum is taken at every sample.
///
/// Levels are in dB SPL by the calibration given, and carry its status. Before any sample, and on silence,
/// they are −∞.
///
/// - Threads: any, one at a time; processing allocates nothing and takes no lock.
public struct SoundLevelMeter: Sendable {
  /// Time constant of Fast, s.
  public static let fast = 0.125

  /// Sound pressure level at 0 dB FS.
  public let fullScale: Calibrated<SoundPressureLevel>

  /// Hz.
  public let sampleRate: Double

  @usableFromInline var filter: WeightingFilter
  @usableFromInline let fastShare: Double
  @usableFromInline var sum = 0.0
  @usableFromInline var count = 0
  @usableFromInline var fastSquare = 0.0
  @usableFromInline var greatestFast = 0.0

  /// Creates a meter.
  ///
  /// - Parameters:
  ///   - weighting: Frequency weighting.
  ///   - sampleRate: Hz, within ``WeightingFilter/sampleRates``.
  ///   - fullScale: Sound pressure level at 0 dB FS, a full-scale sine.
  /// - Throws: ``AcousticsError`` for a sample rate out of range.
  public init(
    _ weighting: FrequencyWeighting, sampleRate: Double, fullScale: Calibrated<SoundPressureLevel>
  ) throws(AcousticsError) {
    filter = try WeightingFilter(weighting, sampleRate: sampleRate)
    (self.sampleRate, self.fullScale) = (sampleRate, fullScale)
    fastShare = 1 - exp(-1 / (sampleRate * Self.fast))
  }

  /// Frequency weighting of the meter.
  public var weighting: FrequencyWeighting { filter.weighting }

  /// Measures a block. A sample that is not finite counts as silence.
  @inlinable public mutating func process(_ samples: borrowing Span<Float>) {
    for n in 0..<samples.count {
      let y = filter.weighted(samples[n])
      let square = y * y
      sum += square
      fastSquare += fastShare * (square - fastSquare)
      if fastSquare > greatestFast { greatestFast = fastSquare }
    }
    count += samples.count
  }

  /// Time heard since the last reset, s.
  public var duration: Double { Double(count) / sampleRate }

  /// Leq since the last reset.
  public var equivalentLevel: Calibrated<SoundPressureLevel> { level(count == 0 ? 0 : sum / Double(count)) }

  /// Present level, time weighting Fast.
  public var fastLevel: Calibrated<SoundPressureLevel> { level(fastSquare) }

  /// Highest Fast level since the last reset.
  public var maximumFastLevel: Calibrated<SoundPressureLevel> { level(greatestFast) }

  /// Starts Leq and maximum anew. Fast goes on, and with it the filter.
  public mutating func resetStatistics() {
    (sum, count) = (0, 0)
    greatestFast = fastSquare
  }

  /// Resets filter, levels and maximum.
  public mutating func reset() {
    filter.reset()
    fastSquare = 0
    resetStatistics()
  }

  private func level(_ meanSquare: Double) -> Calibrated<SoundPressureLevel> {
    let level = FullScaleLevel(rootMeanSquare: meanSquare.squareRoot())
    return fullScale.map { $0 + level.decibels }
  }
}
