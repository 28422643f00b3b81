import Acoustics
import Glibc

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
  func drawGain(_ ear: Ear, _ metrics: borrowing TextMetrics, on picture: inout Picture) {
    let rendering = report.ears[ear]
    let plot = Plot(
      in: frame(ear, top: Self.gainTop, height: Self.gainHeight), x: ReportScales.frequencies, .logarithmic,
      y: scales.gain)
    let target = Stroke(colour: .ink, width: 1.3)
    let span = scales.gain.upperBound - scales.gain.lowerBound
    let levels = Tick.multiples(of: Tick.step(dividing: span, into: 8), in: scales.gain)
    drawFrame(plot, x: Self.frequencyTicks, y: levels, "Insertion gain / dB", ear, on: &picture)
    plot.horizontalTitle("Frequency / Hz", on: &picture)
    plot.line(rendering.targetGain.map(\.point), target, on: &picture)
    plot.markers(rendering.achievedGain.map(\.point), Self.gainSymbol(ear), on: &picture)
    let entries = [
      entry("target", .line(target), rendering.targetGain.isEmpty),
      entry("measured", .marker(Self.gainSymbol(ear)), rendering.achievedGain.isEmpty),
    ]
    drawHeading("Gain", entries.compactMap { $0 }, above: plot.frame, metrics, on: &picture)
  }

  /// Third-octave levels before and after, between what the listener cannot hear and what the limiter lets
  /// through.
  func drawSpectrum(_ ear: Ear, _ metrics: borrowing TextMetrics, on picture: inout Picture) {
    let rendering = report.ears[ear]
    let plot = Plot(
      in: frame(ear, top: Self.spectrumTop, height: Self.spectrumHeight), x: ReportScales.frequencies,
      .logarithmic, y: scales.bandLevel)
    // The area lies below the grid, which would otherwise end at its edge.
    plot.area(below: rendering.threshold.map(\.point), .inaudible, on: &picture)
    let levels = Tick.multiples(of: 20, in: scales.bandLevel)
    drawFrame(plot, x: Self.frequencyTicks, y: levels, "Third-octave level / dB SPL", ear, on: &picture)
    plot.horizontalTitle("Frequency / Hz", on: &picture)
    plot.line(rendering.outputLimit.map(\.point), Self.limitStroke, on: &picture)
    plot.line(rendering.input.map(\.point), Self.inputStroke, on: &picture)
    plot.line(rendering.output.map(\.point), Self.outputStroke(ear), on: &picture)
    let entries = [
      entry("inaudible", .area(.inaudible), rendering.threshold.isEmpty),
      entry("input", .line(Self.inputStroke), rendering.input.isEmpty),
      entry("output", .line(Self.outputStroke(ear)), rendering.output.isEmpty),
      entry("limit", .line(Self.limitStroke), rendering.outputLimit.isEmpty),
    ]
    drawHeading("Spectrum", entries.compactMap { $0 }, above: plot.frame, metrics, on: &picture)
  }

  /// Input and output level, Fast, over the recording.
  func drawCourse(_ ear: Ear, _ metrics: borrowing TextMetrics, on picture: inout Picture) {
    let rendering = report.ears[ear]
    // Minutes from five on. An empty recording still has an axis.
    let (unit, length) = report.duration >= 300 ? ("min", 60.0) : ("s", 1)
    let end = report.duration.isFinite && report.duration > 0 ? report.duration / length : 1
    let plot = Plot(
      in: frame(ear, top: Self.courseTop, height: Self.courseHeight), x: 0...end, .linear, y: scales.level)
    let times = Tick.multiples(of: Tick.step(dividing: end, into: 8), in: 0...end)
    let levels = Tick.multiples(of: 20, in: scales.level)
    drawFrame(plot, x: times, y: levels, "Level / dB SPL", ear, on: &picture)
    plot.horizontalTitle("Time / " + unit, on: &picture)
    let input = Stroke(colour: .mutedInk, width: 0.8, dashes: [3.2, 1.8])
    let output = Stroke(colour: .ear(ear), width: 1)
    plot.line(rendering.inputCourse.map { point($0, length) }, input, on: &picture)
    plot.line(rendering.outputCourse.map { point($0, length) }, output, on: &picture)
    let entries = [
      entry("input", .line(input), rendering.inputCourse.isEmpty),
      entry("output", .line(output), rendering.outputCourse.isEmpty),
    ]
    drawHeading("Level, Fast", entries.compactMap { $0 }, above: plot.frame, metrics, on: &picture)
  }

  // MARK: - Parts

  /// Octaves with numbers; the third octaves between them, which the data stand on, as faint lines.
  static let frequencyTicks: [Tick] = {
    // Base-two third octaves around 1 kHz (IEC 61260-1): 100 Hz is 10 bands below, 10 kHz 10 above.
    let thirds = (-10...10).filter { $0 % 3 != 0 }.map {
      Tick(value: 1000 * pow(2, Double($0) / 3), isMinor: true)
    }
    return Tick.octaves + thirds
  }()

  private func drawFrame(
    _ plot: Plot, x: [Tick], y: [Tick], _ title: String, _ ear: Ear, on picture: inout Picture
  ) {
    plot.grid(x: x, y: y, on: &picture)
    if plot.vertical.contains(0), plot.vertical.lower < 0 {
      let zero = plot.vertical.position(0)
      picture.stroke(.line(Point(x: plot.frame.minX, y: zero), Point(x: plot.frame.maxX, y: zero)), .frame)
    }
    plot.outline(on: &picture)
    plot.labels(x: x, on: &picture)
    plot.labels(y: y, on: &picture)
    if ear == .right { plot.verticalTitle(title, on: &picture) }
  }

  private func entry(_ text: String, _ sample: Legend.Sample, _ isEmpty: Bool) -> Legend.Entry? {
    isEmpty ? nil : Legend.Entry(sample: sample, text: text)
  }

  /// Place of a level in units of time `length` s long. Silence lies on the floor of the plot rather than
  /// nowhere.
  private func point(_ sample: LevelSample, _ length: Double) -> DataPoint {
    let floor = scales.level.lowerBound
    return DataPoint(x: sample.time / length, y: sample.level < floor ? floor : sample.level)
  }
}
