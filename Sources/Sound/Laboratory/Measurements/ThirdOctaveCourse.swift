import Acoustics
import Glibc

/// Levels of two simultaneous sounds in third octaves, window by window.
///
/// Hann windows of 125 ms that overlap by half, filled up with silence to a power of two. The delay of a
/// hearing aid is a hundredth of a window, so the two sounds are not moved against each other.
struct ThirdOctaveCourse: Sendable {
  let bands: [SpeechDynamics.Band]

  /// - Parameters:
  ///   - start: Frame of the first window.
  ///   - before: Scale of the first sound.
  ///   - after: Scale of the second.
  init(
    _ input: [Float], _ output: [Float], from start: Int, sampleRate: Double, before: FullScaleResponse,
    after: FullScaleResponse
  ) {
    let length = Int(SpeechDynamics.window * sampleRate)
    var count = 1
    while count < length { count *= 2 }
    let transform = FourierTransform(count: count)
    let spacing = sampleRate / Double(count)
    let octaves = ThirdOctaves(NoiseTransfer.bands, spacing: spacing, binCount: count / 2 + 1)
    // Sum of the window's squares; both halves of the spectrum; a full-scale sine has the mean square ½.
    let scale = 2 * 2 / (Double(count) * 0.375 * Double(length))
    let (left, right) = (before, after)
    let weights = (0...count / 2).map { k in
      let frequency = Double(k) * spacing
      return (
        scale * pow(10, left.level(at: frequency) / 10), scale * pow(10, right.level(at: frequency) / 10)
      )
    }
    let window = (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(length)) }
    var levels = octaves.centres.map { _ in ([Double](), [Double]()) }
    var windows = 0.0
    var sums = octaves.centres.map { _ in (0.0, 0.0) }
    var first = [Double](repeating: 0, count: count)
    var second = first
    for begin in stride(from: start, through: input.count - length, by: length / 2) {
      for n in 0..<length {
        first[n] = window[n] * Double(input[begin + n])
        second[n] = window[n] * Double(output[begin + n])
      }
      windows += 1
      let (x, y) = transform.spectra(first, second)
      let (a, b) = (
        octaves.sums { x.power($0) * weights[$0].0 }, octaves.sums { y.power($0) * weights[$0].1 }
      )
      for band in octaves.centres.indices {
        levels[band].0.append(10 * log10(max(a[band], 1e-30)))
        levels[band].1.append(10 * log10(max(b[band], 1e-30)))
        sums[band] = (sums[band].0 + a[band], sums[band].1 + b[band])
      }
    }
    bands = octaves.centres.indices.map { band in
      SpeechDynamics.Band(
        frequency: octaves.centres[band], input: Self.percentiles(levels[band].0),
        output: Self.percentiles(levels[band].1),
        inputLevel: 10 * log10(max(sums[band].0, 1e-30) / max(windows, 1)),
        gain: 10 * log10(max(sums[band].1, 1e-30) / max(sums[band].0, 1e-30)))
    }
  }

  static func percentiles(_ levels: [Double]) -> SpeechDynamics.Percentiles {
    let sorted = levels.sorted()
    guard !sorted.isEmpty else { return .init(valleys: -300, middle: -300, peaks: -300) }
    return SpeechDynamics.Percentiles(
      valleys: Percentile.value(sorted, 30), middle: Percentile.value(sorted, 65),
      peaks: Percentile.value(sorted, 99))
  }
}
