import Glibc
import Testing

@testable import HearingDSP

@Suite("Level arithmetic in single precision") struct DecibelTests {
  @Test("power in dB is within 0.0001 dB of the logarithm over the whole range of normal floats")
  func logarithm() {
    var worst = 0.0
    // Every exponent, and mantissas 1/257 apart, so that they fall everywhere between powers of two.
    for exponent in -126...127 {
      for step in 0..<257 {
        let power = Float(sign: .plus, exponent: exponent, significand: 1 + Float(step) / 257)
        let exact = 10 * log10(Double(power))
        // Near ± 380 dB a float's own spacing is 3e-5 dB.
        worst = max(worst, abs(Double(Decibel.fromPower(power)) - exact))
      }
    }
    #expect(worst < 0.0001, "\(worst) dB")
  }

  @Test("powers of ten are whole tens of dB and doubling is 3.0103 dB")
  func landmarks() {
    for tens in -10...10 {
      #expect(abs(Double(Decibel.fromPower(Float(pow(10, Double(tens))))) - 10 * Double(tens)) < 0.0001)
    }
    #expect(abs(Double(Decibel.fromPower(2)) - 10 * log10(2)) < 1e-5)
    #expect(Decibel.fromPower(1) == 0)
  }

  @Test("a neper is 20/ln 10 dB")
  func nepers() {
    #expect(abs(Double(Decibel.nepers) - log(10) / 20) < 1e-8)
  }
}
