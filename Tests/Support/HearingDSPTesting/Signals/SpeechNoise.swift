import Acoustics
import Glibc
import Synchronization

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
    let key = Key(level: level, sampleRate: sampleRate)
    if let known = Self.made.withLock({ $0[key] }) {
      self = known
      return
    }
    let overall = SoundPressureLevel(level)
    let highest = Int(18_000 / Self.spacing)
    power = (1...highest).map { index in
      let f = Double(index) * Self.spacing
      let density = LongTermAverageSpeechSpectrum.spectrumLevel(at: f, overall: overall).decibels
      return 0.5 * pow(10, (density - ChainRig.fullScale.decibels) / 10) * Self.spacing
    }
    samples = Self.synthesis(power, sampleRate: sampleRate)
    let noise = self
    Self.made.withLock { $0[key] = noise }
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

  private static func synthesis(_ power: [Double], sampleRate: Double) -> [Float] {
    var random = Seeded(3)
    let sines = power.enumerated().map { index, power in
      SineSum.Sine(
        frequency: Double(index + 1) * spacing, amplitude: sqrt(2 * power),
        phase: Double.random(in: 0..<2 * .pi, using: &random))
    }
    return SineSum(sines: sines).samples(Int(sampleRate / spacing), sampleRate: sampleRate)
  }

  /// Noises made so far, by level and rate: each takes a tenth of a second.
  private static let made = Mutex<[Key: SpeechNoise]>([:])

  private struct Key: Hashable {
    let level: Double
    let sampleRate: Double
  }
}
