import Acoustics
import Glibc

/// Sounds of known level for a rig on which 0 dB FS is 120 dB SPL.
enum Signal {
  /// Amplitude of a sine of a level, full scale ± 1.
  static func amplitude(_ level: Double) -> Double { pow(10, (level - ChainRig.fullScale.decibels) / 20) }

  static func silence(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

  /// A sine from sample 0, dB SPL.
  static func tone(_ frequency: Double, level: Double, count: Int, sampleRate: Double = 44_100) -> [Float] {
    let a = amplitude(level)
    return (0..<count).map { Float(a * sin(2 * .pi * frequency * Double($0) / sampleRate)) }
  }

  /// A sine whose level jumps: each step is a level, dB SPL, and a number of samples. The phase runs on.
  static func steps(
    _ frequency: Double, _ steps: [(level: Double, count: Int)], sampleRate: Double = 44_100
  ) -> [Float] {
    var result: [Float] = []
    for step in steps {
      let a = amplitude(step.level)
      result += (result.count..<result.count + step.count).map {
        Float(a * sin(2 * .pi * frequency * Double($0) / sampleRate))
      }
    }
    return result
  }

  /// A square wave between ± `peak`.
  static func square(_ frequency: Double, peak: Float, count: Int, sampleRate: Double = 44_100) -> [Float] {
    (0..<count).map { n in
      let turn = frequency * Double(n) / sampleRate
      return turn - floor(turn) < 0.5 ? peak : -peak
    }
  }

  /// A sine that rises by equal ratios from 50 Hz to 18 kHz.
  static func sweep(peak: Double, count: Int, sampleRate: Double = 44_100) -> [Float] {
    let (from, to) = (50.0, 18_000.0)
    let seconds = Double(count) / sampleRate
    let rate = log(to / from) / seconds
    return (0..<count).map { n in
      let t = Double(n) / sampleRate
      return Float(peak * sin(2 * .pi * from / rate * (exp(rate * t) - 1)))
    }
  }

  /// White noise, evenly spread over ± `peak`.
  static func noise(peak: Float, count: Int, seed: UInt64 = 1) -> [Float] {
    var random = Seeded(seed)
    return (0..<count).map { _ in Float.random(in: -peak...peak, using: &random) }
  }

  /// Single samples of height `peak`, with alternating signs, every `spacing` samples from `first` on.
  static func impulses(peak: Float, first: Int, spacing: Int, count: Int) -> [Float] {
    var result = silence(count)
    var sign: Float = 1
    for n in stride(from: first, to: count, by: spacing) {
      result[n] = sign * peak
      sign = -sign
    }
    return result
  }

  /// Something like speech: noise with the long-term spectrum of speech, cut into syllables of random
  /// level, four a second, with a pause after every fifth. Its long-term level is about `level`, dB SPL.
  static func speechLike(
    level: Double, count: Int, sampleRate: Double = 44_100, seed: UInt64 = 7
  ) -> [Float] {
    let noise = SpeechNoise(level: level, sampleRate: sampleRate)
    var random = Seeded(seed)
    let syllable = Int(sampleRate / 4)
    var result = silence(count)
    for (index, start) in stride(from: 0, to: count, by: syllable).enumerated() where index % 6 != 5 {
      // Peaks of short-term speech lie some 12 dB above its mean.
      let gain = Float(pow(10, Double.random(in: -4...12, using: &random) / 20))
      for n in start..<min(start + syllable, count) {
        let x = Double(n - start) / Double(syllable)
        let envelope = Float(0.5 - 0.5 * cos(2 * .pi * pow(x, 0.7)))
        result[n] = gain * envelope * noise.samples[n % noise.samples.count]
      }
    }
    return result
  }

  /// A sound after the chain's block for direct current: a first-order high-pass at 5 Hz,
  /// r·(1 − z⁻¹)/(1 − r·z⁻¹) with r = e^(−2π·5/fs), in double precision. The chain's begins otherwise and has
  /// forgotten that after 0.5 s: e^(−2π·5·0.5) is −136 dB.
  static func withoutDirectCurrent(_ samples: [Float], sampleRate: Double = 44_100) -> [Float] {
    let r = exp(-2 * .pi * 5 / sampleRate)
    var (last, result) = (0.0, 0.0)
    return samples.map { sample in
      result = r * (result + Double(sample) - last)
      last = Double(sample)
      return Float(result)
    }
  }
}
