import Base
import Glibc

/// Maps a quantity to a distance on the page, straight or by its logarithm, in either direction.
struct Axis: Equatable, Sendable {
  enum Scale: Sendable { case linear, logarithmic }

  let scale: Scale
  /// Values shown; above zero where the scale is logarithmic.
  let range: ClosedRange<Double>
  /// Place of the smallest value, points.
  let start: Double
  /// Place of the greatest value, points. Smaller than ``start`` on an axis that runs left or up the page.
  let end: Double

  init(_ scale: Scale, _ range: ClosedRange<Double>, from start: Double, to end: Double) {
    precondition(range.lowerBound < range.upperBound, "an axis shows more than one value")
    precondition(scale == .linear || range.lowerBound > 0, "a logarithmic axis starts above zero")
    (self.scale, self.range, self.start, self.end) = (scale, range, start, end)
  }

  /// Page coordinate of a value, points: `start + (end − start) · t` with
  /// `t = (v − lower) / (upper − lower)`, or the same of the logarithms. Outside the range it goes on.
  func position(_ value: Double) -> Double {
    let (lower, upper) = (range.lowerBound, range.upperBound)
    let t =
      switch scale {
      case .linear: (value - lower) / (upper - lower)
      case .logarithmic: log(value / lower) / log(upper / lower)
      }
    return start + (end - start) * t
  }

  /// Frequencies shown, Hz: the third octaves from 100 Hz to 10 kHz and half a band beyond.
  static let frequencies = 88.0...11_300

  /// Levels, dB. Beyond these there is no sound (pressure below 1 pPa, or above an explosion).
  static let levels = -145.0...250

  /// The multiples of `step` around the values and `least`; what lies more than `span` below the top falls
  /// off, so that digital silence does not press the rest flat.
  ///
  /// - Parameter plausible: Values beyond are left out: a mistake in the data shall not stretch the axis.
  static func range(
    _ values: [Double], step: Double, least: ClosedRange<Double>, span: Double,
    plausible: ClosedRange<Double> = Self.levels
  ) -> ClosedRange<Double> {
    let known = values.filter { plausible.contains($0) }
    // A tenth of a step above the highest value keeps a line off the frame.
    let highest = (known.max() ?? least.lowerBound) + step / 10
    let top = (max(highest, least.upperBound) / step).rounded(.up) * step
    let bottom = (min(known.min() ?? least.lowerBound, least.lowerBound) / step).rounded(.down) * step
    return max(bottom, top - span)...top
  }

  /// True when the value lies on the axis; false for what is not a number.
  func contains(_ value: Double) -> Bool { range.contains(value) }
}

/// A value marked on an axis.
struct Tick: Equatable, Sendable {
  var value: Double
  /// Empty where only the line is wanted.
  var label = ""
  /// A faint line between the labelled ones.
  var isMinor = false

  /// Multiples of `step` inside the range, labelled.
  static func multiples(of step: Double, in range: ClosedRange<Double>) -> [Tick] {
    // A millionth of a step keeps a bound that is a multiple in spite of rounding.
    let first = (range.lowerBound / step - 1e-6).rounded(.up)
    let last = (range.upperBound / step + 1e-6).rounded(.down)
    guard first <= last else { return [] }
    let places = step >= 1 ? 0 : Int((-log10(step) - 1e-9).rounded(.up))
    return stride(from: first, through: last, by: 1).map {
      Tick(value: $0 * step, label: NumberText.fixed($0 * step, places))
    }
  }

  /// A step of 1, 2 or 5 times a power of ten that divides `span` into at most `count` parts.
  static func step(dividing span: Double, into count: Int) -> Double {
    let exact = span / Double(count)
    let power = pow(10, log10(exact).rounded(.down))
    // The billionth forgives rounding in a span that divides evenly.
    let least = exact * (1 - 1e-9)
    let factor = [1.0, 2, 5, 10].first { $0 * power >= least } ?? 10
    return factor * power
  }

  /// The octaves of the audiogram, 125 Hz and its doubles, labelled as audiograms are.
  static let octaves = [125.0, 250, 500, 1000, 2000, 4000, 8000, 16_000].map {
    Tick(value: $0, label: $0 < 1000 ? NumberText.fixed($0, 0) : NumberText.fixed($0 / 1000, 0) + "k")
  }

  /// The half-octave audiometric frequencies, unlabelled (ISO 8253-1).
  static let halfOctaves = [750.0, 1500, 3000, 6000, 12_000].map { Tick(value: $0, isMinor: true) }

  /// Octaves with numbers; the third octaves between them, which the data stand on, as faint lines.
  static let thirdOctaves: [Tick] = {
    // Base-two third octaves around 1 kHz (IEC 61260-1): 100 Hz is 10 bands below, 10 kHz 10 above.
    let thirds = (-10...10).filter { $0 % 3 != 0 }.map {
      Tick(value: 1000 * pow(2, Double($0) / 3), isMinor: true)
    }
    return octaves + thirds
  }()
}
