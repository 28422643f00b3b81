import Acoustics
import Glibc

/// Everything in the output of a steady tone that is not the tone: harmonics, intermodulation with the
/// gain's own movement, noise.
package struct Distortion: Sendable, Equatable {
  /// Hz, as asked for; the tone lies on the nearest bin of the analysis.
  package var frequency: Double
  /// Input, dB SPL.
  package var level: Double
  /// Root mean square of the rest over that of the whole output, 0…1, read from 20 Hz to half the sample
  /// rate.
  package var share: Double

  /// Bins on each side of the tone that count as the tone: none more than the rounding of its frequency
  /// needs.
  private static let reach = 1

  static func measure<Path: SoundPath & ~Copyable>(
    _ frequency: Double, level: Double, on bench: inout Bench<Path>
  ) -> Binaural<Distortion> {
    let count = bench.sampleRate > 50_000 ? 1 << 16 : 1 << 15
    let spacing = bench.sampleRate / Double(count)
    let bin = Int((frequency / spacing).rounded())
    let heard = bench.steadyTone(Double(bin) * spacing, level: level, frames: count)
    let (left, right) = FourierTransform(count: count).spectra(
      heard.left.map(Double.init), heard.right.map(Double.init))
    let earphones = bench.earphones
    func share(_ spectrum: FourierSpectrum, _ ear: Ear) -> Double {
      var (tone, rest) = (0.0, 0.0)
      for k in Int((20 / spacing).rounded(.up))..<count / 2 {
        let power = spectrum.power(k) * pow(10, earphones[ear].level(at: Double(k) * spacing) / 10)
        if abs(k - bin) <= reach { tone += power } else { rest += power }
      }
      return tone + rest > 0 ? (rest / (tone + rest)).squareRoot() : 0
    }
    return Binaural(
      left: Distortion(frequency: frequency, level: level, share: share(left, .left)),
      right: Distortion(frequency: frequency, level: level, share: share(right, .right)))
  }
}
