/// A QR code alone, with its quiet zone: a picture to send or to show on a screen.
public struct CodePicture: Sendable {
  /// Width on paper, mm, without the quiet zone.
  static let width = 84.5

  private let drawing: CodeDrawing
  private let title: String

  /// - Parameter title: Named in the file, drawn nowhere.
  public init(_ modules: CodeModules, title: String) {
    drawing = CodeDrawing(modules, width: Self.width)
    self.title = title
  }

  /// Modules from edge to edge, quiet zone included. A PNG of a whole multiple of it has sharp modules.
  public var moduleCount: Int { drawing.modules.side + 2 * CodeDrawing.quietZone }

  public func picture() -> Picture {
    var picture = Picture(width: drawing.fullWidth, height: drawing.fullWidth, title: title)
    drawing.draw(at: Point(x: 0, y: 0), on: &picture)
    return picture
  }
}
