import Acoustics
import Base

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
    let metrics = TextMetrics()
    var picture = Picture(width: Self.width, height: Self.height, title: "Auricle: " + report.inputName)
    drawHeader(metrics, on: &picture)
    for ear in [Ear.right, .left] {
      drawEarName(ear, on: &picture)
      drawAudiogram(ear, metrics, on: &picture)
      drawGain(ear, metrics, on: &picture)
      drawSpectrum(ear, metrics, on: &picture)
      drawCourse(ear, metrics, on: &picture)
    }
    drawCaption(metrics, on: &picture)
    return picture
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

  private func drawHeader(_ metrics: borrowing TextMetrics, on picture: inout Picture) {
    let x = Self.leftMargin - 34
    let room = Self.width - Self.rightMargin - x
    func line(_ text: String, y: Double, _ style: TextStyle) {
      let text = metrics.shortened(text, to: room, style)
      picture.add(Label(text: text, place: Point(x: x, y: y), style: style))
    }
    line(report.inputName, y: 40, .title)
    let seconds = NumberText.fixed(report.duration, report.duration < 100 ? 1 : 0)
    let rate = NumberText.fixed(report.sampleRate / 1000, 1)
    let program = report.programName.map { ", program \($0)" } ?? ""
    line(
      "Audiogram \(report.audiogramName), rule \(report.ruleName)\(program), \(seconds) s at \(rate) kHz",
      y: 57, .body)
    line("Calibration \(report.calibration)", y: 70, .note)
    picture.stroke(
      .line(Point(x: x, y: 80), Point(x: Self.width - Self.rightMargin, y: 80)), .frame)
  }

  /// Notes on reading the page.
  private func drawCaption(_ metrics: borrowing TextMetrics, on picture: inout Picture) {
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
      let place = Point(x: x, y: 814 + 11 * Double(index))
      picture.add(Label(text: metrics.shortened(line, to: room, .note), place: place, style: .note))
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
  func drawAudiogram(_ ear: Ear, _ metrics: borrowing TextMetrics, on picture: inout Picture) {
    var audiograms = Binaural<Audiogram?>(both: nil)
    audiograms[ear] = report.ears[ear].audiogram
    let drawing = AudiogramDrawing(audiograms)
    let corner = Point(x: column(ear), y: Self.audiogramTop)
    let plot = drawing.plot(at: corner, height: Self.audiogramWidth / drawing.proportion)
    drawing.drawFrame(plot, isSmall: true, isFirst: ear == .right, on: &picture)
    drawing.drawPoints([ear], in: plot, size: 6.5, on: &picture)
    if audiograms[ear] == nil {
      picture.add(
        Label(
          text: "no audiogram", place: Point(x: plot.frame.midX, y: plot.frame.midY), style: .note,
          alignment: .centre, height: .middle))
    }
    drawFigures(ear, from: plot.frame.maxX + 16, metrics, on: &picture)
  }

  /// Name over value, one below the other.
  private func drawFigures(
    _ ear: Ear, from x: Double, _ metrics: borrowing TextMetrics, on picture: inout Picture
  ) {
    let room = column(ear) + Self.columnWidth - x
    let value = TextStyle(size: 9.5, isBold: true)
    for (row, figure) in figures(ear).enumerated() {
      let y = Self.audiogramTop + 8 + Double(row) * 26
      picture.add(
        Label(text: metrics.shortened(figure.name, to: room, .note), place: Point(x: x, y: y), style: .note)
      )
      picture.add(
        Label(
          text: metrics.shortened(figure.value, to: room, value), place: Point(x: x, y: y + 12),
          style: value))
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
