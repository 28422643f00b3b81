import Acoustics
import CommonTesting
import Glibc
import Realtime
import Testing

@testable import HearingDSP

@Suite("Forward transform") struct ForwardTransformTests {
  static let lengths = [64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384]

  /// Numbers of 16 bits from a generator of integers (Knuth's MMIX constants), so that every processor has the same, behind `start`
  /// frames that do not belong to the transform.
  private static func frames(_ length: Int, from start: Int = 0) -> Buffer {
    var state: UInt64 = 1
    return Buffer(count: 2 * (start + length)) { index in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return index < 2 * start ? .nan : Float(Int16(truncatingIfNeeded: state >> 48)) / 32_768
    }
  }

  /// FNV-1a, 64 bits (Fowler, Noll and Vo), over the bytes of all real and then of all imaginary parts.
  private static func hash(of transform: borrowing ForwardTransform) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for isImaginary in [false, true] {
      for k in 0...transform.length {
        let bits = (isImaginary ? transform.im[k] : transform.re[k]).bitPattern
        for byte in 0..<4 { hash = (hash ^ UInt64(bits >> UInt32(8 * byte) & 0xff)) &* 0x100_0000_01b3 }
      }
    }
    return hash
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

  // Found on 2026-11-30 by this code and by the same C compiled for aarch64 under an emulator: the same on both. A fused multiplication and
  // addition, and a factor that is wrong in its last place, change each of them.
  @Test(
    "has the bits that two processors found",
    arguments: [
      (64, 0x41a6_6619_a853_4cf7), (128, 0xf91b_3e2b_8353_a33a), (256, 0x9555_8715_1ebc_2954),
      (512, 0xb7d0_708a_1671_deda), (1024, 0xe81a_6133_235d_f2c1), (4096, 0x22df_31ca_019e_6e27),
      (8192, 0xee9f_2f0a_48e0_b214), (16_384, 0x1ec9_4adf_b8d7_fac1),
    ] as [(Int, UInt64)])
  func bits(length: Int, expected: UInt64) {
    let frames = Self.frames(length)
    var transform = ForwardTransform(length: length)
    let found = VectorWidths.both {
      transform.process(frames, from: 0)
      return Self.hash(of: transform)
    }
    #expect(found.narrow == expected)
    #expect(found.wide == expected)
  }

  @Test("of a number that is none leaves nothing behind for the next one")
  func numberless() {
    var transform = ForwardTransform(length: 256)
    transform.process(Buffer(count: 512) { $0 == 77 ? .nan : 1 }, from: 0)
    transform.process(Self.frames(256), from: 0)
    #expect(Self.hash(of: transform) == 0x9555_8715_1ebc_2954)
  }

  @Test("has no other length than a power of two from 64 on, and begins where vectors may")
  func refused() async {
    await #expect(processExitsWith: .failure) { _ = ForwardTransform(length: 32) }
    await #expect(processExitsWith: .failure) { _ = ForwardTransform(length: 384) }
    await #expect(processExitsWith: .failure) {
      var transform = ForwardTransform(length: 64)
      transform.process(Buffer(count: 144), from: 4)
    }
    await #expect(processExitsWith: .failure) {
      var transform = ForwardTransform(length: 64)
      transform.process(Buffer(count: 136), from: 8)
    }
  }
}
