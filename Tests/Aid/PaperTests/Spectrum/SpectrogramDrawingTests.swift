import Acoustics
import Glibc
import Testing

@testable import Laboratory
@testable import Paper

@Suite("Spectrogram drawing") struct SpectrogramDrawingTests {
  private static let bands = BandLayout.standard.centres

  /// Ten columns of one second: silence, then a tone of 1 kHz at 60 dB SPL; a gap at the fifth.
  private static func drawing(
    ears: [Ear] = [.right, .left], words: String = "speech"
  ) -> SpectrogramDrawing {
    var course = SpectrogramDrawing.Course()
    course.input = (0..<10).map { column in
      column == 5 ? nil : bands.map { $0 == 1000 && column > 0 ? 60 : 0 }
    }
    course.output = course.input.map { $0.map { $0.map { $0 + 20 } } }
    course.gains = ["500 Hz", "2000 Hz"].map { name in
      (name, (0..<10).map { CurvePoint(x: Double($0), y: 20) })
    }
    course.lanes = [
      .init(name: "limiter", stretches: [(1...1.001, "")]), .init(name: "howl relief", stretches: []),
      .init(name: "muted", stretches: [(3...4, "")]),
      .init(name: "scene", stretches: [(0...4, words), (4...10, "quiet")]),
    ]
    return SpectrogramDrawing(
      title: "Sound of the running aid", note: "0.0 to 10.0 s, 250 spectra",
      foot: ["The numbers: now.jsonl"], time: 0...10, bands: bands, ears: ears.map { ($0, course) })
  }

  /// Colours of each spectrogram, rows from the top.
  private static func cells(_ picture: Picture) -> [(columns: Int, colours: [Colour])] {
    picture.marks.compactMap {
      if case .cells(_, let columns, let colours) = $0 { (columns, colours) } else { nil }
    }
    .filter { $0.columns == 10 }
  }

  @Test(
    "no label is clipped and none covers another: two ears, one, and words that do not fit",
    arguments: [
      drawing(), drawing(ears: [.left]), drawing(words: String(repeating: "overlong ", count: 40)),
    ])
  func labels(drawing: SpectrogramDrawing) {
    let picture = drawing.picture()
    #expect(Layout.clipped(picture).isEmpty)
    #expect(Layout.overlapping(picture).isEmpty)
  }

  @Test("a level has the colour of its place on the scale, at its frequency and time; a gap stays paper")
  func colours() throws {
    let cells = Self.cells(Self.drawing().picture())
    #expect(cells.count == 4)
    let (input, output) = (cells[0].colours, cells[1].colours)
    // 1 kHz lies log(1000/88)/log(14000/88) up the axis: the bands' middles are at half their distance.
    let low = 125.0 * (0.5).squareRoot()
    let high = 12_500 * (1.25).squareRoot()
    let row = Int(240 * (1 - log2(1000 / low) / log2(high / low)))
    #expect(input[row * 10 + 5] == .paper)
    // The scale runs from 0 to 100 dB SPL: the multiple of 20 above the loudest, 80 dB SPL.
    #expect(input[row * 10] == ColourScale.colour(0))
    #expect(input[row * 10 + 1] == ColourScale.colour(0.6))
    #expect(output[row * 10 + 1] == ColourScale.colour(0.8))
    #expect(input[1] == ColourScale.colour(0))
  }

  @Test("what lasted a moment only is drawn at least a point wide, and says where the numbers are")
  func events() {
    let picture = Self.drawing().picture()
    let areas = picture.marks.compactMap { mark -> Rectangle? in
      guard case .clipped(_, let inner) = mark, case .fill(let path, .mutedInk)? = inner.first else {
        return nil
      }
      return path.extent
    }
    #expect(areas.count == 4 && areas.allSatisfy { $0.width >= 1 })
    #expect(picture.labels.contains { $0.text == "The numbers: now.jsonl" })
  }
}
