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
