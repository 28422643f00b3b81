import Glibc

/// A QR symbol on paper: exact rectangles, filled as one path so that no seam can appear between modules.
struct CodeDrawing {
  /// Light modules that must surround the symbol (ISO/IEC 18004, 9.1).
  static let quietZone = 4
  /// Places of a printer of 600 dots an inch, points. Module edges lie on them: all modules of a print are
  /// equally wide.
  static let dot = 72.0 / 600

  let modules: CodeModules
  /// Side of one module, points.
  let module: Double

  /// - Parameter width: Width wanted from the first module to the last, mm. The symbol is as much narrower
  ///   as whole printer dots require, by less than `side` dots.
  init(_ modules: CodeModules, width: Double) {
    self.modules = modules
    let wanted = width / 25.4 * 72 / Double(modules.side)
    // The millionth keeps a width that is a whole number of dots in spite of rounding.
    module = max((wanted / Self.dot + 1e-6).rounded(.down), 1) * Self.dot
  }

  /// Width of the symbol, points.
  var width: Double { Double(modules.side) * module }

  /// Width of the symbol and its quiet zone, points.
  var fullWidth: Double { Double(modules.side + 2 * Self.quietZone) * module }

  /// Where the symbol lies when its quiet zone begins at `corner` or, to meet the dots, up to one dot
  /// before it.
  func frame(at corner: Point) -> Rectangle {
    func onDots(_ value: Double) -> Double { (value / Self.dot).rounded(.down) * Self.dot }
    let margin = Double(Self.quietZone) * module
    return Rectangle(
      x: onDots(corner.x) + margin, y: onDots(corner.y) + margin, width: width, height: width)
  }

  /// The dark modules, each row's neighbours merged.
  func path(in frame: Rectangle) -> Path {
    var path = Path()
    for y in 0..<modules.side {
      var x = 0
      while x < modules.side {
        guard modules[x, y] else {
          x += 1
          continue
        }
        let start = x
        while x < modules.side, modules[x, y] { x += 1 }
        let run = Rectangle(
          x: frame.x + Double(start) * module, y: frame.y + Double(y) * module,
          width: Double(x - start) * module, height: module)
        path.elements += Path.rectangle(run).elements
      }
    }
    return path
  }

  /// White quiet zone, then the symbol in full black.
  func draw(at corner: Point, on picture: inout Picture) {
    let frame = frame(at: corner)
    picture.fill(.rectangle(frame.inset(by: -Double(Self.quietZone) * module)), .paper)
    picture.fill(path(in: frame), .code)
  }
}

/// The modules of a QR symbol, without its quiet zone.
package struct CodeModules: Sendable, Equatable {
  /// Modules from edge to edge: 21, 25, … 177 (ISO/IEC 18004: 17 + 4 · version, versions 1 to 40).
  package let side: Int
  /// Row after row from the top, each from the left; true is black. `side · side` of them.
  package let isDark: [Bool]

  /// - Throws: ``SheetError/codeSide(_:)``, ``SheetError/moduleCount(found:expected:)``.
  package init(side: Int, isDark: [Bool]) throws(SheetError) {
    guard (21...177).contains(side), side % 4 == 1 else { throw .codeSide(side) }
    guard isDark.count == side * side else {
      throw .moduleCount(found: isDark.count, expected: side * side)
    }
    self.side = side
    self.isDark = isDark
  }

  /// - Parameters:
  ///   - x: Column, 0 at the left.
  ///   - y: Row, 0 at the top.
  package subscript(x: Int, y: Int) -> Bool { isDark[y * side + x] }
}

/// A QR code alone, with its quiet zone: a picture to send or to show on a screen.
package struct CodePicture: Sendable {
  /// Width on paper, mm, without the quiet zone.
  static let width = 84.5

  private let drawing: CodeDrawing
  private let title: String

  /// - Parameter title: Named in the file, drawn nowhere.
  package init(_ modules: CodeModules, title: String) {
    drawing = CodeDrawing(modules, width: Self.width)
    self.title = title
  }

  /// Modules from edge to edge, quiet zone included. A PNG of a whole multiple of it has sharp modules.
  package var moduleCount: Int { drawing.modules.side + 2 * CodeDrawing.quietZone }

  package func picture() -> Picture {
    var picture = Picture(width: drawing.fullWidth, height: drawing.fullWidth, title: title)
    drawing.draw(at: Point(x: 0, y: 0), on: &picture)
    return picture
  }
}
