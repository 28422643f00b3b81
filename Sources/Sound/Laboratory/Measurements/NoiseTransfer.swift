import Acoustics
import Base
import Glibc

/// Transfer of steady speech-shaped noise: gain by third octave, level, delay.
struct NoiseTransfer: Sendable {
  /// Gain in each third octave, dB, from microphone to coupler.
  let gains: [CurvePoint]
  /// Whole output, dB SPL.
  let output: Double
  /// Group delay, s, at each frequency asked for.
  let delays: [CurvePoint]

  /// 200 Hz to 6.3 kHz.
  static let bands = -7...8

  static func period(_ sampleRate: Double) -> Int { sampleRate > 50_000 ? 1 << 17 : 1 << 16 }

  /// - Parameters:
  ///   - level: dB SPL.
  ///   - rest: Time to settle beforehand, s.
  ///   - frequencies: Frequencies at which the delay is read, Hz.
  static func measure<Path: SoundPath & ~Copyable>(
    level: Double, rest: Double, delaysAt frequencies: [Double] = [], on bench: inout Bench<Path>
  ) -> Binaural<NoiseTransfer> {
    let count = period(bench.sampleRate)
    let rate = bench.sampleRate
    let noise = bench.microphones.map {
      SpeechShapedNoise(level: level, count: count, sampleRate: rate, microphone: $0)
    }
    let settle = bench.frames(rest)
    let whole = bench.whole(count)
    var heard = Binaural(both: [Float]())
    var input = heard
    var start = bench.clock
    for frames in [settle, whole] {
      input = noise.map { $0.frames(from: start, count: frames) }
      heard = bench.play(input)
      start += frames
    }
    let transform = FourierTransform(count: count)
    let (microphones, earphones) = (bench.microphones, bench.earphones)
    return Binaural { ear in
      let (x, y) = transform.spectra(
        input[ear].suffix(count).map(Double.init), heard[ear].suffix(count).map(Double.init))
      return NoiseTransfer(
        x, y, spacing: rate / Double(count), microphones[ear], earphones[ear], frequencies)
    }
  }

  private init(
    _ x: FourierSpectrum, _ y: FourierSpectrum, spacing: Double, _ microphone: Sensitivity,
    _ earphone: Sensitivity, _ frequencies: [Double]
  ) {
    let count = x.real.count
    let bands = ThirdOctaves(Self.bands, spacing: spacing, binCount: count)
    func power(_ spectrum: FourierSpectrum, _ scale: Sensitivity) -> [Double] {
      (0..<count).map {
        spectrum.power($0) * pow(10, scale.heldLevel(at: Double($0) * spacing).decibels / 10)
      }
    }
    let (before, after) = (power(x, microphone), power(y, earphone))
    gains = zip(bands.centres, zip(bands.sums { before[$0] }, bands.sums { after[$0] })).map {
      CurvePoint(x: $0, y: 10 * log10(max($1.1, 1e-30) / max($1.0, 1e-30)))
    }
    // Two halves of the spectrum, and a full-scale sine has the mean square ½.
    let length = Double(2 * (count - 1))
    output = 10 * log10(max(4 * after.reduce(0, +) / (length * length), 1e-30))
    delays = frequencies.map { CurvePoint(x: $0, y: Self.delay(x, y, at: $0, spacing: spacing)) }
  }

  /// −dφ/dω of Y/X around a frequency: phase that the transfer function turns by between bins 100 Hz or a
  /// third of the range apart, averaged over a third octave or 100 Hz, whichever is wider. Good for up to 5
  /// ms.
  private static func delay(
    _ x: FourierSpectrum, _ y: FourierSpectrum, at frequency: Double, spacing: Double
  ) -> Double {
    let half = max(frequency * 0.115, 50)
    let first = Int((frequency - half) / spacing)
    let last = min(Int((frequency + half) / spacing), x.real.count - 1)
    let lag = max(1, min((last - first) / 3, Int(100 / spacing)))
    func transfer(_ k: Int) -> (Double, Double) {
      let power = max(x.power(k), 1e-60)
      return (
        (y.real[k] * x.real[k] + y.imaginary[k] * x.imaginary[k]) / power,
        (y.imaginary[k] * x.real[k] - y.real[k] * x.imaginary[k]) / power
      )
    }
    var (real, imaginary) = (0.0, 0.0)
    for k in max(1, first)..<max(2, last - lag) {
      let (a, b) = (transfer(k), transfer(k + lag))
      real += b.0 * a.0 + b.1 * a.1
      imaginary += b.1 * a.0 - b.0 * a.1
    }
    return -atan2(imaginary, real) / (2 * .pi * Double(lag) * spacing)
  }
}

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
    let (count, rate) = (NoiseTransfer.period(bench.sampleRate), bench.sampleRate)
    let nothing = Binaural(both: [Float](repeating: 0, count: bench.whole(count)))
    _ = bench.play(nothing)
    let silent = bench.play(nothing).map { samples -> Double in
      let square = samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)
      return square > 0 ? 10 * log10(2 * square) : -.infinity
    }
    var random = SeededNumbers(seed: 23)
    let step = pow(2, -Double(bits - 1))
    let weights = weights(count: count, sampleRate: rate)
    let (microphones, earphones) = (bench.microphones, bench.earphones)
    // White noise of root mean square 1 reads this in dBA on each microphone.
    let white = microphones.map { microphone in
      let power = weights.indices.reduce(0) { sum, k in
        let level = microphone.heldLevel(at: Double(k) * rate / Double(count)).decibels
        return sum + 2 / Double(count) * 2 * weights[k] * pow(10, level / 10)
      }
      return 10 * log10(power)
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
    return Binaural { ear in
      NoiseReading(
        input: level(input[ear], count, weights, rate, microphones[ear]),
        output: level(output[ear], count, weights, rate, earphones[ear]), silence: silent[ear])
    }
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
    _ samples: [Float], _ count: Int, _ weights: [Double], _ sampleRate: Double, _ scale: Sensitivity
  ) -> Double {
    let last = samples.suffix(2 * count).map(Double.init)
    let (a, b) = FourierTransform(count: count).spectra(
      Array(last.prefix(count)), Array(last.suffix(count)))
    // Parseval for a real signal; a full-scale sine has the mean square ½.
    var sum = 0.0
    for k in weights.indices where weights[k] > 0 {
      let frequency = Double(k) * sampleRate / Double(count)
      sum += (a.power(k) + b.power(k)) * weights[k] * pow(10, scale.heldLevel(at: frequency).decibels / 10)
    }
    let square = sum / (Double(count) * Double(count))
    return 10 * log10(max(2 * square, 1e-30))
  }
}
