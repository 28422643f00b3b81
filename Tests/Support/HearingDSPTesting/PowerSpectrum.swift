import Glibc
import HearingDSP

/// Mean power spectrum of a sound on the rig, from Hann-windowed pieces that overlap by half (Welch 1967), in double
/// precision.
struct PowerSpectrum {
  let binWidth: Double
  /// Mean square of each bin.
  let power: [Double]

  init(_ samples: [Float], length: Int = 16_384, sampleRate: Double = 44_100) {
    var power = [Double](repeating: 0, count: length / 2 + 1)
    let window = (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(length)) }
    var pieces = 0.0
    for start in stride(from: 0, through: samples.count - length, by: length / 2) {
      var re = (0..<length).map { Double(samples[start + $0]) * window[$0] }
      var im = [Double](repeating: 0, count: length)
      Self.transform(&re, &im)
      for k in power.indices { power[k] += re[k] * re[k] + im[k] * im[k] }
      pieces += 1
    }
    // One-sided; a Hann window's mean square is 3/8.
    let scale = 2 / (max(1, pieces) * Double(length) * Double(length) * 0.375)
    self.power = power.map { $0 * scale }
    binWidth = sampleRate / Double(length)
  }

  /// Power in a frequency range as a level, dB SPL; bins count in proportion.
  func level(from low: Double, to high: Double) -> Double {
    var sum = 0.0
    for k in power.indices {
      let (below, above) = ((Double(k) - 0.5) * binWidth, (Double(k) + 0.5) * binWidth)
      sum += max(0, min(above, high) - max(below, low)) / binWidth * power[k]
    }
    return Measure.level(meanSquare: sum)
  }

  /// Level of a third octave, dB SPL.
  func thirdOctave(_ centre: Double) -> Double {
    level(from: centre * exp2(-1.0 / 6), to: centre * exp2(1.0 / 6))
  }

  /// Fast Fourier transform in place, length a power of two (Cooley and Tukey 1965).
  static func transform(_ re: inout [Double], _ im: inout [Double]) {
    let count = re.count
    var j = 0
    for i in 1..<count {
      var bit = count >> 1
      while j & bit != 0 {
        j ^= bit
        bit >>= 1
      }
      j ^= bit
      if i < j {
        re.swapAt(i, j)
        im.swapAt(i, j)
      }
    }
    var size = 2
    while size <= count {
      let angle = -2 * .pi / Double(size)
      let turns = (0..<size / 2).map { (cos(angle * Double($0)), sin(angle * Double($0))) }
      for start in stride(from: 0, to: count, by: size) {
        for k in 0..<size / 2 {
          let (a, b) = (start + k, start + k + size / 2)
          let (c, s) = turns[k]
          let (x, y) = (re[b] * c - im[b] * s, re[b] * s + im[b] * c)
          (re[b], im[b]) = (re[a] - x, im[a] - y)
          (re[a], im[a]) = (re[a] + x, im[a] + y)
        }
      }
      size *= 2
    }
  }
}
