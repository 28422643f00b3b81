import Glibc
import Testing

@testable import HearingDSP

@Suite("Complex exponential") struct ComplexExponentialTests {
  @Test("powers of two are right to 3e-6 from 2^-60 to 2^60")
  func magnitude() {
    for step in -24_000...24_000 {
      let exponent = Float(step) / 400
      // Rounding of the result adds 6e-8.
      #expect(abs(Double(ComplexExponential.magnitude(exponent)) / exp2(Double(exponent)) - 1) < 3e-6)
    }
  }

  @Test("whole octaves are exact")
  func octaves() {
    for octave in -60...60 {
      #expect(Double(ComplexExponential.magnitude(Float(octave))) == exp2(Double(octave)))
    }
  }

  @Test("cosine and sine are right to 1e-5 over forty half turns")
  func direction() {
    for step in -20_000...20_000 {
      let angle = Float(step) / 1000
      let direction = ComplexExponential.direction(angle)
      let sign = direction.sign == 0 ? 1.0 : -1
      #expect(abs(sign * Double(direction.cosine) - cos(.pi * Double(angle))) < 1e-5)
      #expect(abs(sign * Double(direction.sine) - sin(.pi * Double(angle))) < 1e-5)
    }
  }

  @Test("no angle leaves the value real and exact")
  func noAngle() {
    let direction = ComplexExponential.direction(0)
    #expect(direction.cosine == 1 && direction.sine == 0 && direction.sign == 0)
  }
}
