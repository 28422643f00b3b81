import Acoustics
import Glibc

/// What a Hann-windowed transform reads of speech noise in each bin: the long-term average spectrum of
/// speech blurred by the window's main lobe.
///
/// - Threads: `control`.
struct SpeechBins {
  /// Level that the noise is taken to have; only ratios matter.
  private static let overall = SoundPressureLevel(65)
  /// Points per bin at which the spectrum is taken.
  private static let density = 16
  /// Bins on either side over which a tone is spread; beyond it the side lobes lie 50 dB down (Harris
  /// 1978).
  private static let reach = 6

  /// Power read in each bin, arbitrary unit.
  let power: [Double]

  init(binWidth: Double, count: Int) {
    var power = [Double](repeating: 0, count: count)
    let step = 1 / Double(Self.density)
    for point in 0..<(count - 1) * Self.density {
      let position = (Double(point) + 0.5) * step
      let level = LongTermAverageSpeechSpectrum.spectrumLevel(
        at: position * binWidth, overall: Self.overall)
      let share = pow(10, level.decibels / 10) * binWidth * step
      guard share > 0 else { continue }
      let nearest = Int(position.rounded())
      for k in max(0, nearest - Self.reach)...min(count - 1, nearest + Self.reach) {
        power[k] += share * Self.hannShare(position - Double(k))
      }
    }
    self.power = power
  }

  /// True power of the noise in a frequency range, in the same unit; zero where speech has none.
  func wholePower(from low: Double, to high: Double) -> Double {
    let level = LongTermAverageSpeechSpectrum.bandLevel(from: low, to: high, overall: Self.overall)
    return pow(10, level.decibels / 10)
  }

  /// Share of a tone's power that a Hann-windowed transform puts into a bin `offset` bins away: the
  /// window's transform (sinc(x) / (1 − x²))² (Harris 1978, Proc. IEEE 66:51) over its sum across bins,
  /// 3/2.
  static func hannShare(_ offset: Double) -> Double {
    if abs(offset) < 1e-9 { return 2.0 / 3 }
    if abs(abs(offset) - 1) < 1e-9 { return 1.0 / 6 }
    let amplitude = sin(.pi * offset) / (.pi * offset) / (1 - offset * offset)
    return amplitude * amplitude * 2 / 3
  }
}
