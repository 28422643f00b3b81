/// An upright part of the page, in points.
struct Rectangle: Equatable, Sendable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  var minX: Double { x }
  var maxX: Double { x + width }
  var midX: Double { x + width / 2 }
  var minY: Double { y }
  var maxY: Double { y + height }
  var midY: Double { y + height / 2 }

  /// This rectangle with every side moved inwards by `margin`, points; outwards when negative.
  func inset(by margin: Double) -> Rectangle {
    Rectangle(x: x + margin, y: y + margin, width: width - 2 * margin, height: height - 2 * margin)
  }

  func contains(_ other: Rectangle) -> Bool {
    other.minX >= minX && other.maxX <= maxX && other.minY >= minY && other.maxY <= maxY
  }

  /// True when the two share an area, not merely an edge.
  func overlaps(_ other: Rectangle) -> Bool {
    minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
  }
}
