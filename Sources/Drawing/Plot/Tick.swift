import Glibc

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
