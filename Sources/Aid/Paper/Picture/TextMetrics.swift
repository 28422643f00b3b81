import CCairo

/// Measures text as ``Canvas`` will set it.
struct TextMetrics: ~Copyable {
  private let surface: OpaquePointer
  private let context: OpaquePointer

  init() {
    // A recording surface has no pixels: measures are those of the outlines, as in PDF and SVG.
    surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, nil)
    context = cairo_create(surface)
    Canvas.prepareText(context)
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  /// Advance width of a line, points.
  func width(of text: String, _ style: TextStyle) -> Double {
    var extents = cairo_text_extents_t()
    Canvas.select(style, in: context)
    cairo_text_extents(context, Canvas.settable(text, in: context), &extents)
    return extents.x_advance
  }

  /// True when the typeface has a sign for each part of a character.
  func hasSigns(for character: Character) -> Bool {
    Canvas.select(.body, in: context)
    var glyphs: UnsafeMutablePointer<cairo_glyph_t>?
    var count: Int32 = 0
    let status = cairo_scaled_font_text_to_glyphs(
      cairo_get_scaled_font(context), 0, 0, String(character), -1, &glyphs, &count, nil, nil, nil)
    defer { cairo_glyph_free(glyphs) }
    guard status == CAIRO_STATUS_SUCCESS, let glyphs else { return false }
    // Glyph 0 of a font is the one for what it does not have (OpenType, "glyf" table).
    return (0..<Int(count)).allSatisfy { glyphs[$0].index != 0 }
  }

  /// The text, or its beginning and end around an ellipsis when it is wider than `limit` points.
  func shortened(_ text: String, to limit: Double, _ style: TextStyle) -> String {
    guard width(of: text, style) > limit else { return text }
    let characters = Array(text)
    func shortened(to count: Int) -> String {
      String(characters.prefix(count / 2)) + "…" + String(characters.suffix(count - count / 2))
    }
    return shortened(to: greatestCount(below: characters.count, within: limit, style, of: shortened(to:)))
  }

  /// The greatest number of characters that has room within `limit` points, found by halves: somebody else's text can have a
  /// million, and more of them are never narrower.
  ///
  /// - Parameters:
  ///   - bound: A number that has no room, at least 1; none counts as having it.
  ///   - text: The text of so many characters.
  private func greatestCount(
    below bound: Int, within limit: Double, _ style: TextStyle, of text: (Int) -> String
  ) -> Int {
    var (fitting, tooMany) = (0, bound)
    while tooMany - fitting > 1 {
      let middle = (fitting + tooMany) / 2
      if width(of: text(middle), style) <= limit { fitting = middle } else { tooMany = middle }
    }
    return fitting
  }

  /// The text in lines of at most `limit` points, broken at spaces, and inside a word only where the word
  /// alone is too wide.
  ///
  /// - Parameter count: Most lines; what is left over stays as the beginning and end of the last one.
  func wrapped(_ text: String, to limit: Double, _ style: TextStyle, lines count: Int = .max) -> [String] {
    var lines: [String] = []
    var line = ""
    var words = text.split(whereSeparator: \.isWhitespace).map(String.init)[...]
    // Before the rest of a word whose beginning ends the line there is none.
    var space = " "
    while let word = words.first {
      let candidate = line.isEmpty ? word : line + space + word
      if width(of: candidate, style) <= limit {
        line = candidate
        words.removeFirst()
        space = " "
      } else if line.isEmpty {
        let head = beginning(of: word, within: limit, style)
        line = head
        words[words.startIndex] = String(word.dropFirst(head.count))
        space = ""
      } else {
        if lines.count == count - 1 { break }
        lines.append(line)
        line = ""
      }
    }
    guard !line.isEmpty else { return lines }
    let rest = words.isEmpty ? line : line + space + words.joined(separator: " ")
    return lines + [shortened(rest, to: limit, style)]
  }

  /// As many characters as fit, at least one.
  private func beginning(of word: String, within limit: Double, _ style: TextStyle) -> String {
    guard width(of: word, style) > limit else { return word }
    let count = greatestCount(below: word.count, within: limit, style) { String(word.prefix($0)) }
    return String(word.prefix(max(count, 1)))
  }
}
