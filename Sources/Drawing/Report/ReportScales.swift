/// Ranges shared by the plots of both ears, so that the ears can be compared by eye.
struct ReportScales: Equatable {
  /// Frequencies shown, Hz: the third octaves from 100 Hz to 10 kHz and half a band beyond.
  static let frequencies = 88.0...11_300

  /// Insertion gain, dB.
  let gain: ClosedRange<Double>
  /// Band levels, dB SPL.
  let bandLevel: ClosedRange<Double>
  /// Levels over time, dB SPL.
  let level: ClosedRange<Double>

  init(_ report: RenderingReport) {
    let ears = [report.ears.right, report.ears.left]
    func shown(_ points: [SpectrumPoint]) -> [Double] {
      points.filter { Self.frequencies.contains($0.frequency) }.map(\.level)
    }
    gain = Self.range(
      ears.flatMap { shown($0.targetGain) + shown($0.achievedGain) }, step: 10, least: 0...30, span: 120)
    bandLevel = Self.range(
      ears.flatMap { shown($0.input) + shown($0.output) + shown($0.outputLimit) + shown($0.threshold) },
      step: 20, least: 20...100, span: 140)
    level = Self.range(
      ears.flatMap { ($0.inputCourse + $0.outputCourse).map(\.level) }, step: 20, least: 40...80, span: 100)
  }

  /// The multiples of `step` around the values and `least`; what lies more than `span` below the top falls
  /// off, so that digital silence does not press the rest flat.
  static func range(
    _ values: [Double], step: Double, least: ClosedRange<Double>, span: Double
  ) -> ClosedRange<Double> {
    // Levels beyond these are no sound (pressure below 1 pPa, or above an explosion): a mistake in the data
    // shall not stretch the axis.
    let finite = values.filter { $0 > -145 && $0 < 250 }
    // A tenth of a step above the highest value keeps a line off the frame.
    let highest = (finite.max() ?? least.lowerBound) + step / 10
    let top = (max(highest, least.upperBound) / step).rounded(.up) * step
    let bottom = (min(finite.min() ?? least.lowerBound, least.lowerBound) / step).rounded(.down) * step
    return max(bottom, top - span)...top
  }
}
