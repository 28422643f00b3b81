/// A place on the page, in points (1/72 inch) from its upper left corner; y grows downwards.
struct Point: Equatable, Sendable {
  var x: Double
  var y: Double

  func shifted(x dx: Double = 0, y dy: Double = 0) -> Point { Point(x: x + dx, y: y + dy) }
}
