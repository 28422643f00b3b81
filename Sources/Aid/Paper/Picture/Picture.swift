/// A finished page: a list of marks in points, the same whichever file format it is written to.
///
/// Drawings make pictures, ``write(to:as:pixelWidth:)`` turns them into PNG, SVG or PDF.
///
/// - Threads: any.
package struct Picture: Equatable, Sendable {
  /// Page width, points (1/72 inch).
  package let width: Double
  /// Page height, points.
  package let height: Double
  /// Name for the document's properties (PDF).
  package let title: String

  /// Marks on the page, from the bottom to the top.
  var marks: [Mark] = []

  init(width: Double, height: Double, title: String) {
    precondition(width > 0 && height > 0, "a page has a width and a height")
    self.width = width
    self.height = height
    self.title = title
  }

  /// The whole page.
  var page: Rectangle { Rectangle(x: 0, y: 0, width: width, height: height) }

  mutating func stroke(_ path: Path, _ stroke: Stroke) { marks.append(.stroke(path, stroke)) }

  mutating func fill(_ path: Path, _ colour: Colour) { marks.append(.fill(path, colour)) }

  mutating func add(_ symbol: Symbol) { marks.append(.symbol(symbol)) }

  mutating func add(_ label: Label) {
    if !label.text.isEmpty { marks.append(.label(label)) }
  }

  /// Every label on the page, those in clipped parts included.
  var labels: [Label] {
    flatten(marks).compactMap { if case .label(let label) = $0 { label } else { nil } }
  }

  /// Every marker on the page.
  var symbols: [Symbol] {
    flatten(marks).compactMap { if case .symbol(let symbol) = $0 { symbol } else { nil } }
  }

  private func flatten(_ marks: [Mark]) -> [Mark] {
    marks.flatMap { mark in
      if case .clipped(_, let inner) = mark { flatten(inner) } else { [mark] }
    }
  }
}

/// A place on the page, in points (1/72 inch) from its upper left corner; y grows downwards.
struct Point: Equatable, Sendable {
  var x: Double
  var y: Double

  func shifted(x dx: Double = 0, y dy: Double = 0) -> Point { Point(x: x + dx, y: y + dy) }
}

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

/// Line of a path.
struct Stroke: Equatable, Sendable {
  var colour: Colour
  /// Points.
  var width = 0.8
  /// Lengths drawn and left out in turn, points; empty for a solid line.
  var dashes: [Double] = []

  static let grid = Stroke(colour: .grid, width: 0.5)
  static let faintGrid = Stroke(colour: .faintGrid, width: 0.5)
  static let frame = Stroke(colour: .frame, width: 0.6)
}
