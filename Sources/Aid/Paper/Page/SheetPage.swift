/// An A4 page for print and the ways in which text is put on it.
struct SheetPage: ~Copyable {
  /// A4 upright, ISO 216: 210 mm × 297 mm in points.
  static let width = 210 / 25.4 * 72
  static let height = 297 / 25.4 * 72
  /// 15 mm: beyond what printers leave white, and room for a file's holes.
  static let margin = 42.5

  static var left: Double { margin }
  static var right: Double { width - margin }
  static var contentWidth: Double { width - 2 * margin }
  /// Between the two columns of equal width, points.
  static let gutter = 20.0
  static var columnWidth: Double { (contentWidth - gutter) / 2 }
  /// Left edge of the second column.
  static var secondColumn: Double { left + columnWidth + gutter }

  static let documentTitle = TextStyle(size: 19, isBold: true)
  static let section = TextStyle(size: 10, isBold: true)
  static let text = TextStyle(size: 8.5)
  static let caption = TextStyle(size: 7, colour: .mutedInk)

  var picture: Picture
  let metrics = TextMetrics()

  init(title: String) { picture = Picture(width: Self.width, height: Self.height, title: title) }

  consuming func finish() -> Picture { picture }

  /// One line, shortened where it is longer than its room.
  mutating func line(
    _ text: String, at place: Point, width: Double, _ style: TextStyle,
    _ alignment: Label.Alignment = .leading
  ) {
    let text = metrics.shortened(text, to: width, style)
    picture.add(Label(text: text, place: place, style: style, alignment: alignment))
  }

  /// Text in the greatest size in which it takes one line, or else in lines of the smallest size.
  ///
  /// - Parameters:
  ///   - start: Left end of the first baseline.
  ///   - sizes: Em, points, falling; not empty.
  ///   - lines: Most lines.
  /// - Returns: The last baseline.
  mutating func block(
    _ text: String, at start: Point, width: Double, _ style: TextStyle, sizes: [Double], lines: Int
  ) -> Double {
    var style = style
    for size in sizes {
      style.size = size
      if metrics.width(of: text, style) <= width { break }
    }
    var y = start.y
    for (index, line) in metrics.wrapped(text, to: width, style, lines: lines).enumerated() {
      if index > 0 { y += style.size * 1.25 }
      picture.add(Label(text: line, place: Point(x: start.x, y: y), style: style))
    }
    return y
  }

  /// Numbered steps.
  ///
  /// - Returns: The baseline after the last line.
  mutating func steps(_ steps: [String], at start: Point, width: Double, _ style: TextStyle) -> Double {
    let indent = style.size * 1.6
    var y = start.y
    for (index, step) in steps.enumerated() {
      let number = TextStyle(size: style.size, isBold: true, colour: .mutedInk)
      picture.add(Label(text: "\(index + 1)", place: Point(x: start.x, y: y), style: number))
      y =
        Paragraph(marked: step, style).draw(
          at: Point(x: start.x + indent, y: y), width: width - indent, metrics, on: &picture)
        + style.size * 0.42
    }
    return y - style.size * 0.42
  }

  /// A thin line across the text's width.
  mutating func rule(y: Double) {
    picture.stroke(.line(Point(x: Self.left, y: y), Point(x: Self.right, y: y)), .frame)
  }
}
