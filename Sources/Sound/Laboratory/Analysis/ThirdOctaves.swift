import Glibc

/// Third octaves between two powers of the base-ten series: exact centres 1000·10^(n/10) Hz (IEC 61260-1).
struct ThirdOctaves: Sendable {
  /// Exact centres, Hz.
  let centres: [Double]
  /// Bins of each band with the share of their power that lies in it.
  private let shares: [[(bin: Int, share: Double)]]

  /// - Parameters:
  ///   - steps: n of the first and last band; −7 is 200 Hz, 8 is 6.3 kHz.
  ///   - spacing: Distance of the bins, Hz.
  ///   - binCount: Bins there are.
  init(_ steps: ClosedRange<Int>, spacing: Double, binCount: Int) {
    centres = steps.map { 1000 * pow(10, Double($0) / 10) }
    shares = centres.map { centre in
      let (low, high) = (centre * pow(10, -0.05), centre * pow(10, 0.05))
      let (first, last) = (Int((low / spacing).rounded()), Int((high / spacing).rounded()))
      return (first...min(last, binCount - 1)).map { bin in
        let (from, to) = ((Double(bin) - 0.5) * spacing, (Double(bin) + 0.5) * spacing)
        return (bin, max(0, min(to, high) - max(from, low)) / spacing)
      }
    }
  }

  /// Sum over each band of what `power` gives for a bin.
  func sums(_ power: (Int) -> Double) -> [Double] {
    shares.map { $0.reduce(0) { $0 + $1.share * power($1.bin) } }
  }
}

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

/// Percentiles of a set of values.
enum Percentile {
  /// The value below which `percent` of a hundred lie; between two values linear in rank.
  ///
  /// - Parameters:
  ///   - sorted: Rising, not empty.
  ///   - percent: 0…100.
  static func value(_ sorted: [Double], _ percent: Double) -> Double {
    let place = percent / 100 * Double(sorted.count - 1)
    let low = min(max(Int(place), 0), sorted.count - 1)
    let high = min(low + 1, sorted.count - 1)
    return sorted[low] + (place - Double(low)) * (sorted[high] - sorted[low])
  }
}
