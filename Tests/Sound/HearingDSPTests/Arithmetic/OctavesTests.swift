import Glibc
import Testing

@testable import HearingDSP

@Suite("Four numbers at once") struct OctavesTests {
  @Test("square roots from 1e-30 to 1e30 are right within 5e-6, and that of 0 is 0")
  func squareRoot() {
    var worst: Float = 0
    for exponent in stride(from: Float(-30), to: 30, by: 0.01) {
      let x = pow(10, exponent)
      let found = Octaves.squareRoot(SIMD4(repeating: x))
      for lane in 0..<4 { worst = max(worst, abs(found[lane] / sqrt(x) - 1)) }
    }
    // Two steps of Newton's from 3.4 %: e ← 1.5 e² each.
    #expect(worst < 5e-6)
    #expect(Octaves.squareRoot(SIMD4()) == SIMD4())
  }

  @Test("whole numbers become the same integers, up to half of 2²³ either way")
  func integer() {
    for x in [-4_194_304, -65_537, -1, 0, 1, 3, 511, 4_194_303] {
      #expect(Octaves.integer(SIMD4(repeating: Float(x))) == SIMD4(repeating: Int32(x)))
    }
  }

  @Test("logarithm and power of 2 agree with the library's")
  func powers() {
    for exponent in stride(from: Float(-100), to: 100, by: 0.037) {
      let x = exp2(exponent)
      // The polynomial's 2.2e-6, and half a last place of the sum.
      let rounding = 1.2e-7 * (1 + abs(exponent))
      #expect(abs(Octaves.logarithm(SIMD4(repeating: x))[0] - log2(x)) < 2.2e-6 + rounding)
      #expect(abs(ComplexExponential.magnitude(SIMD4(repeating: exponent))[0] / x - 1) < 3e-6)
    }
  }
}
