/// A finished page: a list of marks in points, the same whichever file format it is written to.
///
/// Drawings make pictures, ``write(to:pixelWidth:followedBy:)`` turns them into PNG, SVG or PDF.
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

  /// True when the two share an area, not merely an edge. A millionth of a point is rounding.
  func overlaps(_ other: Rectangle) -> Bool {
    let inner = inset(by: 1e-6)
    return inner.minX < other.maxX && other.minX < inner.maxX && inner.minY < other.maxY
      && other.minY < inner.maxY
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

/// Outlines to stroke or fill.
struct Path: Equatable, Sendable {
  enum Element: Equatable, Sendable {
    case move(Point)
    case line(Point)
    /// A full circle as an outline of its own.
    case circle(centre: Point, radius: Double)
    case close
  }

  var elements: [Element] = []

  /// Straight lines from point to point.
  static func polyline(_ points: [Point], isClosed: Bool = false) -> Path {
    guard let first = points.first else { return Path() }
    var path = Path(elements: [.move(first)])
    path.elements += points.dropFirst().map { .line($0) }
    if isClosed { path.elements.append(.close) }
    return path
  }

  static func line(_ start: Point, _ end: Point) -> Path { polyline([start, end]) }

  static func circle(_ centre: Point, radius: Double) -> Path {
    Path(elements: [.circle(centre: centre, radius: radius)])
  }

  static func rectangle(_ rectangle: Rectangle) -> Path {
    polyline(
      [
        Point(x: rectangle.minX, y: rectangle.minY), Point(x: rectangle.maxX, y: rectangle.minY),
        Point(x: rectangle.maxX, y: rectangle.maxY), Point(x: rectangle.minX, y: rectangle.maxY),
      ], isClosed: true)
  }

  /// Both paths drawn as one.
  static func + (left: Path, right: Path) -> Path { Path(elements: left.elements + right.elements) }

  /// The smallest rectangle around the outline.
  var extent: Rectangle {
    var corners: [Point] = []
    for element in elements {
      switch element {
      case .move(let point), .line(let point): corners.append(point)
      case .circle(let centre, let r):
        corners += [centre.shifted(x: -r, y: -r), centre.shifted(x: r, y: r)]
      case .close: break
      }
    }
    let (x, y) = (corners.map(\.x), corners.map(\.y))
    guard let left = x.min(), let right = x.max(), let top = y.min(), let bottom = y.max() else {
      return Rectangle(x: 0, y: 0, width: 0, height: 0)
    }
    return Rectangle(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// True when the path encloses an area.
  var isClosed: Bool {
    elements.contains {
      switch $0 {
      case .close, .circle: true
      case .move, .line: false
      }
    }
  }
}

/// Signs for data points, among them the audiogram symbols of ASHA 1990.
enum Marker: Equatable, Sendable, CaseIterable {
  case circle, cross, triangle, square
  case leftAngle, rightAngle, leftBracket, rightBracket
  /// Arrows of no response; they leave the lower corner of the symbol they belong to.
  case arrowDownLeft, arrowDownRight

  /// The outline of the sign around `centre`; `size` is the diameter of the circle, points.
  func path(at centre: Point, size: Double) -> Path {
    let r = size / 2
    func at(_ x: Double, _ y: Double) -> Point { centre.shifted(x: x * r, y: y * r) }
    switch self {
    case .circle: return .circle(centre, radius: r)
    case .cross: return .line(at(-0.9, -0.9), at(0.9, 0.9)) + .line(at(-0.9, 0.9), at(0.9, -0.9))
    case .triangle:
      // Equilateral, with its centroid on the threshold.
      return .polyline([at(0, -1.2), at(1.04, 0.6), at(-1.04, 0.6)], isClosed: true)
    case .square:
      return .polyline([at(-0.9, -0.9), at(0.9, -0.9), at(0.9, 0.9), at(-0.9, 0.9)], isClosed: true)
    // Bone conduction stands beside its frequency, right ear to the left of the line: the ear that faces
    // the reader on that side.
    case .leftAngle: return .polyline([at(-1.1, -0.9), at(-2.1, 0), at(-1.1, 0.9)])
    case .rightAngle: return .polyline([at(1.1, -0.9), at(2.1, 0), at(1.1, 0.9)])
    case .leftBracket: return .polyline([at(-1.2, -1), at(-1.9, -1), at(-1.9, 1), at(-1.2, 1)])
    case .rightBracket: return .polyline([at(1.2, -1), at(1.9, -1), at(1.9, 1), at(1.2, 1)])
    case .arrowDownLeft: return arrow(at, -1)
    case .arrowDownRight: return arrow(at, 1)
    }
  }

  private func arrow(_ at: (Double, Double) -> Point, _ side: Double) -> Path {
    .line(at(side * 0.75, 0.75), at(side * 2.4, 2.4))
      + .polyline([at(side * 1.4, 2.4), at(side * 2.4, 2.4), at(side * 2.4, 1.4)])
  }
}

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

/// One thing put on the page.
indirect enum Mark: Equatable, Sendable {
  case stroke(Path, Stroke)
  case fill(Path, Colour)
  case symbol(Symbol)
  case label(Label)
  /// Cells of one size in rows from the top, filled without a seam between them.
  case cells(Rectangle, columns: Int, [Colour])
  /// Marks of which only the part inside the rectangle shows.
  case clipped(Rectangle, [Mark])
}
