import Acoustics
import CLanes
import Glibc
import Realtime
import Testing

@testable import HearingDSP

@Suite("Forward transform") struct ForwardTransformTests {
  static let lengths = [64, 128, 256, 512, 1024, 8192, 16_384]

  /// Numbers of 16 bits from a generator of integers (Knuth's MMIX constants), so that every processor has the same, behind `start`
  /// frames that do not belong to the transform.
  private static func frames(_ length: Int, from start: Int = 0) -> Buffer {
    var state: UInt64 = 1
    return Buffer(count: 2 * (start + length)) { index in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return index < 2 * start ? .nan : Float(Int16(truncatingIfNeeded: state >> 48)) / 32_768
    }
  }

  private static func bits(of transform: borrowing ForwardTransform) -> [UInt32] {
    (0...transform.length).flatMap { [transform.re[$0].bitPattern, transform.im[$0].bitPattern] }
  }

  // The error of a transform grows with the number of its stages, log₂ N, each of which rounds by 2⁻²⁴ at most (Higham, Accuracy and
  // Stability of Numerical Algorithms, 2nd ed., 24.1; from memory): root mean square below 2⁻²⁴ log₂ N of the spectrum's.
  @Test("is the transform of its definition in double precision but for rounding", arguments: lengths)
  func definition(length: Int) {
    let frames = Self.frames(length, from: 8)
    var transform = ForwardTransform(length: length)
    transform.process(frames, from: 8)
    var re = (0..<length).map { Double(frames[16 + 2 * $0]) }
    var im = (0..<length).map { Double(frames[17 + 2 * $0]) }
    FourierTransform(count: length).transform(&re, &im)
    var (error, power) = (0.0, 0.0)
    for k in 0..<length {
      let (a, b) = (Double(transform.re[k]) - re[k], Double(transform.im[k]) - im[k])
      error += a * a + b * b
      power += re[k] * re[k] + im[k] * im[k]
    }
    #expect((error / power).squareRoot() < 0x1p-24 * log2(Double(length)))
    #expect(transform.re[length] == transform.re[0] && transform.im[length] == transform.im[0])
  }

  // Sums and differences of ones and zeros, and products with them, are exact.
  @Test(
    "a click is in every bin, and steady sound in the lowest alone, both without any error",
    arguments: lengths)
  func exactness(length: Int) {
    var transform = ForwardTransform(length: length)
    transform.process(Buffer(count: 2 * length) { $0 == 0 ? 1 : $0 == 1 ? -0.5 : 0 }, from: 0)
    for k in 0...length { #expect(transform.re[k] == 1 && transform.im[k] == -0.5) }
    transform.process(Buffer(count: 2 * length) { $0 % 2 == 0 ? 0.25 : -0.5 }, from: 0)
    for k in 0...length {
      let isLowest = k % length == 0
      #expect(transform.re[k] == (isLowest ? Float(length) / 4 : 0))
      #expect(transform.im[k] == (isLowest ? -Float(length) / 2 : 0))
    }
  }

  @Test(
    "has the same bits in vectors of 128 and of 256 bits",
    .enabled(if: clanes_widen(1) == 1, "this processor has no vectors of 256 bits"), arguments: lengths)
  func widths(length: Int) {
    let frames = Self.frames(length)
    var transform = ForwardTransform(length: length)
    clanes_widen(0)
    transform.process(frames, from: 0)
    let narrow = Self.bits(of: transform)
    clanes_widen(1)
    transform.process(frames, from: 0)
    #expect(Self.bits(of: transform) == narrow)
  }
}
