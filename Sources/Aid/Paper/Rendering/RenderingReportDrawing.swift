import Acoustics
import Base
import Laboratory

/// The picture of a rendering, one A4 page: for each ear the audiogram, the gain asked for and reached, the
/// third-octave spectra before and after, and the level over time.
///
/// The right ear stands on the left, as it does when facing the listener and on paired audiograms.
///
/// - Threads: any but audio.
extension RenderingReport {
  /// A4 upright, ISO 216: 210 mm × 297 mm in points.
  static let width = 595.0
  static let height = 842.0
  /// Room for numbers and titles left of the first column, points.
  static let leftMargin = 58.0
  static let rightMargin = 24.0
  /// Between the columns: room for the second one's numbers, points.
  static let gutter = 30.0
  static var columnWidth: Double { (width - leftMargin - rightMargin - gutter) / 2 }

  /// Tops and heights of the frames, points.
  static let audiogramTop = 124.0
  /// Leaves the figures beside it room for "Loudest output, Fast".
  static let audiogramWidth = 138.0
  static let gainTop = 290.0
  static let gainHeight = 124.0
  static let spectrumTop = 464.0
  static let spectrumHeight = 166.0
  static let courseTop = 680.0
  static let courseHeight = 86.0

  /// The page.
  ///
  /// - Threads: any but audio.
  package func picture() -> Picture {
    var page = SheetPage(title: "Auricle: " + inputName, width: Self.width, height: Self.height)
    drawHeader(on: &page)
    for ear in [Ear.right, .left] {
      drawEarName(ear, on: &page.picture)
      drawAudiogram(ear, on: &page)
      drawGain(ear, on: &page)
      drawSpectrum(ear, on: &page)
      drawCourse(ear, on: &page)
    }
    drawCaption(on: &page)
    return page.finish()
  }

  // MARK: - Ranges, shared by the plots of both ears so that the ears can be compared by eye

  /// Insertion gain, dB.
  var gainRange: ClosedRange<Double> {
    Axis.range(shown { [$0.targetGain, $0.achievedGain] }, step: 10, least: 0...30, span: 120)
  }

  /// Band levels, dB SPL.
  var bandLevelRange: ClosedRange<Double> {
    Axis.range(shown { [$0.input, $0.output, $0.outputLimit] }, step: 20, least: 20...100, span: 140)
  }

  /// Levels over time, dB SPL.
  var levelRange: ClosedRange<Double> {
    let levels = [ears.right, ears.left].flatMap { ($0.inputCourse + $0.outputCourse).map(\.y) }
    return Axis.range(levels, step: 20, least: 40...80, span: 100)
  }

  /// Values of both ears' curves at the frequencies shown.
  private func shown(_ curves: (EarRendering) -> [[CurvePoint]]) -> [Double] {
    [ears.right, ears.left].flatMap(curves).joined().filter { Axis.frequencies.contains($0.x) }.map(\.y)
  }

  /// Left edge of an ear's column, points.
  static func column(_ ear: Ear) -> Double {
    ear == .right ? leftMargin : leftMargin + columnWidth + gutter
  }

  /// A frame as wide as the ear's column.
  static func frame(_ ear: Ear, top: Double, height: Double) -> Rectangle {
    Rectangle(x: column(ear), y: top, width: columnWidth, height: height)
  }

  // MARK: - Words

  private func drawHeader(on page: inout SheetPage) {
    let x = Self.leftMargin - 34
    let room = Self.width - Self.rightMargin - x
    page.line(inputName, at: Point(x: x, y: 40), width: room, .title)
    let seconds = NumberText.fixed(duration, duration < 100 ? 1 : 0)
    let rate = NumberText.fixed(sampleRate / 1000, 1)
    let program = programName.map { ", program \($0)" } ?? ""
    page.line(
      "Audiogram \(audiogramName), rule \(ruleName)\(program), \(seconds) s at \(rate) kHz",
      at: Point(x: x, y: 57), width: room, .body)
    page.line("Calibration \(calibration)", at: Point(x: x, y: 70), width: room, .note)
    page.picture.stroke(.line(Point(x: x, y: 80), Point(x: Self.width - Self.rightMargin, y: 80)), .frame)
  }

