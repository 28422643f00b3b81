import Acoustics
import Glibc

/// Speech-like sound before and after, as IEC 60118-15 looks at it: percentiles of the level in third
/// octaves, read in windows of 125 ms that overlap by half, the first 15 s left out (from memory).
package struct SpeechDynamics: Sendable, Equatable {
  /// One third octave.
  package struct Band: Sendable, Equatable {
    /// Exact centre, Hz.
    package var frequency: Double
    /// Levels of the input below which it lies 30, 65 and 99 % of the time, dB SPL.
    package var input: Percentiles
    /// Of the output, dB SPL.
    package var output: Percentiles
    /// Long-term level of the input, dB SPL.
    package var inputLevel: Double
    /// Long-term gain, dB.
    package var gain: Double

    /// Spread of the input between the 30th and the 99th percentile over that of the output.
    package var compressionRatio: Double {
      (input.peaks - input.valleys) / max(output.peaks - output.valleys, 1e-6)
    }
  }

  package struct Percentiles: Sendable, Equatable {
    /// 30th.
    package var valleys: Double
    /// 65th.
    package var middle: Double
    /// 99th.
    package var peaks: Double
  }

  /// Input, dB SPL.
  package var level: Double
  package var bands: [Band]

  /// Input levels of the standard, dB SPL.
  package static let levels = [55.0, 65, 80]
  /// s.
  static let window = 0.125
  static let discarded = 15.0

  /// Median of the bands' ratios.
  package var compressionRatio: Double {
    let ratios = bands.map(\.compressionRatio).sorted()
    return ratios.isEmpty ? 1 : Percentile.value(ratios, 50)
  }

  /// - Parameters:
  ///   - speech: ``SpeechLikeSignal`` for each microphone.
  ///   - level: Long-term level, dB SPL.
  static func measure<Path: SoundPath & ~Copyable>(
    _ speech: Binaural<SpeechLikeSignal>, level: Double, discarded: Double = discarded,
    on bench: inout Bench<Path>
  ) -> Binaural<SpeechDynamics> {
    let factor = Float(pow(10, (level - SpeechLikeSignal.referenceLevel) / 20))
    let whole = speech.left.samples.count / bench.path.blockFrames * bench.path.blockFrames
    let input = speech.map { $0.samples.prefix(whole).map { $0 * factor } }
    let output = bench.play(input)
    let start = Int(discarded * bench.sampleRate)
    let (rate, microphones, earphones) = (bench.sampleRate, bench.microphones, bench.earphones)
    return Binaural { ear in
      SpeechDynamics(
        level: level,
        bands: bands(
          input[ear], output[ear], from: start, sampleRate: rate, before: microphones[ear],
          after: earphones[ear]))
    }
  }

  /// Levels of two simultaneous sounds in third octaves, window by window.
  ///
  /// Hann windows of 125 ms that overlap by half, filled up with silence to a power of two. The delay of a
  /// hearing aid is a hundredth of a window, so the two sounds are not moved against each other.
  ///
  /// - Parameters:
  ///   - start: Frame of the first window.
  ///   - before: Scale of the first sound.
  ///   - after: Scale of the second.
  static func bands(
    _ input: [Float], _ output: [Float], from start: Int, sampleRate: Double, before: Sensitivity,
    after: Sensitivity
  ) -> [Band] {
    let length = Int(Self.window * sampleRate)
    var count = 1
    while count < length { count *= 2 }
    let transform = FourierTransform(count: count)
    let spacing = sampleRate / Double(count)
    let octaves = ThirdOctaves(NoiseTransfer.bands, spacing: spacing, binCount: count / 2 + 1)
    // Sum of the window's squares; both halves of the spectrum; a full-scale sine has the mean square ½.
    let scale = 2 * 2 / (Double(count) * 0.375 * Double(length))
    func weights(_ sensitivity: Sensitivity) -> [Double] {
      (0...count / 2).map { scale * pow(10, sensitivity.heldLevel(at: Double($0) * spacing).decibels / 10) }
    }
    let (inputWeights, outputWeights) = (weights(before), weights(after))
    let window = (0..<length).map { n -> Double in
      let phase = 2 * Double.pi * (Double(n) + 0.5) / Double(length)
      return 0.5 - 0.5 * cos(phase)
    }
    var (inputs, outputs): ([[Double]], [[Double]]) = ([], [])
    var first = [Double](repeating: 0, count: count)
    var second = first
    for begin in stride(from: start, through: input.count - length, by: length / 2) {
      for n in 0..<length {
        first[n] = window[n] * Double(input[begin + n])
        second[n] = window[n] * Double(output[begin + n])
      }
      let (x, y) = transform.spectra(first, second)
      inputs.append(octaves.sums { x.power($0) * inputWeights[$0] })
      outputs.append(octaves.sums { y.power($0) * outputWeights[$0] })
    }
    func levels(_ powers: [Double]) -> [Double] { powers.map { 10 * log10(max($0, 1e-30)) } }
    return octaves.centres.enumerated().map { band, centre in
      let (input, output) = (inputs.map { $0[band] }, outputs.map { $0[band] })
      let (before, after) = (max(input.reduce(0, +), 1e-30), max(output.reduce(0, +), 1e-30))
      return Band(
        frequency: centre, input: percentiles(levels(input)), output: percentiles(levels(output)),
        inputLevel: 10 * log10(before / Double(max(inputs.count, 1))), gain: 10 * log10(after / before))
    }
  }

  static func percentiles(_ levels: [Double]) -> Percentiles {
    let sorted = levels.sorted()
    guard !sorted.isEmpty else { return Percentiles(valleys: -300, middle: -300, peaks: -300) }
    return Percentiles(
      valleys: Percentile.value(sorted, 30), middle: Percentile.value(sorted, 65),
      peaks: Percentile.value(sorted, 99))
  }
}
