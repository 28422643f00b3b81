import Acoustics
import Glibc
import HearingDSP

/// Sounds for the trials of noise reduction and its kin; 0 dB FS is 120 dB SPL.
enum NoiseSound {
  /// Steady noise with the long-term spectrum of speech that does not repeat: white noise of the given seed in
  /// the spectrum of 86 ms pieces, overlapped.
  static func speechShaped(level: Double, count: Int, seed: UInt64) -> [Float] {
    var random = Seeded(seed)
    let overall = SoundPressureLevel(level)
    let taps = 1024
    // Zero-phase response by sampling the spectrum at every 43 Hz.
    let magnitudes = (0...taps / 2).map { k -> Double in
      let f = Double(k) * 44_100 / Double(taps)
      guard f > 60, f < 17_000 else { return 0 }
      return pow(10, LongTermAverageSpeechSpectrum.spectrumLevel(at: f, overall: overall).decibels / 20)
    }
    var response = [Double](repeating: 0, count: taps)
    for n in 0..<taps {
      var sum = magnitudes[0]
      for k in 1..<taps / 2 {
        sum += 2 * magnitudes[k] * cos(2 * .pi * Double(k) * Double(n - taps / 2) / Double(taps))
      }
      response[n] = sum * (0.5 - 0.5 * cos(2 * .pi * Double(n) / Double(taps)))
    }
    let white = (0..<count + taps).map { _ in Float.random(in: -1...1, using: &random) }
    let kernel = response.map { Float($0) }
    var result = [Float](repeating: 0, count: count)
    for (k, tap) in kernel.enumerated() {
      for n in 0..<count { result[n] += tap * white[n + k] }
    }
    return scaled(result, to: level)
  }

  /// Wind: noise whose spectrum falls by 12 dB per octave above 80 Hz, in gusts.
  static func wind(level: Double, count: Int, seed: UInt64) -> [Float] {
    var random = Seeded(seed)
    var (first, second, gust) = (0.0, 0.0, 0.0)
    let share: Double = 1 - exp(-2 * Double.pi * 80 / 44_100)
    let result = (0..<count).map { _ -> Float in
      first += share * (Double.random(in: -1...1, using: &random) - first)
      second += share * (first - second)
      gust += 0.0001 * (Double.random(in: -1...1, using: &random) - gust)
      return Float(second * (1 + 60 * abs(gust)))
    }
    return scaled(result, to: level)
  }

  /// Clatter: six decaying partials between 1.5 and 9 kHz, 60 ms.
  static func clatter(peak level: Double, seed: UInt64) -> [Float] {
    var random = Seeded(seed)
    var result = [Float](repeating: 0, count: 2646)
    for _ in 0..<6 {
      let f = Double.random(in: 1500...9000, using: &random)
      let decay = Double.random(in: 0.004...0.02, using: &random)
      let height = Double.random(in: 0.3...1, using: &random)
      for n in result.indices {
        let t = Double(n) / 44_100
        result[n] += Float(height * exp(-t / decay) * sin(2 * .pi * f * t))
      }
    }
    let factor = Float(Signal.amplitude(level)) / Measure.peak(result)
    return result.map { $0 * factor }
  }

  static func scaled(_ samples: [Float], to level: Double) -> [Float] {
    let factor = Float(pow(10, (level - Measure.level(of: samples[...])) / 20))
    return samples.map { $0 * factor }
  }
}
