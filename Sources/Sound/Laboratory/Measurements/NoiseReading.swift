import Acoustics
import Glibc

/// Output noise for an input of a converter's least bit and, where it is stated, the microphone's own
/// noise.
package struct NoiseReading: Sendable, Equatable {
  /// Noise that went in, dBA SPL.
  package var input: Double
  /// Noise that came out, dBA SPL.
  package var output: Double
  /// Output for digital silence, dB re full scale; −∞ for silence.
  package var silence: Double

  /// - Parameters:
  ///   - bits: Of the converter, whose rounding is noise of triangular distribution, two steps wide.
  ///   - microphoneNoise: Stated noise of the microphone, dBA SPL, taken as white; nil: unknown.
  static func measure<Path: SoundPath & ~Copyable>(
    bits: Int, microphoneNoise: Double?, on bench: inout Bench<Path>
  ) -> Binaural<NoiseReading> {
    let count = bench.sampleRate > 50_000 ? 1 << 17 : 1 << 16
    let nothing = Binaural(both: [Float](repeating: 0, count: bench.whole(count)))
    _ = bench.play(nothing)
    let silent = bench.play(nothing).map { samples -> Double in
      let square = samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)
      return square > 0 ? 10 * log10(2 * square) : -.infinity
    }
    var random = SeededNumbers(23)
    let step = pow(2, -Double(bits - 1))
    let weights = weights(count: count, sampleRate: bench.sampleRate)
    let microphones = bench.microphones
    // White noise of root mean square 1 reads this in dBA on each microphone.
    let white = microphones.map { microphone in
      10
        * log10(
          weights.indices.reduce(0) { sum, k in
            let frequency = Double(k) * bench.sampleRate / Double(count)
            return sum + 2 / Double(count) * 2 * weights[k] * pow(10, microphone.level(at: frequency) / 10)
          })
    }
    let noise = white.map { white in microphoneNoise.map { pow(10, ($0 - white) / 20) } ?? 0 }
    func frames(_ count: Int) -> Binaural<[Float]> {
      var result = nothing.map { _ in [Float]() }
      for _ in 0..<count {
        let own = random.normalPair()
        result.left.append(Float(noise.left * own.0 + step * (random.even() - random.even())))
        result.right.append(Float(noise.right * own.1 + step * (random.even() - random.even())))
      }
      return result
    }
    _ = bench.play(frames(bench.frames(1)))
    let input = frames(bench.whole(2 * count))
    let output = bench.play(input)
    func reading(_ ear: Ear) -> NoiseReading {
      NoiseReading(
        input: level(input[ear], count, weights, bench.sampleRate, bench.microphones[ear]),
        output: level(output[ear], count, weights, bench.sampleRate, bench.earphones[ear]),
        silence: silent[ear])
    }
    return Binaural(left: reading(.left), right: reading(.right))
  }

  /// A-weighting as a factor of power at each bin, 20 Hz to 20 kHz.
  private static func weights(count: Int, sampleRate: Double) -> [Double] {
    (0..<count / 2).map { k in
      let frequency = Double(k) * sampleRate / Double(count)
      return (20...20_000).contains(frequency) ? pow(10, FrequencyWeighting.a.gain(at: frequency) / 10) : 0
    }
  }

  /// Weighted level of the last 2·`count` frames, dB SPL.
  private static func level(
    _ samples: [Float], _ count: Int, _ weights: [Double], _ sampleRate: Double,
    _ scale: FullScaleResponse
  ) -> Double {
    let last = samples.suffix(2 * count).map(Double.init)
    let (a, b) = FourierTransform(count: count).spectra(
      Array(last.prefix(count)), Array(last.suffix(count)))
    // Parseval for a real signal; a full-scale sine has the mean square ½.
    var sum = 0.0
    for k in weights.indices where weights[k] > 0 {
      let frequency = Double(k) * sampleRate / Double(count)
      sum += (a.power(k) + b.power(k)) * weights[k] * pow(10, scale.level(at: frequency) / 10)
    }
    let square = sum / (Double(count) * Double(count))
    return 10 * log10(max(2 * square, 1e-30))
  }
}
