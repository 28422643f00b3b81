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
