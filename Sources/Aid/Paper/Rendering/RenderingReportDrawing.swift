import Acoustics
import Base
import Laboratory

/// The picture of a rendering, one A4 page: for each ear the audiogram, the gain asked for and reached, the
/// third-octave spectra before and after, and the level over time.
///
/// The right ear stands on the left, as it does when facing the listener and on paired audiograms.
///
/// - Threads: any but audio.
struct RenderingReportDrawing {
  let report: RenderingReport

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

  let scales: ReportScales

  init(_ report: RenderingReport) {
    self.report = report
    scales = ReportScales(report)
  }

  /// Puts the page together.
  func picture() -> Picture {
    var page = SheetPage(title: "Auricle: " + report.inputName, width: Self.width, height: Self.height)
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

  /// Left edge of an ear's column, points.
  func column(_ ear: Ear) -> Double {
    ear == .right ? Self.leftMargin : Self.leftMargin + Self.columnWidth + Self.gutter
  }

  /// A frame as wide as the ear's column.
  func frame(_ ear: Ear, top: Double, height: Double) -> Rectangle {
    Rectangle(x: column(ear), y: top, width: Self.columnWidth, height: height)
  }

  // MARK: - Words

  private func drawHeader(on page: inout SheetPage) {
    let x = Self.leftMargin - 34
    let room = Self.width - Self.rightMargin - x
    page.line(report.inputName, at: Point(x: x, y: 40), width: room, .title)
    let seconds = NumberText.fixed(report.duration, report.duration < 100 ? 1 : 0)
    let rate = NumberText.fixed(report.sampleRate / 1000, 1)
    let program = report.programName.map { ", program \($0)" } ?? ""
    page.line(
      "Audiogram \(report.audiogramName), rule \(report.ruleName)\(program), \(seconds) s at \(rate) kHz",
      at: Point(x: x, y: 57), width: room, .body)
    page.line("Calibration \(report.calibration)", at: Point(x: x, y: 70), width: room, .note)
    page.picture.stroke(.line(Point(x: x, y: 80), Point(x: Self.width - Self.rightMargin, y: 80)), .frame)
  }

  /// Notes on reading the page.
  private func drawCaption(on page: inout SheetPage) {
    let x = Self.leftMargin - 34
    guard [report.ears.right, report.ears.left].contains(where: { !$0.achievedGain.isEmpty }) else {
      return
    }
    var lines = [
      "Target: gain the rule asks for at this input's levels. Measured: output minus input, per third octave.",
      "Of running speech a compressor lifts the loud syllables, which make the average, less than the average asks for.",
    ]
    if report.programName != nil {
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
    picture.add(Label(text: name, place: Point(x: column(ear), y: 99), style: style))
  }
}

/// The top row: hearing, and figures beside it.
extension RenderingReportDrawing {
  /// The ear's audiogram and, to its right, its figures.
  func drawAudiogram(_ ear: Ear, on page: inout SheetPage) {
    var audiograms = Binaural<Audiogram?>(both: nil)
    audiograms[ear] = report.ears[ear].audiogram
    let drawing = AudiogramDrawing(audiograms)
    let corner = Point(x: column(ear), y: Self.audiogramTop)
    let plot = drawing.plot(at: corner, height: Self.audiogramWidth / drawing.proportion)
    drawing.drawFrame(plot, isSmall: true, isFirst: ear == .right, on: &page.picture)
    drawing.drawPoints([ear], in: plot, size: 6.5, on: &page.picture)
    if audiograms[ear] == nil {
      page.picture.add(
        Label(
          text: "no audiogram", place: Point(x: plot.frame.midX, y: plot.frame.midY), style: .note,
          alignment: .centre, height: .middle))
    }
    drawFigures(ear, from: plot.frame.maxX + 16, on: &page)
  }

  /// Name over value, one below the other.
  private func drawFigures(_ ear: Ear, from x: Double, on page: inout SheetPage) {
    let room = column(ear) + Self.columnWidth - x
    let value = TextStyle(size: 9.5, isBold: true)
    for (row, figure) in figures(ear).enumerated() {
      let y = Self.audiogramTop + 8 + Double(row) * 26
      page.line(figure.name, at: Point(x: x, y: y), width: room, .note)
      page.line(figure.value, at: Point(x: x, y: y + 12), width: room, value)
    }
  }

  struct Figure: Equatable {
    var name: String
    /// The number with its unit.
    var value: String
  }

  /// Hearing and levels.
  func figures(_ ear: Ear) -> [Figure] {
    let rendering = report.ears[ear]
    var figures: [Figure] = []
    if let average = rendering.audiogram?.pureToneAverage {
      figures.append(
        Figure(name: "Pure-tone average", value: NumberText.fixed(average.decibels, 0) + " dB HL"))
    }
    if let level = rendering.inputLevel {
      figures.append(Figure(name: "Input level", value: Self.text(level)))
    }
    if let level = rendering.outputLevel {
      figures.append(Figure(name: "Output level", value: Self.text(level)))
    }
    if let peak = rendering.outputCourse.map(\.y).filter(\.isFinite).max() {
      figures.append(Figure(name: "Loudest output, Fast", value: Self.text(peak)))
    }
    return figures
  }

  private static func text(_ level: Double) -> String {
    level == -.infinity ? "silence" : NumberText.fixed(level, 1) + " dB SPL"
  }
}

/// The rows below: gain, spectra, level over time.
extension RenderingReportDrawing {
  /// The input: grey and dashed, the same for both ears.
  static let inputStroke = Stroke(colour: .mutedInk, width: 1.1, dashes: [3.2, 1.8])
  static let limitStroke = Stroke(colour: .ink, width: 0.9, dashes: [1, 2])

  static func outputStroke(_ ear: Ear) -> Stroke { Stroke(colour: .ear(ear), width: 1.5) }

  /// The measured gain: the ear's own audiogram symbol.
  static func gainSymbol(_ ear: Ear) -> Symbol {
    Symbol(
      marker: ear == .right ? .circle : .cross, centre: Point(x: 0, y: 0), size: 5.5, colour: .ear(ear),
      width: 1.1, fill: ear == .right ? .paper : nil)
  }

  /// Insertion gain asked for and reached against frequency.
  func drawGain(_ ear: Ear, on page: inout SheetPage) {
    let rendering = report.ears[ear]
    let plot = Plot(
      in: frame(ear, top: Self.gainTop, height: Self.gainHeight), x: Axis.frequencies, .logarithmic,
      y: scales.gain)
    let target = Stroke(colour: .ink, width: 1.3)
    let span = scales.gain.upperBound - scales.gain.lowerBound
    let levels = Tick.multiples(of: Tick.step(dividing: span, into: 8), in: scales.gain)
    plot.drawFrame(
      x: Tick.thirdOctaves, y: levels, title: ear == .right ? "Insertion gain / dB" : nil, hasZero: true,
      on: &page.picture)
    plot.horizontalTitle("Frequency / Hz", on: &page.picture)
    plot.line(rendering.targetGain, target, on: &page.picture)
    plot.markers(rendering.achievedGain, Self.gainSymbol(ear), on: &page.picture)
    let entries = [
      entry("target", .line(target), rendering.targetGain.isEmpty),
      entry("measured", .marker(Self.gainSymbol(ear)), rendering.achievedGain.isEmpty),
    ]
    plot.drawHeading("Gain", entries.compactMap { $0 }, on: &page)
  }

  /// Third-octave levels of input and output below the limit.
  func drawSpectrum(_ ear: Ear, on page: inout SheetPage) {
    let rendering = report.ears[ear]
    let plot = Plot(
      in: frame(ear, top: Self.spectrumTop, height: Self.spectrumHeight), x: Axis.frequencies,
      .logarithmic, y: scales.bandLevel)
    let levels = Tick.multiples(of: 20, in: scales.bandLevel)
    plot.drawFrame(
      x: Tick.thirdOctaves, y: levels, title: ear == .right ? "Third-octave level / dB SPL" : nil,
      hasZero: true, on: &page.picture)
    plot.horizontalTitle("Frequency / Hz", on: &page.picture)
    plot.line(rendering.outputLimit, Self.limitStroke, on: &page.picture)
    plot.line(rendering.input, Self.inputStroke, on: &page.picture)
    plot.line(rendering.output, Self.outputStroke(ear), on: &page.picture)
    let entries = [
      entry("input", .line(Self.inputStroke), rendering.input.isEmpty),
      entry("output", .line(Self.outputStroke(ear)), rendering.output.isEmpty),
      entry("limit", .line(Self.limitStroke), rendering.outputLimit.isEmpty),
    ]
    plot.drawHeading("Spectrum", entries.compactMap { $0 }, on: &page)
  }

  /// Input and output level, Fast, over the recording.
  func drawCourse(_ ear: Ear, on page: inout SheetPage) {
    let rendering = report.ears[ear]
    // Minutes from five on. An empty recording still has an axis.
    let (unit, length) = report.duration >= 300 ? ("min", 60.0) : ("s", 1)
    let end = report.duration.isFinite && report.duration > 0 ? report.duration / length : 1
    let plot = Plot(
      in: frame(ear, top: Self.courseTop, height: Self.courseHeight), x: 0...end, .linear, y: scales.level)
    let times = Tick.multiples(of: Tick.step(dividing: end, into: 8), in: 0...end)
    let levels = Tick.multiples(of: 20, in: scales.level)
    plot.drawFrame(
      x: times, y: levels, title: ear == .right ? "Level / dB SPL" : nil, hasZero: true, on: &page.picture)
    plot.horizontalTitle("Time / " + unit, on: &page.picture)
    let input = Stroke(colour: .mutedInk, width: 0.8, dashes: [3.2, 1.8])
    let output = Stroke(colour: .ear(ear), width: 1)
    plot.line(rendering.inputCourse.map { point($0, length) }, input, on: &page.picture)
    plot.line(rendering.outputCourse.map { point($0, length) }, output, on: &page.picture)
    let entries = [
      entry("input", .line(input), rendering.inputCourse.isEmpty),
      entry("output", .line(output), rendering.outputCourse.isEmpty),
    ]
    plot.drawHeading("Level, Fast", entries.compactMap { $0 }, on: &page)
  }

  // MARK: - Parts

  private func entry(_ text: String, _ sample: Legend.Sample, _ isEmpty: Bool) -> Legend.Entry? {
    isEmpty ? nil : Legend.Entry(sample: sample, text: text)
  }

  /// Place of a level in units of time `length` s long. Silence lies on the floor of the plot rather than
  /// nowhere.
  private func point(_ sample: CurvePoint, _ length: Double) -> CurvePoint {
    let floor = scales.level.lowerBound
    return CurvePoint(x: sample.x / length, y: max(sample.y, floor))
  }
}
