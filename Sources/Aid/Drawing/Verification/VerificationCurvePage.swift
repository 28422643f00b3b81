import Acoustics

/// Both ears' curves on one page, five plots below each other.
struct VerificationCurvePage {
  private let report: VerificationReport
  private let gain: ClosedRange<Double>
  private let output: ClosedRange<Double>
  private let delay: ClosedRange<Double>

  private static let left = 60.0
  private static let gutter = 34.0
  private static let width = (SheetPage.width - left - 26 - gutter) / 2
  private static let top = 98.0
  private static let height = 98.0
  private static let distance = 146.0

  /// In place of colours, which belong to the ears: a pattern for each series.
  private static let patterns: [[Double]] = [[], [4, 2], [6, 1.6, 1.2, 1.6], [1.2, 1.6], [8, 3]]

  init(_ report: VerificationReport) {
    self.report = report
    let ears = [report.ears.right, report.ears.left].compactMap(\.self)
    var (gains, outputs): ([Double], [Double]) = ([], [])
    for ear in ears {
      for curve in ear.gains { gains += (curve.measured + curve.target).map(\.level) }
      for curve in [ear.response, ear.loudResponse, ear.speechInput.valleys, ear.speechOutput.peaks] {
        outputs += curve.map(\.level)
      }
      for curve in ear.inputOutput { outputs += curve.inputs + curve.outputs }
    }
    gain = ReportScales.range(gains, step: 10, least: 0...30, span: 120)
    output = ReportScales.range(outputs, step: 20, least: 20...100, span: 140)
    delay = ReportScales.range(
      ears.flatMap { $0.delays.map(\.level) }, step: 0.5, least: -0.5...1, span: 20)
  }

  func picture() -> Picture {
    var page = SheetPage(title: "Auricle: curves of " + report.title)
    page.line("Curves", at: Point(x: SheetPage.left, y: 50), width: 120, .title)
    page.line(
      report.title, at: Point(x: SheetPage.left + 130, y: 50), width: SheetPage.contentWidth - 130,
      TextStyle(size: 8, colour: .mutedInk))
    for ear in [Ear.right, .left] {
      page.picture.add(
        Label(
          text: ear == .right ? "Right ear" : "Left ear", place: Point(x: x(ear), y: 72),
          style: TextStyle(size: 10.5, isBold: true, colour: .ear(ear))))
      guard let curves = report.ears[ear] else {
        page.line(
          "not measured", at: Point(x: x(ear), y: 100), width: Self.width, TextStyle.note)
        continue
      }
      drawGain(ear, curves, on: &page)
      drawResponse(ear, curves, on: &page)
      drawInputOutput(ear, curves, on: &page)
      drawSpeech(ear, curves, on: &page)
      drawDelay(ear, curves, on: &page)
    }
    return page.finish()
  }

  private func x(_ ear: Ear) -> Double {
    ear == .right ? Self.left : Self.left + Self.width + Self.gutter
  }

  private func frame(_ ear: Ear, _ row: Int) -> Rectangle {
    Rectangle(
      x: x(ear), y: Self.top + Self.distance * Double(row), width: Self.width, height: Self.height)
  }

  // MARK: - Plots

  private func stroke(_ ear: Ear, _ index: Int, width: Double = 1.2) -> Stroke {
    Stroke(
      colour: .ear(ear), width: width, dashes: Self.patterns[min(index, Self.patterns.count - 1)])
  }

  private func drawGain(_ ear: Ear, _ curves: VerificationCurves, on page: inout SheetPage) {
    let plot = byFrequency(ear, 0, gain, step: 10, "Insertion gain / dB", on: &page)
    let target = Stroke(colour: .mutedInk, width: 0.9, dashes: [2, 1.5])
    var entries: [Legend.Entry] = []
    for (index, gain) in curves.gains.enumerated() {
      plot.line(gain.target.map(\.point), target, on: &page.picture)
      plot.line(gain.measured.map(\.point), stroke(ear, index), on: &page.picture)
      entries.append(.init(sample: .line(stroke(ear, index)), text: gain.name))
    }
    heading("Gain for speech", entries + [.init(sample: .line(target), text: "target")], plot, on: &page)
  }

