import Acoustics
import Glibc

/// Steady noise with the long-term average spectrum of speech, made of sines with random phases: it
/// repeats, and its power in any band is known from the sines.
struct SpeechShapedNoise: Sendable {
  /// One period as the microphone's converter gives it.
  let samples: [Float]

  /// - Parameters:
  ///   - level: Of the whole, dB SPL.
  ///   - count: Period, frames, a power of two.
  ///   - microphone: Sensitivity.
  ///   - seed: Of the phases.
  init(level: Double, count: Int, sampleRate: Double, microphone: FullScaleResponse, seed: UInt64 = 11) {
    var random = SeededNumbers(seed)
    let overall = SoundPressureLevel(level)
    let spacing = sampleRate / Double(count)
    var real = [Double](repeating: 0, count: count)
    var imaginary = real
    for k in 1..<count / 2 {
      let frequency = Double(k) * spacing
      let density = LongTermAverageSpeechSpectrum.spectrumLevel(at: frequency, overall: overall).decibels
      let phase = 2 * .pi * random.even()
      guard density.isFinite else { continue }
      // Amplitude of a sine of the power within its spacing.
      let amplitude = pow(10, (density + 10 * log10(spacing) - microphone.level(at: frequency)) / 20)
      (real[k], imaginary[k]) = (amplitude * cos(phase), amplitude * sin(phase))
    }
    FourierTransform(count: count).transform(&real, &imaginary)
    samples = real.map { Float($0) }
  }

  /// `count` frames from frame `start` of the endless noise.
  func frames(from start: Int, count: Int) -> [Float] {
    (start..<start + count).map { samples[$0 % samples.count] }
  }
}

/// Random numbers that are the same in each run: SplitMix64 (Steele, Lea & Flood 2014, OOPSLA).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Evenly spread over 0...1, never 0.
  mutating func even() -> Double { (Double(next() >> 11) + 1) * 0x1p-53 }

  /// Two independent numbers of the normal distribution (Box & Muller 1958).
  mutating func normalPair() -> (Double, Double) {
    let radius = (-2 * log(even())).squareRoot()
    let angle = 2 * .pi * even()
    return (radius * cos(angle), radius * sin(angle))
  }
}
