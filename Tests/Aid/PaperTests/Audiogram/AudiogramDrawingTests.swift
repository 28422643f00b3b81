import Acoustics
import Testing

@testable import Paper

@Suite("Audiogram drawing") struct AudiogramDrawingTests {
  typealias Point = Audiogram.Point

  private func drawing(_ ear: Ear, _ points: [Point]) throws -> AudiogramDrawing {
    var audiograms = Binaural<Audiogram?>(both: nil)
    audiograms[ear] = try Audiogram(points: points)
    return AudiogramDrawing(audiograms)
  }

  /// The signs in the plot, without those of the key.
  private func drawn(_ drawing: AudiogramDrawing) -> Picture {
    var picture = Picture(width: 500, height: 500, title: "")
    let plot = drawing.plot(at: Paper.Point(x: 0, y: 0), height: 400)
    drawing.drawPoints([.right, .left], in: plot, size: 9, on: &picture)
    return picture
  }

  @Test(
    "each kind of threshold has its symbol of ASHA 1990",
    arguments: [
      (.right, .air, false, .circle), (.right, .air, true, .triangle),
      (.left, .air, false, .cross), (.left, .air, true, .square),
      (.right, .bone, false, .leftAngle), (.right, .bone, true, .leftBracket),
      (.left, .bone, false, .rightAngle), (.left, .bone, true, .rightBracket),
    ] as [(Ear, Conduction, Bool, Marker)])
  func symbols(ear: Ear, conduction: Conduction, isMasked: Bool, marker: Marker) throws {
    let point = Point(
      frequency: 1000, threshold: HearingLevel(40), conduction: conduction, isMasked: isMasked)
    let symbols = drawn(try drawing(ear, [point])).symbols
    #expect(symbols.map(\.marker) == [marker])
    #expect(symbols.map(\.colour) == [.ear(ear)])
  }

  @Test(
    "a point without a response carries an arrow, down and outwards from its ear's side",
    arguments: [(Ear.right, Marker.circle, Marker.arrowDownLeft), (.left, .cross, .arrowDownRight)])
  func noResponse(ear: Ear, marker: Marker, arrow: Marker) throws {
    let point = Point(frequency: 8000, threshold: HearingLevel(100), hasResponse: false)
    let symbols = drawn(try drawing(ear, [point])).symbols
    #expect(symbols.map(\.marker) == [marker, arrow])
    #expect(symbols[0].centre == symbols[1].centre)
    let extent = arrow.path(at: Paper.Point(x: 0, y: 0), size: 10).extent
    #expect(extent.midY > 0)
    #expect(ear == .right ? extent.maxX < 0 : extent.minX > 0)
  }

  @Test("the arrow of a bone-conduction symbol begins at the symbol, not at the frequency's line")
  func boneArrow() throws {
    let point = Point(
      frequency: 2000, threshold: HearingLevel(60), conduction: .bone, isMasked: true, hasResponse: false)
    let symbols = drawn(try drawing(.right, [point])).symbols
    let extents = symbols.map { $0.marker.path(at: $0.centre, size: $0.size).extent }
    #expect(extents[1].maxX < symbols[0].centre.x)
    #expect(extents[0].inset(by: -2).overlaps(extents[1]))
  }

  @Test("the line stops before a point without a response and goes on after it")
  func brokenLine() throws {
    let levels = [(500.0, true), (1000, true), (2000, false), (4000, true), (8000, true)]
    let points = levels.map {
      Point(frequency: $0.0, threshold: HearingLevel(50), hasResponse: $0.1)
    }
    let lines = drawn(try drawing(.right, points)).marks.flatMap { mark -> [Mark] in
      if case .clipped(_, let inner) = mark { inner } else { [] }
    }
    #expect(lines.count == 2)
  }

  @Test("bone-conduction points are not joined")
  func boneUnjoined() throws {
    let points = [500.0, 1000].map {
      Point(frequency: $0, threshold: HearingLevel(20), conduction: .bone)
    }
    let picture = drawn(try drawing(.left, points))
    #expect(picture.symbols.count == 2)
    #expect(picture.marks.count == 2)
  }

  @Test("the key shows the signs that occur, each once, and no other")
  func key() throws {
    let points = [500.0, 1000, 2000].map {
      Point(frequency: $0, threshold: HearingLevel(60), isMasked: $0 > 600, hasResponse: $0 < 1500)
    }
    let drawing = try drawing(.left, points)
    // Points are larger than the samples of the key.
    let samples = drawing.picture().symbols.filter { $0.size < 7 }
    #expect(samples.map(\.marker) == [.cross, .square, .arrowDownRight])
    #expect(!drawing.picture().labels.contains { $0.text == "Right ear" })
  }

