import Glibc

/// A narrow range of frequencies and how much of the earphones' sound comes back there.
///
/// - Threads: `any`.
public struct FeedbackCell: Sendable, Equatable {
  /// Its middle, Hz.
  public var frequency: Double
  /// Greatest |F| in it, dB, full scale to full scale: what both earphones send to this ear's microphone, added as if
  /// in step.
  public var level: Double
  /// What noise alone would read there, RMS, dB.
  public var noise: Double

  public init(frequency: Double, level: Double, noise: Double) {
    self.frequency = frequency
    self.level = level
    self.noise = noise
  }

  /// Least distance from the noise at which what came back is taken for feedback, dB. The greatest of some bins of
  /// noise stands 5 to 8 dB above its RMS; own choice, a few dB more.
  static let leastDistance = 12.0
  /// Lowest level told, dB: the quiet end of 24 bits.
  static let floor = -144.0

  /// Whether it is feedback; else ``level`` is a bound that it lies below.
  public var isFound: Bool { level - noise >= Self.leastDistance }

  /// Cells to an octave: as fine as a peak of a path of some ms is wide.
  static let perOctave = 12.0
  /// The first cell's middle, Hz.
  static let lowest = 100.0

  /// Middles of all cells below a share of the rate, Hz.
  static func frequencies(rate: Double) -> [Double] {
    var frequencies: [Double] = []
    var frequency = lowest
    while frequency < FeedbackSignal.highest * rate {
      frequencies.append(frequency)
      frequency = lowest * exp2(Double(frequencies.count) / perOctave)
    }
    return frequencies
  }
}
