import Glibc

/// Equivalent levels of octave bands, by which a room is judged: the mean square of each band over all samples since the last reset.
///
/// Levels are in dB SPL by the calibration given, and carry its status. Before any sample, and on silence, they are −∞.
///
/// - Threads: any, one at a time; processing takes no lock, and allocates only where the value was copied.
public struct OctaveBandMeter: Sendable {
  /// Nominal middles of the bands, Hz: those of ``OctaveBandFilter/nominalCentres`` that the sample rate allows.
  public let centres: [Double]
  /// Sound pressure level at 0 dB FS.
  public let fullScale: Calibrated<SoundPressureLevel>
  /// Hz.
  public let sampleRate: Double

  @usableFromInline var filters: [OctaveBandFilter] = []
  @usableFromInline var sums: [Double]
  @usableFromInline var count = 0

  /// Creates a meter.
  ///
  /// - Parameters:
  ///   - sampleRate: Hz, within ``WeightingFilter/sampleRates``.
  ///   - fullScale: Sound pressure level at 0 dB FS, a full-scale sine.
  /// - Throws: ``AcousticsError`` for a sample rate out of range.
  public init(
    sampleRate: Double, fullScale: Calibrated<SoundPressureLevel>
  ) throws(AcousticsError) {
    guard WeightingFilter.sampleRates.contains(sampleRate) else {
      throw AcousticsError("sample rate \(sampleRate) Hz", expected: "8000 to 384000 Hz")
    }
    (self.sampleRate, self.fullScale) = (sampleRate, fullScale)
    var centres: [Double] = []
    for centre in OctaveBandFilter.nominalCentres {
      guard let filter = try? OctaveBandFilter(nominal: centre, sampleRate: sampleRate) else { continue }
      centres.append(centre)
      filters.append(filter)
    }
    self.centres = centres
    sums = [Double](repeating: 0, count: centres.count)
  }

  /// Measures a block. A sample that is not finite counts as silence.
  @inlinable public mutating func process(_ samples: borrowing Span<Float>) {
    for band in filters.indices {
      for n in 0..<samples.count {
        let y = filters[band].filtered(samples[n])
        sums[band] += y * y
      }
    }
    count += samples.count
  }

  /// Time measured since the last reset, s.
  public var duration: Double { Double(count) / sampleRate }

  /// Level of each band since the last reset, by its nominal middle, Hz.
  public var levels: [Double: Calibrated<SoundPressureLevel>] {
    Dictionary(
      uniqueKeysWithValues: zip(centres, sums).map { centre, sum in
        let square = count == 0 ? 0 : sum / Double(count)
        let level = FullScaleLevel(rootMeanSquare: square.squareRoot())
        return (centre, fullScale.map { $0 + level.decibels })
      })
  }

  /// Starts the levels anew; the filters go on.
  public mutating func resetStatistics() {
    for band in sums.indices { sums[band] = 0 }
    count = 0
  }

  /// Resets filters and levels.
  public mutating func reset() {
    for band in filters.indices { filters[band].reset() }
    resetStatistics()
  }
}
