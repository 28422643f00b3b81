import Acoustics
import Base
import Glibc
import Testing

@Suite("Fourier transform") struct FourierTransformTests {
  /// Sums of at most 512 numbers below 1, each right to 2⁻⁵³ but for its factor's rounding.
  static let tolerance = 1e-12

  /// X[k] = Σ x[n]·e^(−2πi·kn/N), as it is defined.
  static func defined(_ re: [Double], _ im: [Double], _ k: Int) -> (re: Double, im: Double) {
    re.indices.reduce((0, 0)) { sum, n in
      let angle = 2 * Double.pi * Double(k * n % re.count) / Double(re.count)
      return (
        sum.0 + re[n] * cos(angle) + im[n] * sin(angle), sum.1 + im[n] * cos(angle) - re[n] * sin(angle)
      )
    }
  }

  /// Numbers from −1 to 1.
  static func numbers(_ count: Int, seed: UInt64) -> [Double] {
    var random = SeededNumbers(seed: seed)
    return (0..<count).map { _ in Double.random(in: -1...1, using: &random) }
  }

  @Test("every bin is the sum by which it is defined", arguments: [4, 8, 16, 64, 512])
  func definition(count: Int) {
    let (first, second) = (Self.numbers(count, seed: 1), Self.numbers(count, seed: 2))
    var (re, im) = (first, second)
    FourierTransform(count: count).transform(&re, &im)
    for k in 0..<count {
      let expected = Self.defined(first, second, k)
      #expect(abs(re[k] - expected.re) < Self.tolerance)
      #expect(abs(im[k] - expected.im) < Self.tolerance)
    }
  }

  @Test("two real signals come apart into the spectrum of each", arguments: [4, 32, 256])
  func pair(count: Int) {
    let (first, second) = (Self.numbers(count, seed: 3), Self.numbers(count, seed: 4))
    let zeros = [Double](repeating: 0, count: count)
    let spectra = FourierTransform(count: count).spectra(first, second)
    for k in 0...count / 2 {
      let (one, other) = (Self.defined(first, zeros, k), Self.defined(second, zeros, k))
      #expect(abs(spectra.first.real[k] - one.re) < Self.tolerance)
      #expect(abs(spectra.first.imaginary[k] - one.im) < Self.tolerance)
      #expect(abs(spectra.second.real[k] - other.re) < Self.tolerance)
      #expect(abs(spectra.second.imaginary[k] - other.im) < Self.tolerance)
      let power = other.re * other.re + other.im * other.im
      // Twice the magnitude, at most 256, times the error of a bin.
      #expect(abs(spectra.second.power(k) - power) < 1e-9)
    }
  }

  @Test("the energy of a long block is that of its spectrum over its length (Parseval)")
  func energy() {
    let count = 1 << 16
    var (re, im) = (Self.numbers(count, seed: 5), Self.numbers(count, seed: 6))
    let before = zip(re, im).reduce(0) { $0 + $1.0 * $1.0 + $1.1 * $1.1 }
    FourierTransform(count: count).transform(&re, &im)
    let after = zip(re, im).reduce(0) { $0 + $1.0 * $1.0 + $1.1 * $1.1 } / Double(count)
    #expect(abs(after / before - 1) < 1e-12)
  }
}
