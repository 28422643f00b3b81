import Testing

@testable import HearingDSP

/// Four numbers at a time are the same numbers as one at a time, on every processor: vectors of it may be wider.
@Suite("Lanes") struct LanesTests {
  /// 0, 1, 2 … 23.
  static func numbers() -> Buffer { Buffer(count: 24) { Float($0) } }

  @Test("four elements are read and written where they lie, from any element on", arguments: 0...20)
  func lanes(start: Int) {
    let buffer = Self.numbers()
    let first = Float(start)
    #expect(buffer.pointer[lanes: start] == SIMD4(first, first + 1, first + 2, first + 3))
    buffer.pointer[lanes: start] = SIMD4(-1, -2, -3, -4)
    for index in 0..<24 {
      let isWritten = index >= start && index < start + 4
      #expect(buffer.pointer[index] == (isWritten ? Float(start - index - 1) : Float(index)))
    }
  }

  @Test("four complex numbers are written as real and imaginary part in turn, backwards too")
  func complex() {
    let buffer = Self.numbers()
    let forwards = ComplexLanes(SIMD4(3, 5, 7, 9), SIMD4(4, 6, 8, 10))
    buffer.pointer.store(forwards.reversed, at: 12)
    #expect((12..<20).map { buffer.pointer[$0] } == [9, 10, 7, 8, 5, 6, 3, 4])
    buffer.pointer.store(forwards, at: 12)
    #expect((12..<20).map { buffer.pointer[$0] } == [3, 4, 5, 6, 7, 8, 9, 10])
    #expect(buffer.pointer[11] == 11 && buffer.pointer[20] == 20)
  }

  // x = 1 + 2⁻¹²: x² = 1 + 2⁻¹¹ + 2⁻²⁴ lies between two floats and is rounded to the even one, 1 + 2⁻¹¹. A multiplication
  // fused with the subtraction would keep the 2⁻²⁴, on the processor whose compiler fuses and nowhere else.
  @Test("a product is rounded before it is added, so that all processors compute the same")
  func unfused() {
    let (x, square) = (Float(1 + 0x1p-12), Float(1 + 0x1p-11))
    let a = ComplexLanes(SIMD4(repeating: x), SIMD4(repeating: square))
    let b = ComplexLanes(SIMD4(repeating: x), SIMD4(repeating: 1))
    #expect((a * b).re == SIMD4())
    // re · im − im · re of the conjugate's product.
    let c = ComplexLanes(SIMD4(repeating: x), SIMD4(repeating: 1))
    let d = ComplexLanes(SIMD4(repeating: square), SIMD4(repeating: x))
    #expect(c.conjugateProduct(d).im == SIMD4())
  }
}
