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
  /// Marks of which only the part inside the rectangle shows.
  case clipped(Rectangle, [Mark])
}
