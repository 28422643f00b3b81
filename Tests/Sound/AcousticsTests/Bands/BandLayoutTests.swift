import Testing

@testable import Acoustics

@Suite("Band layout") struct BandLayoutTests {
  @Test("the standard layout has twenty bands with every audiometric frequency to 8 kHz at a centre")
  func standard() throws {
    let layout = BandLayout.standard
    #expect(layout.count == 20)
    #expect(try BandLayout(centres: layout.centres) == layout)
    for frequency in [125.0, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000] {
      #expect(layout.centres.contains(frequency))
    }
  }

  @Test("neighbours meet at the geometric mean of their centres; the ends are 0 and infinity")
  func edges() throws {
    let layout = try BandLayout(centres: [500, 2000, 8000])
    #expect(layout.edges == [0, 1000, 4000, .infinity])
    #expect(try BandLayout(centres: [1000]).edges == [0, .infinity])
  }

  @Test(
    "a bad layout is refused by name",
    arguments: [
      ([], BandLayoutError.countOutOfRange(0)),
      (Array(stride(from: 100.0, through: 4200, by: 100)), .countOutOfRange(42)),
      ([49], .centreOutOfRange(index: 0, frequency: 49)),
      ([1000, 20_001], .centreOutOfRange(index: 1, frequency: 20_001)),
      ([1000, 1000], .unorderedCentre(index: 1)),
      ([1000, 2000, 1500], .unorderedCentre(index: 2)),
    ])
  func refuses(centres: [Double], error: BandLayoutError) {
    #expect(throws: error) { try BandLayout(centres: centres) }
    #expect(throws: BandLayoutError.self) { try BandLayout(centres: [.nan]) }
  }
}
