import Glibc

/// A QR symbol on paper: exact rectangles, filled as one path so that no seam can appear between modules.
struct CodeDrawing {
  /// Places of a printer of 600 dots an inch, points. Module edges lie on them: all modules of a print are
  /// equally wide.
  static let dot = 72.0 / 600

  let modules: QRSymbol
  /// Side of one module, points.
  let module: Double

  /// Width on paper, mm, without the quiet zone: 84.5 mm are 499 pixels in a scan of 150 dots an inch.
  static let standardWidth = 84.5

  /// - Parameter width: Width wanted from the first module to the last, mm. The symbol is as much narrower
  ///   as whole printer dots require, by less than `side` dots.
  init(_ modules: QRSymbol, width: Double = standardWidth) {
    self.modules = modules
    let wanted = width / 25.4 * 72 / Double(modules.side)
    // The millionth keeps a width that is a whole number of dots in spite of rounding.
    module = max((wanted / Self.dot + 1e-6).rounded(.down), 1) * Self.dot
  }

  /// Width of the symbol, points.
  var width: Double { Double(modules.side) * module }

  /// Width of the symbol and its quiet zone, points.
  var fullWidth: Double { Double(modules.side + 2 * QRSymbol.quietZone) * module }

  /// Frame of the symbol whose quiet zone begins at `corner` or, to meet the dots, up to one dot before it.
  func frame(at corner: Point) -> Rectangle {
    func onDots(_ value: Double) -> Double { (value / Self.dot).rounded(.down) * Self.dot }
    let margin = Double(QRSymbol.quietZone) * module
    return Rectangle(
      x: onDots(corner.x) + margin, y: onDots(corner.y) + margin, width: width, height: width)
  }

  /// The dark modules, each row's neighbours merged.
  func path(in frame: Rectangle) -> Path {
    var path = Path()
    for y in 0..<modules.side {
      // Columns at which light and dark change; outside the symbol all is light.
      let edges = (0...modules.side).filter { modules[$0, y] != modules[$0 - 1, y] }
      for k in stride(from: 0, to: edges.count, by: 2) {
        let run = Rectangle(
          x: frame.x + Double(edges[k]) * module, y: frame.y + Double(y) * module,
          width: Double(edges[k + 1] - edges[k]) * module, height: module)
        path.elements += Path.rectangle(run).elements
      }
    }
    return path
  }

  /// White quiet zone, then the symbol in full black.
  func draw(at corner: Point, on picture: inout Picture) {
    let frame = frame(at: corner)
    picture.fill(.rectangle(frame.inset(by: -Double(QRSymbol.quietZone) * module)), .paper)
    picture.fill(path(in: frame), .code)
  }
}

/// A QR code alone, with its quiet zone: a picture to send or to show on a screen.
package struct CodePicture: Sendable {
  private let drawing: CodeDrawing
  private let title: String

  /// - Parameter title: Named in the file, drawn nowhere.
  package init(_ modules: QRSymbol, title: String) {
    drawing = CodeDrawing(modules)
    self.title = title
  }

  /// Modules from edge to edge, quiet zone included. A PNG of a whole multiple of it has sharp modules.
  package var moduleCount: Int { drawing.modules.side + 2 * QRSymbol.quietZone }

  package func picture() -> Picture {
    var picture = Picture(width: drawing.fullWidth, height: drawing.fullWidth, title: title)
    drawing.draw(at: Point(x: 0, y: 0), on: &picture)
    return picture
  }
}
