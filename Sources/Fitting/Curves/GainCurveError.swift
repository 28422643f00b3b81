/// Why knots do not make a gain curve.
public enum GainCurveError: Error, Equatable {
  /// Not 1…16 knots.
  case knotCountOutOfRange(Int)
  /// A knot does not lie above the one before it, or its level is not finite; `index` is the first such.
  case unorderedKnot(index: Int)
  /// A gain outside −100…100 dB, or not a number; `index` is the first such.
  case gainOutOfRange(index: Int, gain: Double)
  /// A slope that is not finite.
  case slopeNotFinite
}
