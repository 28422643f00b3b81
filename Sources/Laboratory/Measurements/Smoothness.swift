import Glibc

/// How far a third octave stands out of its surroundings: its level less the mean of the bands two thirds of an
/// octave below and above (ANSI/CTA-2051, as a public implementation of it describes the statistic).
public struct Smoothness: Sendable, Equatable {
  /// Greatest excess, dB.
  public var excess: Double
  /// Centre of the band that has it, Hz.
  public var frequency: Double

  public init(excess: Double, frequency: Double) {
    self.excess = excess
    self.frequency = frequency
  }

  /// First and last centre of a band that is judged: 1000·10^(n/10) Hz, 250 Hz to 5 kHz. The bands beside them
  /// must lie within the curve.
  private static let steps = -6...7

  /// - Parameter curve: Response, dB, densely by frequency from 150 Hz to 10 kHz.
  init(of curve: [CurvePoint]) {
    let bands = (Self.steps.lowerBound - 2...Self.steps.upperBound + 2).map { Self.band($0, of: curve) }
    let excesses = Self.steps.indices.enumerated().map { index, _ in
      bands[index + 2] - (bands[index] + bands[index + 4]) / 2
    }
    let greatest = excesses.indices.max { excesses[$0] < excesses[$1] } ?? 0
    self.init(
      excess: excesses[greatest],
      frequency: 1000 * pow(10, Double(Self.steps.lowerBound + greatest) / 10))
  }

  /// Mean power of the curve in a third octave, dB, from eleven places equally far apart on a log axis.
  private static func band(_ step: Int, of curve: [CurvePoint]) -> Double {
    let power = (-5...5).reduce(0.0) { sum, place in
      let frequency = 1000 * pow(10, (Double(step) + Double(place) / 11) / 10)
      return sum + pow(10, Curve.value(curve, at: frequency) / 10)
    }
    return 10 * log10(power / 11)
  }
}
