import Glibc

/// Sounds by formula.
enum Signal {
  /// A sine from its zero crossing.
  static func sine(_ frequency: Double, amplitude: Float, seconds: Double, rate: Int = 44_100) -> [Float] {
    (0..<Int((seconds * Double(rate)).rounded())).map {
      amplitude * Float(sin(2 * .pi * frequency * Double($0) / Double(rate)))
    }
  }

  /// White noise with an even distribution up to a peak, and a level that rises and falls four times a
  /// second as speech does. The generator is Knuth's (MMIX).
  static func babble(peak: Float, count: Int, seed: UInt64 = 1, rate: Int = 44_100) -> [Float] {
    var state = seed
    return (0..<count).map { n in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let noise = Float(Int32(truncatingIfNeeded: state >> 32)) / Float(1 << 31)
      let course = Float(0.55 - 0.45 * cos(2 * .pi * 4 * Double(n) / Double(rate)))
      return peak * course * noise
    }
  }

  /// Level of a difference against that of a reference, dB.
  static func residual(_ samples: ArraySlice<Float>, against reference: ArraySlice<Float>) -> Double {
    var (error, power) = (0.0, 0.0)
    for (a, b) in zip(samples, reference) {
      error += Double(a - b) * Double(a - b)
      power += Double(b) * Double(b)
    }
    return 10 * log10(error / power)
  }

  /// A sound less the running mean that the chain's block for direct current takes away, in double precision: the mean of all
  /// samples so far, until 1/n is less than 1 − e^(−2π·5/fs), from then on with that share of each new sample.
  static func withoutDirectCurrent(_ samples: [Float], rate: Int = 44_100) -> [Float] {
    let share = 1 - exp(-2 * .pi * 5 / Double(rate))
    var mean = 0.0
    return samples.enumerated().map { n, sample in
      mean += (Double(sample) - mean) * max(share, 1 / Double(n + 1))
      return Float(Double(sample) - mean)
    }
  }
}
