import Glibc

/// Amplitude of the component of one frequency in a sound: correlation with sine and cosine under a Hann
/// window.
struct ToneReading: Sendable {
  /// dB re a full-scale sine.
  let level: Double

  init(_ samples: ArraySlice<Float>, at frequency: Double, sampleRate: Double) {
    let step = 2 * .pi * frequency / sampleRate
    let (c, s) = (cos(step), sin(step))
    let turn = 2 * .pi / Double(max(samples.count, 1))
    let (wc, ws) = (cos(turn), sin(turn))
    var (x, y) = (1.0, 0.0)
    var (u, v) = (1.0, 0.0)
    var (real, imaginary) = (0.0, 0.0)
    for sample in samples {
      let value = Double(sample) * (1 - u)
      real += value * x
      imaginary += value * y
      (x, y) = (x * c - y * s, y * c + x * s)
      (u, v) = (u * wc - v * ws, v * wc + u * ws)
    }
    let amplitude = 2 * (real * real + imaginary * imaginary).squareRoot() / Double(max(samples.count, 1))
    level = 20 * log10(max(amplitude, 1e-15))
  }
}
