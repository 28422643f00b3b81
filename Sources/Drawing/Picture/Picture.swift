/// A finished page: a list of marks in points, the same whichever file format it is written to.
///
/// Drawings make pictures, ``write(to:as:pixelWidth:)`` turns them into PNG, SVG or PDF.
///
/// - Threads: any.
public struct Picture: Equatable, Sendable {
  /// Page width, points (1/72 inch).
  public let width: Double
  /// Page height, points.
  public let height: Double
  /// Name for the document's properties (PDF).
  public let title: String

  /// What is on the page, from the bottom to the top.
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
