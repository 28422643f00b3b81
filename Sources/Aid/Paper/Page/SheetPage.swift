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

  /// - Parameters:
  ///   - width: Points.
  ///   - height: Points.
  init(title: String, width: Double = Self.width, height: Double = Self.height) {
    picture = Picture(width: width, height: height, title: title)
  }

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

extension Picture {
  /// Numbers a page of several at its foot.
  mutating func number(_ page: Int, of count: Int) {
    add(
      Label(
        text: "Page \(page) of \(count)", place: Point(x: SheetPage.right, y: 805),
        style: SheetPage.caption,
        alignment: .trailing))
  }
}

/// Words in more than one style, set in lines of one width.
struct Paragraph {
  /// Words that belong to one style.
  struct Run {
    var text: String
    var style: TextStyle
    /// Never broken into two lines.
    var isWhole = false
  }

  private let runs: [Run]
  /// From baseline to baseline, em of the first run.
  private static let leading = 1.36

  /// The page's own words: `*bold*`, and commands between backticks.
  init(marked text: String, _ style: TextStyle) {
    var runs: [Run] = []
    var current = Run(text: "", style: style)
    let bold = TextStyle(size: style.size, isBold: true, colour: style.colour)
    // DejaVu Sans Mono is wider than DejaVu Sans at the same size.
    let code = TextStyle(size: style.size * 0.96, isBold: true, colour: style.colour, isMonospaced: true)
    var open: Character?
    for character in text {
      guard character == "*" || character == "`" else {
        current.text.append(character)
        continue
      }
      runs.append(current)
      open = open == nil ? character : nil
      current = Run(text: "", style: open == nil ? style : open == "*" ? bold : code, isWhole: open == "`")
    }
    self.runs = (runs + [current]).filter { !$0.text.isEmpty }
  }

  /// Draws the lines.
  ///
  /// - Parameter start: Left end of the first baseline.
  /// - Returns: The baseline after the last line.
  func draw(
    at start: Point, width: Double, _ metrics: borrowing TextMetrics, on picture: inout Picture
  ) -> Double {
    let leading = (runs.first?.style.size ?? 0) * Self.leading
    var (x, y) = (0.0, start.y)
    var line: [(run: Run, x: Double)] = []
    func flush(_ picture: inout Picture) {
      for (run, x) in line {
        picture.add(Label(text: run.text, place: Point(x: start.x + x, y: y), style: run.style))
      }
      line = []
    }
    for pieces in units {
      var unitWidth = 0.0
      for piece in pieces { unitWidth += metrics.width(of: piece.text, piece.style) }
      var space = 0.0
      if let last = line.last, let next = pieces.first {
        // Beside a command, the narrower of the two.
        space = min(metrics.width(of: " ", last.run.style), metrics.width(of: " ", next.style))
      }
      if !line.isEmpty, x + space + unitWidth > width {
        flush(&picture)
        (x, y) = (0, y + leading)
      } else {
        x += space
      }
      for (index, piece) in pieces.enumerated() {
        // Words of one style become one label, which keeps the page's text readable by programs.
        if index == 0, let last = line.last, last.run.style == piece.style {
          line[line.count - 1].run.text += " " + piece.text
        } else {
          line.append((piece, x))
        }
        x += metrics.width(of: piece.text, piece.style)
      }
    }
    flush(&picture)
    return y + leading
  }

  /// Pieces without a space between them, which stay in one line.
  private var units: [[Run]] {
    var units: [[Run]] = []
    var isGlued = false
    for run in runs {
      for (index, word) in (run.isWhole ? [run.text[...]] : run.text.split(separator: " ")).enumerated() {
        let piece = Run(text: String(word), style: run.style)
        if index == 0, isGlued, !run.text.hasPrefix(" "), !units.isEmpty {
          units[units.count - 1].append(piece)
        } else {
          units.append([piece])
        }
      }
      isGlued = !run.text.hasSuffix(" ")
    }
    return units
  }
}