  /// Notes on reading the page.
  private func drawCaption(on page: inout SheetPage) {
    let x = Self.leftMargin - 34
    guard [ears.right, ears.left].contains(where: { !$0.achievedGain.isEmpty }) else {
      return
    }
    var lines = [
      "Target: gain the rule asks for at this input's levels. Measured: output minus input, per third octave.",
      "Of running speech a compressor lifts the loud syllables, which make the average, less than the average asks for.",
    ]
    if programName != nil {
      lines[0] =
        "Target: gain the rule asks for; the program may take away from it. Measured: output minus input."
    }
    let room = Self.width - Self.rightMargin - x
    for (index, line) in lines.enumerated() {
      page.line(line, at: Point(x: x, y: 814 + 11 * Double(index)), width: room, .note)
    }
  }

  private func drawEarName(_ ear: Ear, on picture: inout Picture) {
    let style = TextStyle(size: 10.5, isBold: true, colour: .ear(ear))
    let name = ear == .right ? "Right ear" : "Left ear"
    picture.add(Label(text: name, place: Point(x: Self.column(ear), y: 99), style: style))
  }
}

/// The top row: hearing, and figures beside it.
extension RenderingReport {
  /// The ear's audiogram and, to its right, its figures.
  func drawAudiogram(_ ear: Ear, on page: inout SheetPage) {
    var audiograms = Binaural<Audiogram?>(both: nil)
    audiograms[ear] = ears[ear].audiogram
    let drawing = AudiogramDrawing(audiograms)
    let corner = Point(x: Self.column(ear), y: Self.audiogramTop)
    let plot = drawing.plot(at: corner, height: Self.audiogramWidth / drawing.proportion)
    drawing.drawFrame(plot, isSmall: true, isFirst: ear == .right, on: &page.picture)
    drawing.drawPoints([ear], in: plot, size: 6.5, on: &page.picture)
    if audiograms[ear] == nil { plot.note("no audiogram", on: &page.picture) }
    drawFigures(ear, from: plot.frame.maxX + 16, on: &page)
  }

  /// Name over value, one below the other.
  private func drawFigures(_ ear: Ear, from x: Double, on page: inout SheetPage) {
    let room = Self.column(ear) + Self.columnWidth - x
    let value = TextStyle(size: 9.5, isBold: true)
    for (row, figure) in figures(ear).enumerated() {
      let y = Self.audiogramTop + 8 + Double(row) * 26
      page.line(figure.name, at: Point(x: x, y: y), width: room, .note)
      page.line(figure.value, at: Point(x: x, y: y + 12), width: room, value)
    }
  }

  /// Hearing and levels: numbers with their units.
  func figures(_ ear: Ear) -> [(name: String, value: String)] {
    let rendering = ears[ear]
    let average = rendering.audiogram?.pureToneAverage
    let peak = rendering.outputCourse.map(\.y).filter(\.isFinite).max()
    let figures = [
      ("Pure-tone average", average.map { NumberText.fixed($0.decibels, 0) + " dB HL" }),
      ("Input level", rendering.inputLevel.map(Self.text)),
      ("Output level", rendering.outputLevel.map(Self.text)), ("Loudest output, Fast", peak.map(Self.text)),
    ]
    return figures.compactMap { name, value in value.map { (name, $0) } }
  }

  private static func text(_ level: Double) -> String {
    level == -.infinity ? "silence" : NumberText.fixed(level, 1) + " dB SPL"
  }
}

/// The rows below: gain, spectra, level over time.
extension RenderingReport {
  /// The input: grey and dashed, the same for both ears.
  private static let inputDashes = [3.2, 1.8]

  /// The measured gain: the ear's own audiogram symbol.
  static func gainSymbol(_ ear: Ear) -> Symbol {
    Symbol(
      marker: ear == .right ? .circle : .cross, centre: Point(x: 0, y: 0), size: 5.5, colour: .ear(ear),
      width: 1.1, fill: ear == .right ? .paper : nil)
  }

