import Glibc

/// A feedback path made by formula: from the earphone through vent and air to the microphone.
///
/// Measured paths of hearing aids are resonances between 2 and 5 kHz that die away within 1 to 4 ms. Four damped sines with
/// random frequency, decay, strength, phase and onset, tapered over the last fifth, through a high-pass.
struct SyntheticPath {
  let response: [Double]
  let seed: UInt64

  /// - Parameter length: s.
  init(length: Double, seed: UInt64, sampleRate: Double = 44_100) {
    var random = Seeded(seed)
    let count = Int(length * sampleRate)
    var h = [Double](repeating: 0, count: count)
    for _ in 0..<4 {
      let f = Double.random(in: 1800...5500, using: &random)
      let decay = length / Double.random(in: 5...8, using: &random)
      let strength = Double.random(in: 0.3...1, using: &random) * (Bool.random(using: &random) ? 1 : -1)
      let onset = Int(Double.random(in: 0...0.15, using: &random) * Double(count))
      let phase = Double.random(in: 0...2 * .pi, using: &random)
      for n in onset..<count {
        let t = Double(n - onset) / sampleRate
        h[n] += strength * sin(2 * .pi * f * t + phase) * exp(-t / decay)
      }
    }
    for n in count * 4 / 5..<count {
      let x = (Double(n) / Double(count) - 0.8) / 0.2
      h[n] *= 0.5 + 0.5 * cos(.pi * x)
    }
    response = Self.highPassed(h, sampleRate: sampleRate)
    self.seed = seed
  }

  /// Two Butterworth high-passes of second order at 900 Hz: sums of damped sines have as much at 0 Hz as they happen to
  /// have, up to −4 dB under their peak, which no earphone radiates through a vent below its resonance with the ear
  /// canal, and no microphone with a high-pass takes up.
  private static func highPassed(_ h: [Double], sampleRate: Double) -> [Double] {
    let k = tan(.pi * 900 / sampleRate)
    let norm = 1 / (1 + k * 2.0.squareRoot() + k * k)
    let (a1, a2) = (2 * (k * k - 1) * norm, (1 - k * 2.0.squareRoot() + k * k) * norm)
    var result = h
    for _ in 0..<2 {
      var (s1, s2) = (0.0, 0.0)
      for n in result.indices {
        let x = result[n]
        let y = norm * x + s1
        s1 = -2 * norm * x - a1 * y + s2
        s2 = norm * x - a2 * y
        result[n] = y
      }
    }
    return result
  }

  /// Nine paths of three lengths.
  static let all: [SyntheticPath] = [0.0015, 0.0025, 0.004].enumerated().flatMap { index, length in
    (0..<3).map { SyntheticPath(length: length, seed: UInt64(100 + 3 * index + $0)) }
  }

  /// |F| at a frequency, linear.
  static func magnitude(_ h: [Double], at f: Double, sampleRate: Double = 44_100) -> Double {
    let omega = 2 * .pi * f / sampleRate
    let (stepC, stepS) = (cos(omega), -sin(omega))
    var (c, s, re, im) = (1.0, 0.0, 0.0, 0.0)
    for x in h {
      re += x * c
      im += x * s
      (c, s) = (c * stepC - s * stepS, s * stepC + c * stepS)
    }
    return sqrt(re * re + im * im)
  }

  /// Frequencies at which paths are compared, Hz: 700 Hz to 12 kHz in steps of 40.
  static let frequencies = Array(stride(from: 700.0, through: 12_000, by: 40))
}
