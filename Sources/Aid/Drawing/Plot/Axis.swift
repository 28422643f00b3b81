import Glibc

/// Maps a quantity to a distance on the page, straight or by its logarithm, in either direction.
struct Axis: Equatable, Sendable {
  enum Scale: Sendable { case linear, logarithmic }

  let scale: Scale
  /// Smallest value shown.
  let lower: Double
  /// Greatest value shown.
  let upper: Double
  /// Where ``lower`` lies, points.
  let start: Double
  /// Where ``upper`` lies, points. Smaller than ``start`` on an axis that runs left or up the page.
  let end: Double

  /// - Parameters:
  ///   - range: Values shown; above zero where the scale is logarithmic.
  ///   - start: Page coordinate of the range's lower bound, points.
  ///   - end: Page coordinate of its upper bound, points.
  init(_ scale: Scale, _ range: ClosedRange<Double>, from start: Double, to end: Double) {
    precondition(range.lowerBound < range.upperBound, "an axis shows more than one value")
    precondition(scale == .linear || range.lowerBound > 0, "a logarithmic axis starts above zero")
    self.scale = scale
    lower = range.lowerBound
    upper = range.upperBound
    self.start = start
    self.end = end
  }

  /// Page coordinate of a value, points: `start + (end − start) · t` with
  /// `t = (v − lower) / (upper − lower)`, or the same of the logarithms. Outside the range it goes on.
  func position(_ value: Double) -> Double {
    let t =
      switch scale {
      case .linear: (value - lower) / (upper - lower)
      case .logarithmic: log(value / lower) / log(upper / lower)
      }
    return start + (end - start) * t
  }

  /// True when the value lies on the axis; false for what is not a number.
  func contains(_ value: Double) -> Bool { value >= lower && value <= upper }
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
      Tick(value: $0 * step, label: Decimal.text($0 * step, places: places))
    }
  }

  /// A step of 1, 2 or 5 times a power of ten that divides `span` into at most `count` parts.
  static func step(dividing span: Double, into count: Int) -> Double {
    let exact = span / Double(count)
    let power = pow(10, log10(exact).rounded(.down))
    // The billionth forgives rounding in a span that divides evenly.
    let factor = [1.0, 2, 5, 10].first { $0 * power >= exact * (1 - 1e-9) } ?? 10
    return factor * power
  }

  /// The octaves of the audiogram, 125 Hz and its doubles, labelled as audiograms are.
  static let octaves = [125.0, 250, 500, 1000, 2000, 4000, 8000, 16_000].map {
    Tick(value: $0, label: $0 < 1000 ? Decimal.text($0) : Decimal.text($0 / 1000) + "k")
  }

  /// The half-octave audiometric frequencies, unlabelled (ISO 8253-1).
  static let halfOctaves = [750.0, 1500, 3000, 6000, 12_000].map { Tick(value: $0, isMinor: true) }

  /// Those on the axis.
  static func on(_ axis: Axis, _ ticks: [Tick]) -> [Tick] { ticks.filter { axis.contains($0.value) } }
}

/// A value in the units of a plot's axes.
struct DataPoint: Equatable, Sendable {
  var x: Double
  var y: Double
}

/// Numbers as they are printed: a true minus sign, a fixed count of decimals.
enum Decimal {
  /// - Parameter places: Decimals, 0…6.
  static func text(_ value: Double, places: Int = 0) -> String {
    precondition((0...6).contains(places))
    guard value.isFinite, abs(value) < 1e12 else { return "–" }
    let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
    let scaled = Int((abs(value) * Double(scale)).rounded())
    var text = String(scaled / scale)
    if places > 0 {
      let fraction = String(scaled % scale)
      text += "." + String(repeating: "0", count: places - fraction.count) + fraction
    }
    return value < 0 && scaled != 0 ? "−" + text : text
  }
}
