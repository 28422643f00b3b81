import Acoustics
import Glibc

/// The test's sound: one period of a sound that repeats, in which every bin of its transform sounds.
///
/// Powers fall by 3 dB per octave, as bands of equal ratio ask for, and phases are chosen so that each part of the
/// period has one frequency (Schroeder 1970): a rising tone, whose peaks stand little above its level. What repeats is
/// told from noise by comparing one period with the next.
struct FeedbackSignal {
  /// Lowest and highest frequency in full, as a share of the rate for the upper one; beyond, levels fall to nothing
  /// over ``edge``.
  static let lowest = 90.0
  static let highest = 0.42
  /// Lowest frequency that sounds at all, Hz, and highest, as a share of the rate: what lies above, converters take away.
  static let edge = (low: 55.0, high: 0.47)

  /// One period. Its RMS value is 1 without equalisation.
  let period: [Double]

  /// Frames of a period: three quarters of a second. A path that is longer than that is no earpiece's.
  static func frames(rate: Double) -> Int { rate > 50_000 ? 1 << 16 : 1 << 15 }

  /// - Parameters:
  ///   - rate: Hz.
  ///   - equalisation: Gain over frequency, dB.
  init(rate: Double, equalisation: (Double) -> Double = { _ in 0 }) {
    let count = Self.frames(rate: rate)
    let spacing = rate / Double(count)
    let powers = (0...count / 2).map { bin -> Double in
      let frequency = Double(bin) * spacing
      let share = Self.share(frequency, rate: rate)
      return bin == 0 ? 0 : share * share / frequency
    }
    let total = powers.reduce(0, +)
    var (real, imaginary) = ([Double](repeating: 0, count: count), [Double](repeating: 0, count: count))
    // φ(k) = −2π Σ_{l<k} (k − l)·p(l): the group delay grows with the power that lies below.
    var (phase, below) = (0.0, 0.0)
    for bin in 1..<count / 2 {
      phase = (phase - 2 * .pi * below).truncatingRemainder(dividingBy: 2 * .pi)
      below += powers[bin] / total
      let amplitude = powers[bin].squareRoot() * pow(10, equalisation(Double(bin) * spacing) / 20)
      real[bin] = amplitude * cos(phase)
      imaginary[bin] = amplitude * sin(phase)
    }
    FourierTransform(count: count).transform(&real, &imaginary)
    // A cosine of amplitude a has the mean square a²/2.
    let mean = powers[1..<count / 2].reduce(0, +) / 2
    period = real.map { $0 / mean.squareRoot() }
  }

  /// Amplitude of a frequency, 0…1: raised cosines over log frequency at both ends.
  static func share(_ frequency: Double, rate: Double) -> Double {
    func rise(_ frequency: Double, _ from: Double, _ to: Double) -> Double {
      guard frequency > from else { return 0 }
      let way = min(log(frequency / from) / log(to / from), 1)
      return (1 - cos(.pi * way)) / 2
    }
    guard frequency > 0 else { return 0 }
    return rise(frequency, edge.low, lowest)
      * (1 - rise(frequency, highest * rate, edge.high * rate))
  }
}
