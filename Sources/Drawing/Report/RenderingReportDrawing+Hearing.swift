import Acoustics

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
    for (row, figure) in figures(ear).prefix(5).enumerated() {
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

  /// Hearing and levels first, then what the report adds.
  func figures(_ ear: Ear) -> [KeyFigure] {
    let rendering = report.ears[ear]
    var figures: [KeyFigure] = []
    if let average = rendering.audiogram?.pureToneAverage {
      figures.append(KeyFigure(name: "Pure-tone average", value: Decimal.text(average.decibels) + " dB HL"))
    }
    if let level = rendering.inputLevel {
      figures.append(KeyFigure(name: "Input level", value: Self.text(level)))
    }
    if let level = rendering.outputLevel {
      figures.append(KeyFigure(name: "Output level", value: Self.text(level)))
    }
    if let peak = rendering.outputCourse.map(\.level).filter(\.isFinite).max() {
      figures.append(
        KeyFigure(name: "Loudest output, Fast", value: Self.text(peak)))
    }
    return figures + rendering.figures
  }

  private static func text(_ level: Double) -> String {
    level == -.infinity ? "silence" : Decimal.text(level, places: 1) + " dB SPL"
  }
}