  /// Insertion gain asked for and reached against frequency.
  func drawGain(_ ear: Ear, on page: inout SheetPage) {
    let rendering = ears[ear]
    let target = Stroke(colour: .ink, width: 1.3)
    let plot = Plot.byFrequency(
      in: Self.frame(ear, top: Self.gainTop, height: Self.gainHeight), y: gainRange,
      step: Tick.step(dividing: gainRange.upperBound - gainRange.lowerBound, into: 8),
      title: ear == .right ? "Insertion gain / dB" : nil, hasZero: true, on: &page.picture)
    plot.line(rendering.targetGain, target, on: &page.picture)
    plot.markers(rendering.achievedGain, Self.gainSymbol(ear), on: &page.picture)
    let entries = [
      entry("target", .line(target), rendering.targetGain),
      entry("measured", .marker(Self.gainSymbol(ear)), rendering.achievedGain),
    ]
    plot.drawHeading("Gain", entries.compactMap(\.self), on: &page)
  }

  /// Third-octave levels of input and output below the limit.
  func drawSpectrum(_ ear: Ear, on page: inout SheetPage) {
    let rendering = ears[ear]
    let plot = Plot.byFrequency(
      in: Self.frame(ear, top: Self.spectrumTop, height: Self.spectrumHeight), y: bandLevelRange, step: 20,
      title: ear == .right ? "Third-octave level / dB SPL" : nil, hasZero: true, on: &page.picture)
    let input = Stroke(colour: .mutedInk, width: 1.1, dashes: Self.inputDashes)
    let output = Stroke(colour: .ear(ear), width: 1.5)
    let limit = Stroke(colour: .ink, width: 0.9, dashes: [1, 2])
    plot.line(rendering.outputLimit, limit, on: &page.picture)
    plot.line(rendering.input, input, on: &page.picture)
    plot.line(rendering.output, output, on: &page.picture)
    let entries = [
      entry("input", .line(input), rendering.input), entry("output", .line(output), rendering.output),
      entry("limit", .line(limit), rendering.outputLimit),
    ]
    plot.drawHeading("Spectrum", entries.compactMap(\.self), on: &page)
  }

  /// Input and output level, Fast, over the recording.
  func drawCourse(_ ear: Ear, on page: inout SheetPage) {
    let rendering = ears[ear]
    // Minutes from five on. An empty recording still has an axis.
    let (unit, length) = duration >= 300 ? ("min", 60.0) : ("s", 1)
    let end = duration.isFinite && duration > 0 ? duration / length : 1
    let range = levelRange
    let plot = Plot(
      in: Self.frame(ear, top: Self.courseTop, height: Self.courseHeight), x: 0...end, .linear, y: range)
    plot.drawFrame(
      x: Tick.multiples(of: Tick.step(dividing: end, into: 8), in: 0...end),
      y: Tick.multiples(of: 20, in: range), title: ear == .right ? "Level / dB SPL" : nil,
      below: "Time / " + unit, hasZero: true, on: &page.picture)
    let input = Stroke(colour: .mutedInk, width: 0.8, dashes: Self.inputDashes)
    let output = Stroke(colour: .ear(ear), width: 1)
    for (course, stroke) in [(rendering.inputCourse, input), (rendering.outputCourse, output)] {
      // Silence lies on the floor of the plot rather than nowhere.
      let points = course.map { CurvePoint(x: $0.x / length, y: max($0.y, range.lowerBound)) }
      plot.line(points, stroke, on: &page.picture)
    }
    let entries = [
      entry("input", .line(input), rendering.inputCourse),
      entry("output", .line(output), rendering.outputCourse),
    ]
    plot.drawHeading("Level, Fast", entries.compactMap(\.self), on: &page)
  }

  /// Nil for a series without points.
  private func entry(_ text: String, _ sample: Legend.Sample, _ points: [CurvePoint]) -> Legend.Entry? {
    points.isEmpty ? nil : Legend.Entry(sample: sample, text: text)
  }
}
