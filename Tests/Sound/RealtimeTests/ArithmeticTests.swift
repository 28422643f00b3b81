import CLinux
import Testing

@testable import Realtime

@Suite("Arithmetic for annotated code") struct ArithmeticTests {
  @Test(
    "truncation goes towards zero",
    arguments: [(2.9, 2), (-2.9, -2), (0.0, 0), (8_388_607.0, 8_388_607)] as [(Float, Int32)])
  func truncation(value: Float, integer: Int32) {
    #expect(truncated(value) == integer)
  }

  @Test("the largest float below 2³¹ is kept")
  func limit() {
    #expect(truncated(2_147_483_520) == 2_147_483_520)  // 2³¹ − 128: floats there are 128 apart
    #expect(truncated(-2_147_483_648) == .min)
  }

  @Test("square roots of squares are exact", arguments: [0, 1, 2, 3, 1024] as [Float])
  func roots(value: Float) {
    #expect(squareRoot(value * value) == value)
  }

  @Test("flushing is undone by restoring the state before")
  func restores() {
    let before = flushDenormals()
    let during = FloatingPointControl.current
    before.restore()
    #expect(CLINUX_FLUSH_BITS != 0 && during.bits & CLINUX_FLUSH_BITS == CLINUX_FLUSH_BITS)
    #expect(FloatingPointControl.current == before)
  }

  /// By a function of its own, so that no compiler computes it beforehand or elsewhere.
  @inline(never) static func product<Number: FloatingPoint>(_ a: Number, _ b: Number) -> Number { a * b }
  @inline(never) static func product(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> { a * b }

  // x86 has a bit for results and one for operands, aarch64 one for both.
  @Test("while denormals are flushed a result that is denormal is zero, and before and after it is kept")
  func results() {
    let (least, half) = (Float.leastNormalMagnitude, Float(0.5))
    let kept = Self.product(least, half)
    let before = flushDenormals()
    let flushed = (
      Self.product(least, half), Self.product(SIMD4(repeating: -least), SIMD4(repeating: half)),
      Self.product(Double.leastNormalMagnitude, 0.5)
    )
    before.restore()
    let after = Self.product(least, half)
    // The format's own numbers: the least normal one is 2⁻¹²⁶, the least denormal one 2⁻¹⁴⁹.
    #expect(kept.bitPattern == 1 << 22 && after.bitPattern == 1 << 22)
    #expect(flushed.0.bitPattern == 0)
    #expect((0..<4).allSatisfy { flushed.1[$0].bitPattern << 1 == 0 })  // zero of either sign
    #expect(flushed.2.bitPattern == 0)
  }

  @Test("while denormals are flushed an operand that is denormal counts as zero, otherwise as itself")
  func operands() {
    // 2⁻¹⁴⁹ · 2⁶⁰ = 2⁻⁸⁹, a normal number.
    let (tiny, large) = (Float.leastNonzeroMagnitude, Float(sign: .plus, exponent: 60, significand: 1))
    let before = flushDenormals()
    let flushed = (
      Self.product(tiny, large), Self.product(SIMD4(repeating: tiny), SIMD4(repeating: large))
    )
    before.restore()
    #expect(Self.product(tiny, large) == Float(sign: .plus, exponent: -89, significand: 1))
    #expect(flushed.0.bitPattern == 0)
    #expect((0..<4).allSatisfy { flushed.1[$0].bitPattern == 0 })
  }
}
