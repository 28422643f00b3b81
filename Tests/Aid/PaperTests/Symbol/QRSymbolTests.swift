import PaperTesting
import Testing

@testable import Paper

@Suite("QR symbol") struct QRSymbolTests {
  @Test(
    "a text of digits needs the version that ISO/IEC 18004, table 7 gives",
    arguments: [
      (41, ErrorCorrection.low, 1), (42, .low, 2), (34, .medium, 1), (27, .quartile, 1), (17, .high, 1),
      (7089, .low, 40), (5596, .medium, 40), (3993, .quartile, 40), (3057, .high, 40),
    ])
  func digits(count: Int, correction: ErrorCorrection, version: Int) throws {
    let symbol = try QRSymbol(text: String(repeating: "7", count: count), correction: correction)
    #expect(symbol.version == version)
    #expect(symbol.side == 17 + 4 * version)
  }

  // SMART Health Cards Framework, "Chunking": a single symbol of version 22 holds 1195 characters.
  @Test("a card of 1195 characters fits version 22, one of 1196 does not")
  func healthCard() throws {
    #expect(try QRSymbol(text: SampleText.card(characters: 1195)).version == 22)
    #expect(try QRSymbol(text: SampleText.card(characters: 1196)).version == 23)
  }

  @Test(
    "what does not fit is refused with what was found and what fits",
    arguments: [
      (String(repeating: "7", count: 7090), ErrorCorrection.low, 7089),
      (String(repeating: "x", count: 2954), .low, 2953), (String(repeating: "x", count: 1274), .high, 1273),
    ])
  func tooLong(text: String, correction: ErrorCorrection, most: Int) {
    #expect(throws: PaperError.tooLong(characters: text.count, atMost: most, correction: correction)) {
      try QRSymbol(text: text, correction: correction)
    }
  }

  @Test("the longest mixed text that is allowed fits, and one digit more is refused")
  func longestMixed() throws {
    let most = SymbolContent("shc:/1").charactersAtMost(.low)
    let text = "shc:/" + String(repeating: "7", count: most - 5)
    #expect(try QRSymbol(text: text).version == 40)
    #expect(throws: PaperError.self) { try QRSymbol(text: text + "7") }
  }

  @Test("nothing is refused")
  func empty() { #expect(throws: PaperError.emptyText) { try QRSymbol(text: "") } }

  @Test("a text without digits at its end, and one of other letters, come back as they were")
  func otherTexts() throws {
    for text in ["https://example.org/x", "Grüße, 你好 123", "0", "a1b"] {
      #expect(
        PictureReader.texts(in: try SampleText.picture(text, scale: 4), within: SampleText.patience) == [
          text
        ])
    }
  }

  @Test("the corners bear finder patterns and the quiet zone is light")
  func structure() throws {
    let symbol = try QRSymbol(text: SampleText.card(characters: 900))
    let far = symbol.side - 7
    for (x, y) in [(0, 0), (far, 0), (0, far)] {
      for row in 0..<7 {
        for column in 0..<7 {
          let ring = max(abs(row - 3), abs(column - 3))
          #expect(symbol[x + column, y + row] == (ring != 2))
        }
      }
    }
    #expect(!symbol[-1, 0] && !symbol[symbol.side, 0])
    let picture = symbol.raster(width: (symbol.side + 8) * 2)
    #expect(picture[7, 7] == 255 && picture[8, 8] == 0)
  }

  @Test("modules that share a pixel blend by area: the whole picture keeps its ink")
  func rasterByArea() throws {
    let symbol = try QRSymbol(text: SampleText.card(characters: 100))
    let modules = symbol.side + 8
    let whole = symbol.raster(width: modules).pixels.reduce(0.0) { $0 + Double(255 - $1) } / 255
    let width = modules * 7 / 2
    let uneven = symbol.raster(width: width).pixels.reduce(0.0) { $0 + Double(255 - $1) } / 255
    // Rounding to a step of 255 leaves a thousandth at most.
    #expect(abs(uneven / Double(width * width) / (whole / Double(modules * modules)) - 1) < 0.001)
  }
}
