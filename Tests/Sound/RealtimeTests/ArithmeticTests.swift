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
}
