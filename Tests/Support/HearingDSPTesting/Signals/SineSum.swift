import Glibc

/// A sum of many sines, each by the recurrence x[n+1] = 2 cos ω · x[n] − x[n−1], four at a time.
///
/// Its error grows with the count of samples over ω: of a million samples of a sine of 2 Hz it is below 10⁻⁶ of the amplitude.
struct SineSum {
  /// One component; its first sample has the cosine of the phase.
  struct Sine {
    /// Hz.
    let frequency: Double
    /// Full scale ± 1.
    let amplitude: Double
    /// At the first sample, rad.
    let phase: Double
  }

  var sines: [Sine] = []

  func samples(_ count: Int, sampleRate: Double) -> [Float] {
    var sum = [Double](repeating: 0, count: count)
    for first in stride(from: 0, to: sines.count, by: 4) {
      var (now, before, twice) = (SIMD4<Double>(), SIMD4<Double>(), SIMD4<Double>())
      for (lane, sine) in sines[first..<min(first + 4, sines.count)].enumerated() {
        let omega = 2 * .pi * sine.frequency / sampleRate
        now[lane] = sine.amplitude * cos(sine.phase)
        before[lane] = sine.amplitude * cos(sine.phase - omega)
        twice[lane] = 2 * cos(omega)
      }
      for n in 0..<count {
        sum[n] += now.sum()
        (now, before) = (twice * now - before, now)
      }
    }
    return sum.map { Float($0) }
  }
}
