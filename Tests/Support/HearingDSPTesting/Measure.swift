import Glibc

/// What an instrument would read from samples on a rig where 0 dB FS is 120 dB SPL, in double precision.
enum Measure {
  /// Level of the component at `frequency`, dB SPL: correlation with a sine and a cosine.
  static func level(
    of samples: ArraySlice<Float>, at frequency: Double, sampleRate: Double = 44_100
  ) -> Double {
    // Rotation by four samples at a time; in double precision the phase is good for millions of samples.
    let omega = 2 * .pi * frequency / sampleRate
    var c = SIMD4(1, cos(omega), cos(2 * omega), cos(3 * omega))
    var s = SIMD4(0, sin(omega), sin(2 * omega), sin(3 * omega))
    let (stepC, stepS) = (cos(4 * omega), sin(4 * omega))
    var (real, imaginary) = (SIMD4<Double>(), SIMD4<Double>())
    for start in stride(from: samples.startIndex, to: samples.endIndex, by: 4) {
      var four = SIMD4<Double>()
      for lane in 0..<min(4, samples.endIndex - start) { four[lane] = Double(samples[start + lane]) }
      real += four * c
      imaginary += four * s
      (c, s) = (c * stepC - s * stepS, s * stepC + c * stepS)
    }
    let amplitude = 2 * hypot(real.sum(), imaginary.sum()) / Double(samples.count)
    return ChainRig.fullScale.decibels + 20 * log10(max(amplitude, 1e-30))
  }

  /// Level of a mean square, dB SPL: a full-scale sine has ½.
  static func level(meanSquare: Double) -> Double {
    ChainRig.fullScale.decibels + 10 * log10(max(2 * meanSquare, 1e-30))
  }

  static func meanSquare(_ samples: ArraySlice<Float>) -> Double {
    samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))
  }

  /// Level of the whole, dB SPL.
  static func level(of samples: ArraySlice<Float>) -> Double { level(meanSquare: meanSquare(samples)) }

  /// Greatest level in any window of `seconds`, dB SPL.
  static func greatestLevel(_ samples: [Float], over seconds: Double, sampleRate: Double = 44_100) -> Double
  {
    let length = Int((seconds * sampleRate).rounded())
    var sum = 0.0
    var greatest = 0.0
    for n in samples.indices {
      sum += Double(samples[n]) * Double(samples[n])
      if n >= length { sum -= Double(samples[n - length]) * Double(samples[n - length]) }
      greatest = max(greatest, sum)
    }
    return level(meanSquare: greatest / Double(length))
  }

  /// Greatest reading of a sound level meter set to Fast: mean square with a time constant of 125 ms
  /// (IEC 61672-1), dB SPL.
  static func greatestFastLevel(_ samples: [Float], sampleRate: Double = 44_100) -> Double {
    let share = 1 - exp(-1 / (0.125 * sampleRate))
    var (power, greatest) = (0.0, 0.0)
    for sample in samples {
      power += share * (Double(sample) * Double(sample) - power)
      greatest = max(greatest, power)
    }
    return level(meanSquare: greatest)
  }

  static func peak(_ samples: some Sequence<Float>) -> Float { samples.reduce(0) { max($0, abs($1)) } }

  static func isFinite(_ samples: [Float]) -> Bool { samples.allSatisfy { $0.isFinite } }

  /// Instantaneous amplitude of a sine of known frequency, from each sample and the next:
  /// A² = (x₀² + x₁² − 2x₀x₁ cos ω) / sin² ω.
  static func envelope(_ samples: [Float], frequency: Double, sampleRate: Double = 44_100) -> [Double] {
    let omega = 2 * .pi * frequency / sampleRate
    let (c, s) = (cos(omega), sin(omega))
    return zip(samples, samples.dropFirst()).map { first, second in
      let (a, b) = (Double(first), Double(second))
      return sqrt(max(0, a * a + b * b - 2 * a * b * c)) / s
    }
  }

  /// Group delay of an impulse response at `frequency`, samples: the derivative of its phase,
  /// Re( Σ n·h[n]·e^{−jωn} / Σ h[n]·e^{−jωn} ).
  static func groupDelay(_ response: [Double], at frequency: Double, sampleRate: Double = 44_100) -> Double
  {
    let omega = 2 * .pi * frequency / sampleRate
    var (hr, hi, dr, di) = (0.0, 0.0, 0.0, 0.0)
    for (n, h) in response.enumerated() {
      let (c, s) = (cos(omega * Double(n)), -sin(omega * Double(n)))
      hr += h * c
      hi += h * s
      dr += Double(n) * h * c
      di += Double(n) * h * s
    }
    return (dr * hr + di * hi) / (hr * hr + hi * hi)
  }
}
