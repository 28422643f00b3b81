import Acoustics
import Glibc

/// Output for tones of one level, by frequency.
enum ToneCurves {
  /// Twelve to the octave from 100 Hz to 10 kHz: four in each third octave.
  static let frequencies = (-40...40).map { 1000 * pow(10, Double($0) / 40) }
  /// ANSI/ASA S3.22's three frequencies for high-frequency averages, Hz.
  static let highFrequencies = [1000.0, 1600, 2500]

  /// Output of steady tones, dB SPL: the whole sound, not its fundamental alone.
  static func output<Path: SoundPath & ~Copyable>(
    at frequencies: [Double], level: Double, on bench: inout Bench<Path>
  ) -> Binaural<[CurvePoint]> {
    var curves = Binaural(both: [CurvePoint]())
    let count = bench.frames(0.1)
    for frequency in frequencies {
      let heard = bench.steadyTone(frequency, level: level, frames: count)
      for ear in Ear.allCases {
        curves[ear].append(
          CurvePoint(x: frequency, y: bench.level(heard[ear], at: frequency, ear: ear)))
      }
    }
    return curves
  }

  /// Mean at ``highFrequencies`` less `input`, dB.
  static func highFrequencyAverage(_ curve: [CurvePoint], less input: Double = 0) -> Double {
    highFrequencies.reduce(0) { $0 + Curve.value(curve, at: $1) } / 3 - input
  }

  /// Output of a steady tone against its level, dB SPL.
  static func inputOutput<Path: SoundPath & ~Copyable>(
    _ frequency: Double, levels: [Double], on bench: inout Bench<Path>
  ) -> Binaural<[CurvePoint]> {
    var curves = Binaural(both: [CurvePoint]())
    let count = bench.frames(0.1)
    for level in levels {
      let heard = bench.steadyTone(frequency, level: level, frames: count)
      for ear in Ear.allCases {
        curves[ear].append(CurvePoint(x: level, y: bench.level(heard[ear], at: frequency, ear: ear)))
      }
    }
    return curves
  }

  /// Input–output slope between two levels, dB per dB: 1 over the compression ratio.
  static func slope(_ curve: [CurvePoint], from low: Double, to high: Double) -> Double? {
    guard let a = curve.first(where: { $0.x == low }), let b = curve.first(where: { $0.x == high }),
      a.x < b.x
    else { return nil }
    return (b.y - a.y) / (b.x - a.x)
  }
}

/// One value of a curve.
package struct CurvePoint: Sendable, Equatable {
  /// Hz, or dB SPL of the input of an input–output curve.
  package var x: Double
  /// Value there.
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A curve between its points.
enum Curve {
  /// Value at a frequency, linear over log frequency, held at the ends.
  static func value(_ curve: [CurvePoint], at frequency: Double) -> Double {
    LogFrequencyTable(curve.map(\.x), curve.map(\.y)).held(at: frequency)
  }
}

/// The range in which a response lies above the mean of 1000, 1600 and 2500 Hz less 20 dB: the band edges
/// of ANSI/ASA S3.22 (from memory), taken for the method of ANSI/CTA-2051 4.1 (from memory too).
package struct Bandwidth: Sendable, Equatable {
  /// Hz; the curve's end where it does not fall that far.
  package var lower: Double
  /// Hz; likewise.
  package var upper: Double

  /// Fall that makes an edge, dB.
  static let fall = 20.0
}

extension Bandwidth {
  /// - Parameter curve: Response, dB, densely by frequency.
  init(of curve: [CurvePoint]) {
    let line = ToneCurves.highFrequencyAverage(curve) - Self.fall
    let middle = curve.firstIndex { $0.x >= 1000 } ?? 0
    self.init(
      lower: Self.edge(curve[...middle].reversed(), line), upper: Self.edge(Array(curve[middle...]), line))
  }

  /// First place at which the curve falls below the line, linear between its points.
  private static func edge(_ curve: [CurvePoint], _ line: Double) -> Double {
    guard let below = curve.firstIndex(where: { $0.y < line }), below > 0 else { return curve.last?.x ?? 0 }
    let (a, b) = (curve[below - 1], curve[below])
    return a.x + (a.y - line) / (a.y - b.y) * (b.x - a.x)
  }
}

/// Height of a third octave above its surroundings: its level less the mean of the bands two thirds of an
/// octave below and above (ANSI/CTA-2051, as a public implementation of it describes the statistic).
package struct Smoothness: Sendable, Equatable {
  /// Greatest excess, dB.
  package var excess: Double
  /// Centre of the band that has it, Hz.
  package var frequency: Double

  /// First and last centre of a band that is judged: 1000·10^(n/10) Hz, 250 Hz to 5 kHz. The bands beside
  /// them must lie within the curve.
  private static let steps = -6...7
}

extension Smoothness {
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
