import Acoustics
import Glibc

/// What tones of one level come out as, by frequency.
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
