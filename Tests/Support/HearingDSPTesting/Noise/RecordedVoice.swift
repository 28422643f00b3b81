import Glibc
import HearingDSP

/// The prompts of alsa-utils as they were recorded, one after the other, and noise with their spectrum: the sounds of
/// Benchmarks/Noise/score.py. 44.1 kHz; 0 dB FS is 120 dB SPL.
enum RecordedVoice {
  /// At 65 dB SPL, pauses included; nil without the package.
  static let speech: [Float]? = Prompts.recorded.map { NoiseSound.scaled(resampled($0), to: 65) }

  /// Gaussian noise with the long-term spectrum of the voice that does not repeat, dB SPL.
  static func noise(level: Double, like speech: [Float], seed: UInt64) -> [Float] {
    let spectrum = PowerSpectrum(speech, length: 2048)
    var length = 2
    while length < speech.count { length *= 2 }
    var random = Seeded(seed)
    var re = [Double](repeating: 0, count: length)
    var im = re
    for k in 1..<length / 2 {
      let place = Double(k) * 44_100 / Double(length) / spectrum.binWidth
      let (below, share) = (Int(place), place - place.rounded(.down))
      let above = min(below + 1, spectrum.power.count - 1)
      let power = (1 - share) * spectrum.power[below] + share * spectrum.power[above]
      // Box and Muller (1958): height and phase of a normal pair.
      let height = sqrt(-2 * power * log(Double.random(in: 0x1p-53..<1, using: &random)))
      let phase = Double.random(in: 0..<2 * .pi, using: &random)
      (re[k], im[k]) = (height * cos(phase), height * sin(phase))
    }
    PowerSpectrum.transform(&re, &im)
    return NoiseSound.scaled(re.prefix(speech.count).map(Float.init), to: level)
  }

  /// From 48 to 44.1 kHz: a sinc of 48 samples to each side under a Hann window, cut off at 20 kHz.
  private static func resampled(_ sound: [Float]) -> [Float] {
    let (up, down, reach) = (147, 160, 48)
    let cutoff = 20_000.0 / 24_000
    let kernels = (0..<up).map { phase in
      (1 - reach...reach).map { tap -> Float in
        let x = Double(tap) - Double(phase) / Double(up)
        let sinc = x == 0 ? 1 : sin(.pi * cutoff * x) / (.pi * cutoff * x)
        return Float(cutoff * sinc * (0.5 + 0.5 * cos(.pi * x / Double(reach + 1))))
      }
    }
    let padding = [Float](repeating: 0, count: reach)
    let padded = padding + sound + padding
    return (0..<sound.count * up / down).map { n in
      let kernel = kernels[n * down % up]
      let start = n * down / up + 1
      var sum: Float = 0
      for tap in kernel.indices { sum += kernel[tap] * padded[start + tap] }
      return sum
    }
  }
}
