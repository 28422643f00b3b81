import Acoustics
import Glibc

/// Noise with the long-term average spectrum of speech, made of sines 2 Hz apart with random phases: it
/// repeats every half second, and its power in any band is known from the sines, without measuring.
struct SpeechNoise {
  /// At the level of ordinary speech.
  static let atRest = SpeechNoise(level: 65, sampleRate: 44_100)

  /// Distance between the sines, Hz.
  static let spacing = 2.0

  /// One period, full scale ± 1.
  let samples: [Float]
  /// Mean square of each sine; the first has the frequency ``spacing``.
  let power: [Double]

  /// - Parameter level: Of the whole, dB SPL.
  init(level: Double, sampleRate: Double) {
    let overall = SoundPressureLevel(level)
    let highest = Int(18_000 / Self.spacing)
    power = (1...highest).map { index in
      let f = Double(index) * Self.spacing
      let density = LongTermAverageSpeechSpectrum.spectrumLevel(at: f, overall: overall).decibels
      return 0.5 * pow(10, (density - ChainRig.fullScale.decibels) / 10) * Self.spacing
    }
    samples = Self.synthesis(power, sampleRate: sampleRate)
  }

  /// Power in a frequency range as a level, dB SPL.
  func level(from low: Double, to high: Double) -> Double {
    var sum = 0.0
    for (index, power) in power.enumerated() {
      let f = Double(index + 1) * Self.spacing
      if f >= low, f < high { sum += power }
    }
    return ChainRig.fullScale.decibels + 10 * log10(2 * sum)
  }

  /// Whole periods, cut to `count` samples.
  func repeated(_ count: Int) -> [Float] { (0..<count).map { samples[$0 % samples.count] } }

  /// Sum of sines by the recurrence x[n+1] = 2 cos ω · x[n] − x[n−1], four at a time.
  private static func synthesis(_ power: [Double], sampleRate: Double) -> [Float] {
    let count = Int(sampleRate / spacing)
    var random = Seeded(3)
    var sum = [Double](repeating: 0, count: count)
    for first in stride(from: 0, to: power.count, by: 4) {
      var (now, before, twice) = (SIMD4<Double>(), SIMD4<Double>(), SIMD4<Double>())
      for lane in 0..<4 where first + lane < power.count {
        let omega = 2 * .pi * Double(first + lane + 1) * spacing / sampleRate
        let phase = Double.random(in: 0..<2 * .pi, using: &random)
        let amplitude = sqrt(2 * power[first + lane])
        now[lane] = amplitude * cos(phase)
        before[lane] = amplitude * cos(phase - omega)
        twice[lane] = 2 * cos(omega)
      }
      for n in 0..<count {
        sum[n] += now.sum()
        (now, before) = (twice * now - before, now)
      }
    }
    return sum.map { Float($0) }
  }
}
