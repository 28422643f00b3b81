import Testing

@testable import Paper

@Suite("Sampling of a picture") struct SamplingTests {
  @Test("at a place that is no number, or anywhere outside, gives a pixel of its edge")
  func outside() {
    let picture = GreyPicture(width: 2, height: 2, pixels: [10, 20, 30, 40])
    #expect(picture.linear(.nan, .nan) == 10)
    #expect(picture.linear(.infinity, .nan) == 20)
    #expect(picture.linear(-.infinity, .infinity) == 30)
    #expect(picture.linear(1e30, 1e30) == 40)
    #expect(picture.linear(0.5, 0.5) == 25)
  }
}
