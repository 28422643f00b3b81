import Testing

@testable import Acoustics

@Suite("Both ears") struct BinauralTests {
  @Test("each ear keeps its own value")
  func subscripts() {
    var gains = Binaural(both: 10)
    gains[.right] = 20
    #expect(gains == Binaural(left: 10, right: 20))
    gains[.left] = 5
    #expect((gains[.left], gains[.right]) == (5, 20))
    #expect(gains.map { $0 * 2 } == Binaural(left: 10, right: 40))
  }

  @Test("a transform that fails on one ear fails with its own error")
  func typedThrow() {
    let bands = Binaural(left: [1000.0], right: [])
    let words = refusal { () throws(AcousticsError) in
      try bands.map { centres throws(AcousticsError) in try BandLayout(centres: centres) }
    }
    #expect(words == "0 bands: expected 1 to 40")
  }
}
