import Glibc
import Testing

@testable import Paper

@Suite("Colour scale") struct ColourScaleTests {
  /// Lightness L* of CIE 1976 of a colour whose luminance is Y.
  private static func lightness(_ share: Double) -> Double {
    let y = ColourScale.colour(share).luminance
    return y > 216.0 / 24_389 ? 116 * cbrt(y) - 16 : y * 24_389 / 27
  }

  @Test("grows lighter by as much at every step, so that it reads in grey")
  func lightness() {
    let steps = (0..<16).map { Self.lightness(Double($0 + 1) / 16) - Self.lightness(Double($0) / 16) }
    let mean = steps.reduce(0, +) / 16
    // Nearly five units a step; what the eye just tells apart is about one.
    #expect(mean > 4 && steps.allSatisfy { abs($0 - mean) < 1 }, "\(steps)")
  }

  @Test("begins and ends with the table's own colours, and stays there beyond its ends")
  func ends() {
    #expect(
      ColourScale.colour(0) == Colour(hex: 0x440154) && ColourScale.colour(-1) == Colour(hex: 0x440154))
    #expect(
      ColourScale.colour(1) == Colour(hex: 0xFDE725) && ColourScale.colour(2) == Colour(hex: 0xFDE725))
    // The middle of viridis: number 128 of 256.
    #expect(ColourScale.colour(0.5) == Colour(hex: 0x21918C))
  }
}
