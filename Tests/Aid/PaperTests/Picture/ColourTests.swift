import Acoustics
import Testing

@testable import Paper

@Suite("Palette") struct ColourTests {
  @Test("the right ear is red and the left ear is blue")
  func ears() {
    let (right, left) = (Colour.ear(.right), Colour.ear(.left))
    #expect(right.red > 2 * right.green && right.red > 2 * right.blue)
    #expect(left.blue > 1.5 * left.green && left.blue > 2 * left.red)
  }

  @Test(
    "text colours contrast with the paper by 4.5:1 or more",
    arguments: [Colour.ink, .mutedInk, .ear(.right), .ear(.left)])
  func contrast(colour: Colour) {
    // WCAG 2.1: (lighter + 0.05) / (darker + 0.05).
    #expect((Colour.paper.luminance + 0.05) / (colour.luminance + 0.05) >= 4.5)
  }

  @Test("luminance is that of the sRGB standard: black 0, white 1, mid grey 0.2159")
  func luminance() {
    #expect(Colour(hex: 0).luminance == 0)
    #expect(abs(Colour(hex: 0xFFFFFF).luminance - 1) < 1e-9)
    // ((128/255 + 0.055) / 1.055)^2.4 = 0.21586.
    #expect(abs(Colour(hex: 0x808080).luminance - 0.21586) < 1e-5)
  }
}
