import Acoustics
import Laboratory

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
      in: frame(ear, top: Self.gainTop, height: Self.gainHeight), x: Axis.frequencies, .logarithmic,
      y: scales.gain)
    let target = Stroke(colour: .ink, width: 1.3)
    let span = scales.gain.upperBound - scales.gain.lowerBound
    let levels = Tick.multiples(of: Tick.step(dividing: span, into: 8), in: scales.gain)
    plot.drawFrame(
      x: Tick.thirdOctaves, y: levels, title: ear == .right ? "Insertion gain / dB" : nil, hasZero: true,
      on: &picture)
    plot.horizontalTitle("Frequency / Hz", on: &picture)
    plot.line(rendering.targetGain, target, on: &picture)
    plot.markers(rendering.achievedGain, Self.gainSymbol(ear), on: &picture)
    let entries = [
      entry("target", .line(target), rendering.targetGain.isEmpty),
      entry("measured", .marker(Self.gainSymbol(ear)), rendering.achievedGain.isEmpty),
    ]
    plot.drawHeading("Gain", entries.compactMap { $0 }, metrics, on: &picture)
  }

  /// Third-octave levels of input and output below the limit.
  func drawSpectrum(_ ear: Ear, _ metrics: borrowing TextMetrics, on picture: inout Picture) {
    let rendering = report.ears[ear]
    let plot = Plot(
      in: frame(ear, top: Self.spectrumTop, height: Self.spectrumHeight), x: Axis.frequencies,
      .logarithmic, y: scales.bandLevel)
    let levels = Tick.multiples(of: 20, in: scales.bandLevel)
    plot.drawFrame(
      x: Tick.thirdOctaves, y: levels, title: ear == .right ? "Third-octave level / dB SPL" : nil,
      hasZero: true, on: &picture)
    plot.horizontalTitle("Frequency / Hz", on: &picture)
    plot.line(rendering.outputLimit, Self.limitStroke, on: &picture)
    plot.line(rendering.input, Self.inputStroke, on: &picture)
    plot.line(rendering.output, Self.outputStroke(ear), on: &picture)
    let entries = [
      entry("input", .line(Self.inputStroke), rendering.input.isEmpty),
      entry("output", .line(Self.outputStroke(ear)), rendering.output.isEmpty),
      entry("limit", .line(Self.limitStroke), rendering.outputLimit.isEmpty),
    ]
    plot.drawHeading("Spectrum", entries.compactMap { $0 }, metrics, on: &picture)
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
    plot.drawFrame(
      x: times, y: levels, title: ear == .right ? "Level / dB SPL" : nil, hasZero: true, on: &picture)
    plot.horizontalTitle("Time / " + unit, on: &picture)
    let input = Stroke(colour: .mutedInk, width: 0.8, dashes: [3.2, 1.8])
    let output = Stroke(colour: .ear(ear), width: 1)
    plot.line(rendering.inputCourse.map { point($0, length) }, input, on: &picture)
    plot.line(rendering.outputCourse.map { point($0, length) }, output, on: &picture)
    let entries = [
      entry("input", .line(input), rendering.inputCourse.isEmpty),
      entry("output", .line(output), rendering.outputCourse.isEmpty),
    ]
    plot.drawHeading("Level, Fast", entries.compactMap { $0 }, metrics, on: &picture)
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