  private func drawResponse(_ ear: Ear, _ curves: VerificationCurves, on page: inout SheetPage) {
    let plot = byFrequency(ear, 1, output, step: 20, "Output / dB SPL", on: &page)
    plot.line(curves.response.map(\.point), stroke(ear, 1), on: &page.picture)
    plot.line(curves.loudResponse.map(\.point), stroke(ear, 0), on: &page.picture)
    heading(
      "Response to tones",
      [
        .init(sample: .line(stroke(ear, 0)), text: "90, OSPL90"),
        .init(sample: .line(stroke(ear, 1)), text: "60 dB SPL"),
      ], plot, on: &page)
  }

  private func drawInputOutput(_ ear: Ear, _ curves: VerificationCurves, on page: inout SheetPage) {
    let plot = Plot(in: frame(ear, 2), x: 35...105, .linear, y: output)
    let levels = Tick.multiples(of: 10, in: 35...105)
    drawFrame(plot, ear, x: levels, y: Tick.multiples(of: 20, in: output), "Output / dB SPL", on: &page)
    plot.horizontalTitle("Input / dB SPL", on: &page.picture)
    var entries: [Legend.Entry] = []
    for (index, curve) in curves.inputOutput.enumerated() {
      let points = zip(curve.inputs, curve.outputs).map { DataPoint(x: $0, y: $1) }
      let style = Stroke(
        colour: index == 4 ? .mutedInk : .ear(ear), width: 1, dashes: Self.patterns[min(index, 4)])
      plot.line(points, style, on: &page.picture)
      entries.append(.init(sample: .line(style), text: curve.name))
    }
    heading("I/O of tones", entries, plot, on: &page)
  }

  private func drawSpeech(_ ear: Ear, _ curves: VerificationCurves, on page: inout SheetPage) {
    let plot = byFrequency(ear, 3, output, step: 20, "Third octave / dB SPL", on: &page)
    let input = Stroke(colour: .mutedInk, width: 0.9, dashes: [3.2, 1.8])
    for (speech, isOutput) in [(curves.speechInput, false), (curves.speechOutput, true)] {
      for (index, line) in [speech.peaks, speech.middle, speech.valleys].enumerated() {
        let width = index == 1 ? 1.6 : 0.9
        var style = isOutput ? stroke(ear, 0) : input
        style.width = width
        plot.line(line.map(\.point), style, on: &page.picture)
      }
    }
    heading(
      "Speech, 65 dB SPL: 99, 65, 30 %",
      [.init(sample: .line(input), text: "in"), .init(sample: .line(stroke(ear, 0)), text: "out")], plot,
      on: &page)
  }

  private func drawDelay(_ ear: Ear, _ curves: VerificationCurves, on page: inout SheetPage) {
    let span = delay.upperBound - delay.lowerBound
    let plot = byFrequency(
      ear, 4, delay, step: Tick.step(dividing: span, into: 6), "Delay / ms", on: &page)
    plot.line(curves.delays.map(\.point), stroke(ear, 0), on: &page.picture)
    heading("Delay of the chain beyond its block", [], plot, on: &page)
  }

  // MARK: - Parts

  private func byFrequency(
    _ ear: Ear, _ row: Int, _ range: ClosedRange<Double>, step: Double, _ title: String,
    on page: inout SheetPage
  ) -> Plot {
    let plot = Plot(in: frame(ear, row), x: ReportScales.frequencies, .logarithmic, y: range)
    drawFrame(
      plot, ear, x: RenderingReportDrawing.frequencyTicks, y: Tick.multiples(of: step, in: range), title,
      on: &page)
    plot.horizontalTitle("Frequency / Hz", on: &page.picture)
    return plot
  }

  private func drawFrame(
    _ plot: Plot, _ ear: Ear, x: [Tick], y: [Tick], _ title: String, on page: inout SheetPage
  ) {
    plot.grid(x: x, y: y, on: &page.picture)
    plot.outline(on: &page.picture)
    plot.labels(x: x, on: &page.picture)
    plot.labels(y: y, on: &page.picture)
    if ear == .right { plot.verticalTitle(title, on: &page.picture) }
  }

  private func heading(
    _ text: String, _ entries: [Legend.Entry], _ plot: Plot, on page: inout SheetPage
  ) {
    let y = plot.frame.minY - 7
    page.picture.add(Label(text: text, place: Point(x: plot.frame.minX, y: y), style: .heading))
    Legend(entries: entries).draw(
      endingAt: Point(x: plot.frame.maxX, y: y), page.metrics, on: &page.picture)
  }
}
