import Acoustics
import Laboratory

/// Both ears' curves on one page, five plots below each other.
struct VerificationCurvePage {
  private let report: VerificationTable
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

  init(_ report: VerificationTable) {
    self.report = report
    var (gains, outputs): ([Double], [Double]) = ([], [])
    for ear in report.ears {
      for curve in ear.speechGains { gains += (curve.measured + curve.target).map(\.y) }
      for curve in [ear.response, ear.loudResponse] { outputs += curve.map(\.y) }
      outputs += Self.speech(ear).flatMap { [$0.input.valleys, $0.output.peaks] }
      for curve in ear.inputOutput { outputs += curve.curve.flatMap { [$0.x, $0.y] } }
    }
    gain = Axis.range(gains, step: 10, least: 0...30, span: 120)
    output = Axis.range(outputs, step: 20, least: 20...100, span: 140)
    delay = Axis.range(
      report.ears.flatMap { $0.delays.map { $0.y * 1000 } }, step: 0.5, least: -0.5...1, span: 20)
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
      guard let curves = report.ears.first(where: { $0.ear == ear }) else {
        page.line("not measured", at: Point(x: x(ear), y: 100), width: Self.width, TextStyle.note)
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
    Rectangle(x: x(ear), y: Self.top + Self.distance * Double(row), width: Self.width, height: Self.height)
  }

  // MARK: - Plots

  private func stroke(_ ear: Ear, _ index: Int, width: Double = 1.2) -> Stroke {
    Stroke(colour: .ear(ear), width: width, dashes: Self.patterns[min(index, Self.patterns.count - 1)])
  }

  private func drawGain(_ ear: Ear, _ curves: EarMeasurements, on page: inout SheetPage) {
    let plot = byFrequency(ear, 0, gain, step: 10, "Insertion gain / dB", on: &page)
    let target = Stroke(colour: .mutedInk, width: 0.9, dashes: [2, 1.5])
    var entries: [Legend.Entry] = []
    for (index, gain) in curves.speechGains.enumerated() {
      plot.line(gain.target, target, on: &page.picture)
      plot.line(gain.measured, stroke(ear, index), on: &page.picture)
      entries.append(.init(sample: .line(stroke(ear, index)), text: "\(Int(gain.level))"))
    }
    plot.drawHeading(
      "Gain for speech", entries + [.init(sample: .line(target), text: "target")], distance: 7,
      on: &page)
  }

  private func drawResponse(_ ear: Ear, _ curves: EarMeasurements, on page: inout SheetPage) {
    let plot = byFrequency(ear, 1, output, step: 20, "Output / dB SPL", on: &page)
    plot.line(curves.response, stroke(ear, 1), on: &page.picture)
    plot.line(curves.loudResponse, stroke(ear, 0), on: &page.picture)
    plot.drawHeading(
      "Response to tones",
      [
        .init(sample: .line(stroke(ear, 0)), text: "90, OSPL90"),
        .init(sample: .line(stroke(ear, 1)), text: "60 dB SPL"),
      ],
      distance: 7, on: &page)
  }

  private func drawInputOutput(_ ear: Ear, _ curves: EarMeasurements, on page: inout SheetPage) {
    let plot = Plot(in: frame(ear, 2), x: 35...105, .linear, y: output)
    plot.drawFrame(
      x: Tick.multiples(of: 10, in: 35...105), y: Tick.multiples(of: 20, in: output),
      title: ear == .right ? "Output / dB SPL" : nil, below: "Input / dB SPL", on: &page.picture)
    var entries: [Legend.Entry] = []
    for (index, curve) in curves.inputOutput.enumerated() {
      let style = Stroke(
        colour: index == 4 ? .mutedInk : .ear(ear), width: 1, dashes: Self.patterns[min(index, 4)])
      plot.line(curve.curve, style, on: &page.picture)
      entries.append(.init(sample: .line(style), text: Self.name(curve)))
    }
    plot.drawHeading("I/O of tones", entries, distance: 7, on: &page)
  }

  private func drawSpeech(_ ear: Ear, _ curves: EarMeasurements, on page: inout SheetPage) {
    let plot = byFrequency(ear, 3, output, step: 20, "Third octave / dB SPL", on: &page)
    let input = Stroke(colour: .mutedInk, width: 0.9, dashes: [3.2, 1.8])
    typealias Percentiles = SpeechDynamics.Percentiles
    let sides: [(KeyPath<SpeechDynamics.Band, Percentiles>, Stroke)] = [
      (\.input, input), (\.output, stroke(ear, 0)),
    ]
    let percentiles: [KeyPath<Percentiles, Double>] = [\.peaks, \.middle, \.valleys]
    for (side, stroke) in sides {
      for (index, percentile) in percentiles.enumerated() {
        var style = stroke
        style.width = index == 1 ? 1.6 : 0.9
        let points = Self.speech(curves).map {
          CurvePoint(x: $0.frequency, y: $0[keyPath: side][keyPath: percentile])
        }
        plot.line(points, style, on: &page.picture)
      }
    }
    plot.drawHeading(
      "Speech, 65 dB SPL: 99, 65, 30 %",
      [.init(sample: .line(input), text: "in"), .init(sample: .line(stroke(ear, 0)), text: "out")],
      distance: 7, on: &page)
  }

  private func drawDelay(_ ear: Ear, _ curves: EarMeasurements, on page: inout SheetPage) {
    let span = delay.upperBound - delay.lowerBound
    let plot = byFrequency(ear, 4, delay, step: Tick.step(dividing: span, into: 6), "Delay / ms", on: &page)
    plot.line(curves.delays.map { CurvePoint(x: $0.x, y: $0.y * 1000) }, stroke(ear, 0), on: &page.picture)
    plot.drawHeading("Delay of the chain beyond its block", [], distance: 7, on: &page)
  }

  // MARK: - Parts

  /// Percentiles of speech of 65 dB SPL by third octave.
  private static func speech(_ curves: EarMeasurements) -> [SpeechDynamics.Band] {
    curves.speech.first { $0.level == 65 }?.bands ?? []
  }

  /// "500", "1k", "noise".
  private static func name(_ curve: EarMeasurements.InputOutput) -> String {
    curve.frequency.map { $0 < 1000 ? "\(Int($0))" : "\(Int($0 / 1000))k" } ?? "noise"
  }

  private func byFrequency(
    _ ear: Ear, _ row: Int, _ range: ClosedRange<Double>, step: Double, _ title: String,
    on page: inout SheetPage
  ) -> Plot {
    Plot.byFrequency(
      in: frame(ear, row), y: range, step: step, title: ear == .right ? title : nil, on: &page.picture)
  }
}
