/// Words in more than one style, set in lines of one width.
struct Paragraph {
  /// Words that belong to one style.
  struct Run {
    var text: String
    var style: TextStyle
    /// Never broken into two lines.
    var isWhole = false
  }

  /// Pieces without a space between them, which stay in one line.
  private struct Unit {
    var pieces: [Run]
  }

  var runs: [Run]
  /// From baseline to baseline, em of the first run.
  static let leading = 1.36

  init(_ runs: [Run]) { self.runs = runs }

  /// The page's own words: `*bold*`, and commands between backticks.
  init(marked text: String, _ style: TextStyle) {
    var runs: [Run] = []
    var current = Run(text: "", style: style)
    func bold() -> TextStyle { TextStyle(size: style.size, isBold: true, colour: style.colour) }
    func code() -> TextStyle {
      // DejaVu Sans Mono is wider than DejaVu Sans at the same size.
      TextStyle(size: style.size * 0.96, isBold: true, colour: style.colour, isMonospaced: true)
    }
    var open: Character?
    for character in text {
      guard character == "*" || character == "`" else {
        current.text.append(character)
        continue
      }
      runs.append(current)
      if open == nil {
        open = character
        current = Run(text: "", style: character == "*" ? bold() : code(), isWhole: character == "`")
      } else {
        open = nil
        current = Run(text: "", style: style)
      }
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
    for unit in units {
      var unitWidth = 0.0
      for piece in unit.pieces { unitWidth += metrics.width(of: piece.text, piece.style) }
      var space = 0.0
      if let last = line.last, let next = unit.pieces.first {
        // Beside a command, the narrower of the two.
        space = min(metrics.width(of: " ", last.run.style), metrics.width(of: " ", next.style))
      }
      if !line.isEmpty, x + space + unitWidth > width {
        flush(&picture)
        (x, y) = (0, y + leading)
      } else {
        x += space
      }
      for (index, piece) in unit.pieces.enumerated() {
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

  private var units: [Unit] {
    var units: [Unit] = []
    var isGlued = false
    for run in runs {
      let words =
        run.isWhole ? [run.text[...]] : run.text.split(separator: " ", omittingEmptySubsequences: true)
      for (index, word) in words.enumerated() {
        var piece = run
        piece.text = String(word)
        let isAttached = index == 0 && isGlued && !run.text.hasPrefix(" ")
        if isAttached, !units.isEmpty {
          units[units.count - 1].pieces.append(piece)
        } else {
          units.append(Unit(pieces: [piece]))
        }
      }
      isGlued = !run.text.hasSuffix(" ")
    }
    return units
  }
}
