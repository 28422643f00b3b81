import Acoustics
import Base
import Glibc

/// A signal with the long-term spectrum and the short-term dynamics of speech, but nobody's voice: the same
/// in each run and on each machine.
///
/// Noise whose spectrum is the long-term average of speech (Byrne et al. 1994) and whose level in each
/// third octave goes up and down as in speech: a slow random course around 4 Hz, the rate of syllables, six
/// tenths of its variance common to all bands. The course is turned into decibels so that, read in windows
/// of 125 ms, the 30th, 65th and 99th percentiles lie some 10 and 2 dB below and 9 dB above the long-term
/// level. Own design after the idea of the ICRA noises (Dreschler et al. 2001, Audiology 40:148–157) and
/// the percentiles of IEC 60118-15's test signal (both from memory); it stands in for that signal, which
/// has its own licence.
struct SpeechLikeSignal: Sendable {
  /// As the microphone's converter gives it, for ``referenceLevel``.
  let samples: [Float]

  static let referenceLevel = 65.0
  /// Bands that move by themselves: third octaves from 63 Hz to 16 kHz.
  private static let bands = -12...12
  /// Share of the variance that all bands have in common.
  private static let commonShare = 0.6

  /// - Parameters:
  ///   - seconds: Length.
  ///   - sampleRate: Hz.
  ///   - microphone: Sensitivity.
  init(seconds: Double, sampleRate: Double, microphone: Sensitivity, seed: UInt64 = 5) {
    let length = sampleRate > 50_000 ? 2048 : 1024
    let hop = length / 2
    let frameCount = Int((seconds * sampleRate / Double(hop)).rounded(.up))
    var random = SeededNumbers(seed: seed)
    let gains = Self.courses(frameCount, rate: sampleRate / Double(hop), &random)
    let bins = Self.bins(length, sampleRate: sampleRate, microphone: microphone)
    let window = (0..<length).map { sin(.pi * (Double($0) + 0.5) / Double(length)) }
    let transform = FourierTransform(count: length)
    var sound = [Float](repeating: 0, count: (frameCount + 1) * hop)
    for frame in 0..<frameCount {
      var real = [Double](repeating: 0, count: length)
      var imaginary = real
      for (k, amplitude, band) in bins {
        let (a, b) = random.normalPair()
        let factor = amplitude * gains[band][frame] * 0.5.squareRoot()
        (real[k], imaginary[k]) = (factor * a, factor * b)
      }
      transform.transform(&real, &imaginary)
      // Sine windows of independent frames: their squares add up to one.
      for n in 0..<length { sound[frame * hop + n] += Float(window[n] * real[n]) }
    }
    samples = sound
  }

  /// Bins with speech in them, the amplitude of a sine of their power, and their band.
  private static func bins(
    _ length: Int, sampleRate: Double, microphone: Sensitivity
  ) -> [(Int, Double, Int)] {
    let spacing = sampleRate / Double(length)
    let overall = SoundPressureLevel(referenceLevel)
    return (1..<length / 2).compactMap { k in
      let frequency = Double(k) * spacing
      let density = LongTermAverageSpeechSpectrum.spectrumLevel(at: frequency, overall: overall).decibels
      guard density.isFinite else { return nil }
      let step = Int((10 * log10(frequency / 1000)).rounded())
      let band = min(max(step - bands.lowerBound, 0), bands.count - 1)
      let level = density + 10 * log10(spacing) - microphone.heldLevel(at: frequency).decibels
      return (k, pow(10, level / 20), band)
    }
  }

  /// Factor of each band in each frame, its mean square 1.
  private static func courses(_ count: Int, rate: Double, _ random: inout SeededNumbers) -> [[Double]] {
    let common = course(count, rate: rate, &random)
    return bands.map { _ in
      let own = course(count, rate: rate, &random)
      let levels = zip(common, own).map { common, own in
        decibels(commonShare.squareRoot() * common + (1 - commonShare).squareRoot() * own)
      }
      let power = levels.reduce(0) { $0 + pow(10, $1 / 10) } / Double(count)
      return levels.map { pow(10, $0 / 20) / power.squareRoot() }
    }
  }

  /// A random course around 4 Hz, of mean 0 and variance 1.
  private static func course(_ count: Int, rate: Double, _ random: inout SeededNumbers) -> [Double] {
    let (quick, slow) = (1 - exp(-2 * .pi * 6 / rate), 1 - exp(-2 * .pi * 1 / rate))
    var (x, y, z) = (0.0, 0.0, 0.0)
    let raw = (0..<count).map { _ in
      x += quick * (random.normalPair().0 - x)
      y += quick * (x - y)
      z += slow * (y - z)
      // Below 1 Hz half the amplitude is left: sentences are louder and softer too.
      return y - 0.5 * z
    }
    let mean = raw.reduce(0, +) / Double(count)
    let variance = raw.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count)
    return raw.map { ($0 - mean) / variance.squareRoot() }
  }

  /// Level for a number of the normal distribution, dB: through the points named above at the 30th, 65th
  /// and 99th percentile of that distribution, spread a little because a window of 125 ms draws them
  /// together.
  private static func decibels(_ z: Double) -> Double {
    let points = [(-0.524, -21.0), (0.385, -1.0), (2.326, 11.0)]
    let (a, b) = z < points[1].0 ? (points[0], points[1]) : (points[1], points[2])
    return max(-45, a.1 + (z - a.0) / (b.0 - a.0) * (b.1 - a.1))
  }
}

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
  init(level: Double, count: Int, sampleRate: Double, microphone: Sensitivity, seed: UInt64 = 11) {
    var random = SeededNumbers(seed: seed)
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
      let amplitude = pow(
        10, (density + 10 * log10(spacing) - microphone.heldLevel(at: frequency).decibels) / 20)
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

extension SeededNumbers {
  /// Evenly spread over 0...1, never 0.
  mutating func even() -> Double { (Double(next() >> 11) + 1) * 0x1p-53 }

  /// Two independent numbers of the normal distribution (Box & Muller 1958).
  mutating func normalPair() -> (Double, Double) {
    let radius = (-2 * log(even())).squareRoot()
    let angle = 2 * .pi * even()
    return (radius * cos(angle), radius * sin(angle))
  }
}