  @Test("a narrow key has more rows, none wider than its room")
  func narrowKey() throws {
    let drawing = AudiogramDrawing(
      Binaural(left: try SampleSheet.leftEar(), right: try SampleSheet.rightEar()))
    let metrics = TextMetrics()
    #expect(drawing.keyRowCount(width: 600, metrics) == 2)
    #expect(drawing.keyRowCount(width: 200, metrics) > 2)
    var page = SheetPage(title: "", width: 600, height: 100)
    drawing.drawKey(at: Paper.Point(x: 0, y: 10), width: 200, leading: 12, on: &page)
    let picture = page.finish()
    for label in picture.labels {
      let bounds = label.bounds(metrics)
      #expect(bounds.maxX <= 200)
    }
    #expect(Layout.overlapping(picture) == [])
  }

  @Test("one octave is as wide as 20 dB is high", arguments: [8000.0, 16_000])
  func proportion(highest: Double) throws {
    let drawing = try drawing(.left, [Point(frequency: highest, threshold: HearingLevel(30))])
    let plot = drawing.plot(at: Paper.Point(x: 10, y: 20), height: 260)
    let octave = plot.horizontal.position(2000) - plot.horizontal.position(1000)
    let decibels = plot.vertical.position(60) - plot.vertical.position(40)
    // 130 dB on 260 points.
    #expect(abs(decibels - 40) < 1e-9)
    #expect(abs(octave - decibels) < 1e-9)
    #expect(plot.horizontal.contains(125) && plot.horizontal.contains(highest))
  }

  @Test("hearing level grows downwards from −10 to 120 dB HL")
  func inverted() throws {
    let plot = try drawing(.left, []).plot(at: Paper.Point(x: 0, y: 0), height: 130)
    #expect(abs(plot.vertical.position(-10)) < 1e-9)
    #expect(abs(plot.vertical.position(120) - 130) < 1e-9)
  }

  @Test("the axis ends at 8 kHz unless a point lies above")
  func highFrequencies() throws {
    let usual = try drawing(.left, [Point(frequency: 8000, threshold: HearingLevel(30))])
    let extended = try drawing(.left, [Point(frequency: 12_500, threshold: HearingLevel(30))])
    #expect(!usual.picture().labels.contains { $0.text == "16k" })
    #expect(extended.picture().labels.contains { $0.text == "16k" })
  }

  @Test("the two ears differ in line style as well as in colour")
  func lineStyles() {
    let n3 = StandardAudiogram.n3.audiogram
    let drawing = AudiogramDrawing(Binaural(both: n3))
    let strokes = drawn(drawing).marks.flatMap { mark -> [Stroke] in
      guard case .clipped(_, let inner) = mark else { return [] }
      return inner.compactMap { if case .stroke(_, let stroke) = $0 { stroke } else { nil } }
    }
    #expect(strokes.map(\.dashes.isEmpty) == [true, false])
  }

  @Test(
    "no label of a page with every kind of symbol is clipped or covers another",
    arguments: [8000.0, 16_000])
  func labels(highest: Double) throws {
    var points: [Point] = []
    for conduction in [Conduction.air, .bone] {
      for isMasked in [false, true] {
        points.append(
          Point(
            frequency: isMasked ? 500 : highest, threshold: HearingLevel(60), conduction: conduction,
            isMasked: isMasked, hasResponse: isMasked))
      }
    }
    let audiogram = try Audiogram(points: points)
    let title = "Audiogram of " + String(repeating: "a person with a long name ", count: 20)
    let picture = AudiogramDrawing(Binaural(both: audiogram)).picture(title: title)
    #expect(Layout.clipped(picture) == [])
    #expect(Layout.overlapping(picture) == [])
  }
}

extension AudiogramDrawing {
  /// A page of its own with both ears in one frame and a key.
  func picture(title: String = "Audiogram") -> Picture {
    let (left, right, top, bottom) = (52.0, 16.0, 60.0, 54.0)
    // Seven octaves and the margins fill 15 cm.
    let frameHeight = 51 / Self.octave * (Self.levels.upperBound - Self.levels.lowerBound)
    let frameWidth = frameHeight * proportion
    var page = SheetPage(
      title: title, width: left + frameWidth + right, height: top + frameHeight + bottom)
    page.line(title, at: Point(x: left, y: 24), width: frameWidth, .heading)
    let plot = self.plot(at: Point(x: left, y: top), height: frameHeight)
    drawFrame(plot, isSmall: false, on: &page.picture)
    drawPoints([.right, .left], in: plot, size: 9, on: &page.picture)
    drawKey(at: Point(x: left, y: plot.frame.maxY + 24), width: frameWidth, leading: 15, on: &page)
    return page.finish()
  }
}
