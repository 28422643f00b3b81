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
    var kept = Array(text)
    while kept.count > 1 {
      kept.remove(at: kept.count / 2)
      let (head, tail) = (kept.prefix(kept.count / 2), kept.suffix(kept.count - kept.count / 2))
      let candidate = String(head) + "…" + String(tail)
      if width(of: candidate, style) <= limit { return candidate }
    }
    return "…"
  }

  /// The text in lines of at most `limit` points, broken at spaces, and inside a word only where the word
  /// alone is too wide.
  ///
  /// - Parameter count: Most lines; what is left over stays as the beginning and end of the last one.
  func wrapped(_ text: String, to limit: Double, _ style: TextStyle, lines count: Int = .max) -> [String] {
    var lines: [String] = []
    var line = ""
    var words = text.split(whereSeparator: \.isWhitespace).map(String.init)[...]
    while let word = words.first {
      let candidate = line.isEmpty ? word : line + " " + word
      if width(of: candidate, style) <= limit {
        line = candidate
        words.removeFirst()
      } else if line.isEmpty {
        let head = beginning(of: word, within: limit, style)
        line = head
        words[words.startIndex] = String(word.dropFirst(head.count))
      } else {
        if lines.count == count - 1 { break }
        lines.append(line)
        line = ""
      }
    }
    guard !line.isEmpty else { return lines }
    let rest = ([line] + words).joined(separator: " ")
    return lines + [shortened(rest, to: limit, style)]
  }

  /// As many characters as fit, at least one.
  private func beginning(of word: String, within limit: Double, _ style: TextStyle) -> String {
    var head = word
    while head.count > 1, width(of: head, style) > limit { head.removeLast() }
    return head
  }
}
