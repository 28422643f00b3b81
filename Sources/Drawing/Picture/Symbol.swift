/// A marker at a data point.
struct Symbol: Equatable, Sendable {
  var marker: Marker
  var centre: Point
  /// Diameter, points.
  var size = 5.0
  var colour: Colour
  /// Line width, points.
  var width = 1.1
  /// Painted inside closed outlines, so that the line that joins the points does not show through.
  var fill: Colour?
}
