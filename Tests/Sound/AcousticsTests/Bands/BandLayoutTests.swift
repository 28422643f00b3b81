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
      ([], "0 bands: expected 1 to 40"),
      (Array(stride(from: 100.0, through: 4200, by: 100)), "42 bands: expected 1 to 40"),
      ([49], "a band at 49 Hz: expected 50 to 20000 Hz"),
      ([1000, 20_001], "a band at 20001 Hz: expected 50 to 20000 Hz"),
      ([1000, 1000], "a band at 1000 Hz: expected frequencies in rising order"),
      ([1000, 2000, 1500], "a band at 1500 Hz: expected frequencies in rising order"),
    ])
  func refuses(centres: [Double], words: String) {
    #expect(refusal { () throws(AcousticsError) in try BandLayout(centres: centres) } == words)
    #expect(throws: AcousticsError.self) { try BandLayout(centres: [.nan]) }
  }
}
