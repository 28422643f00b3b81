import Testing

@testable import Paper

@Suite("Code drawing") struct CodeDrawingTests {
  @Test(
    "modules are whole dots of a 600-dpi printer, and the code is no wider than asked for",
    arguments: [(57, 84.5), (105, 84.5), (133, 84.5), (105, 60), (105, 90), (177, 60)])
  func dots(side: Int, width: Double) throws {
    let code = CodeDrawing(SampleSheet.modules(side: side), width: width)
    let dots = code.module / (72.0 / 600)
    #expect(abs(dots - dots.rounded()) < 1e-9 && dots >= 1)
    let wanted = width / 25.4 * 72
    #expect(code.width <= wanted + 1e-6)
    // Less than one dot is lost per module.
    #expect(wanted - code.width < Double(side) * 72 / 600)
  }

  @Test("a version-22 code of the usual width is 84.46 mm wide: 105 modules of 19/600 inch")
  func usual() throws {
    let code = CodeDrawing(SampleSheet.modules(side: 105))
    #expect(abs(code.width - 105 * 19 * 72.0 / 600) < 1e-9)
    // No more than 500 pixels in a scan of 150 dots an inch.
    #expect(code.width / 72 * 150 <= 500)
  }

  @Test("each row's neighbours are one rectangle, and the rectangles cover the dark modules exactly")
  func path() throws {
    var dark = [Bool](repeating: false, count: 21 * 21)
    for (x, y) in [(0, 0), (1, 0), (2, 0), (5, 0), (1, 1), (20, 20)] { dark[y * 21 + x] = true }
    let code = CodeDrawing(QRSymbol(side: 21, dark: dark), width: 60)
    let frame = code.frame(at: Point(x: 100, y: 200))
    var starts: [Point] = []
    for case .move(let point) in code.path(in: frame).elements { starts.append(point) }
    let m = code.module
    let expected = [(0.0, 0.0), (5, 0), (1, 1), (20, 20)].map {
      Point(x: frame.x + $0.0 * m, y: frame.y + $0.1 * m)
    }
    #expect(starts == expected)
  }

  @Test("the quiet zone is four modules wide on every side")
  func quietZone() throws {
    let code = CodeDrawing(SampleSheet.modules(side: 105), width: 84.5)
    let frame = code.frame(at: Point(x: 30, y: 40))
    // The corner moves by less than one dot of a printer.
    #expect((0..<0.12).contains(30 + 4 * code.module - frame.minX))
    #expect((0..<0.12).contains(40 + 4 * code.module - frame.minY))
    #expect(abs(code.fullWidth - code.width - 8 * code.module) < 1e-9)
  }
}
