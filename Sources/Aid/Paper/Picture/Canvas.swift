import CCairo

/// A Cairo surface on which pages are drawn, and from which a file's bytes come.
struct Canvas: ~Copyable {
  private let surface: OpaquePointer
  private let context: OpaquePointer
  private let format: PictureFormat
  /// Takes the bytes that Cairo produces.
  private let sink = ByteSink()

  /// Draws the pages: one after another in a PDF, otherwise one below another.
  ///
  /// - Parameters:
  ///   - pages: Not empty; as wide as the first.
  ///   - pixelWidth: Width of a PNG, pixels; the height follows. PDF and SVG are in points.
  init(_ pages: [Picture], format: PictureFormat, pixelWidth: Int) {
    self.format = format
    let (width, height) = (pages[0].width, pages.reduce(0) { $0 + $1.height })
    let closure = Unmanaged.passUnretained(sink).toOpaque()
    switch format {
    case .png:
      let scale = Double(pixelWidth) / width
      let pixelHeight = Int32((height * scale).rounded())
      surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(pixelWidth), pixelHeight)
      context = cairo_create(surface)
      cairo_scale(context, scale, scale)
    case .svg:
      surface = cairo_svg_surface_create_for_stream(ByteSink.write, closure, width, height)
      cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PT)
      context = cairo_create(surface)
    case .pdf:
      surface = cairo_pdf_surface_create_for_stream(ByteSink.write, closure, width, pages[0].height)
      cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, pages[0].title)
      cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Auricle")
      context = cairo_create(surface)
    }
    Self.prepareText(context)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    for (index, page) in pages.enumerated() {
      if index > 0 { turn(from: pages[index - 1], to: page) }
      if index == 0 || format == .pdf {
        setSource(.paper)
        cairo_paint(context)
      }
      draw(page.marks)
    }
  }

  private func turn(from former: Picture, to page: Picture) {
    if format == .pdf {
      cairo_show_page(context)
      cairo_pdf_surface_set_size(surface, page.width, page.height)
    } else {
      cairo_translate(context, 0, former.height)
    }
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  /// Ends the page and hands over the file.
  ///
  /// - Throws: ``PaperError/rendering(reason:)`` with Cairo's own words: out of memory, page too large.
  consuming func finish() throws(PaperError) -> [UInt8] {
    var status = cairo_status(context)
    if status == CAIRO_STATUS_SUCCESS, format == .png {
      let closure = Unmanaged.passUnretained(sink).toOpaque()
      status = cairo_surface_write_to_png_stream(surface, ByteSink.write, closure)
    }
    cairo_surface_finish(surface)
    if status == CAIRO_STATUS_SUCCESS { status = cairo_surface_status(surface) }
    guard status == CAIRO_STATUS_SUCCESS else {
      throw .rendering(reason: String(cString: cairo_status_to_string(status)))
    }
    return sink.bytes
  }

  // MARK: - Marks

  private func draw(_ marks: [Mark]) {
    for mark in marks {
      switch mark {
      case .stroke(let path, let stroke): draw(path, stroke)
      case .fill(let path, let colour): fill(path, colour)
      case .symbol(let symbol):
        let path = symbol.marker.path(at: symbol.centre, size: symbol.size)
        if let colour = symbol.fill, path.isClosed { fill(path, colour) }
        draw(path, Stroke(colour: symbol.colour, width: symbol.width))
      case .label(let label): draw(label)
      case .cells(let frame, let columns, let colours): draw(colours, columns: columns, in: frame)
      case .clipped(let frame, let inner):
        cairo_save(context)
        cairo_rectangle(context, frame.x, frame.y, frame.width, frame.height)
        cairo_clip(context)
        draw(inner)
        cairo_restore(context)
      }
    }
  }

  private func fill(_ path: Path, _ colour: Colour) {
    trace(path)
    setSource(colour)
    cairo_fill(context)
  }

  private func draw(_ path: Path, _ stroke: Stroke) {
    trace(path)
    setSource(stroke.colour)
    cairo_set_line_width(context, stroke.width)
    cairo_set_dash(context, stroke.dashes, Int32(stroke.dashes.count), 0)
    cairo_stroke(context)
  }

  private func draw(_ colours: [Colour], columns: Int, in frame: Rectangle) {
    if format == .svg {
      // Viewers blend the pixels of a picture, and SVG as Cairo writes it does not tell them not to. Below the cells lie coarse ones, so
      // that no paper shows through the seams between two.
      let coarse = Self.coarse(colours, columns: columns)
      fill(Self.rectangles(of: coarse, columns: columns, in: frame))
      fill(Self.rectangles(of: colours, columns: columns, in: frame, reach: 0))
      return
    }
    let rows = colours.count / max(columns, 1)
    guard rows > 0, let cells = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(columns), Int32(rows))
    else { return }
    defer { cairo_surface_destroy(cells) }
    // Until the surface is marked as changed its pixels are ours; a row of 4 bytes a pixel has no padding.
    cairo_surface_flush(cells)
    guard let bytes = cairo_image_surface_get_data(cells) else { return }
    bytes.withMemoryRebound(to: UInt32.self, capacity: columns * rows) { pixels in
      for index in 0..<columns * rows { pixels[index] = colours[index].rgb }
    }
    cairo_surface_mark_dirty(cells)
    cairo_save(context)
    cairo_rectangle(context, frame.x, frame.y, frame.width, frame.height)
    cairo_clip(context)
    cairo_translate(context, frame.x, frame.y)
    cairo_scale(context, frame.width / Double(columns), frame.height / Double(rows))
    cairo_set_source_surface(context, cells, 0, 0)
    // No colour between two cells, and none beyond the outer ones.
    cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_NEAREST)
    cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
    cairo_paint(context)
    cairo_restore(context)
  }

  /// Fills areas, all of one colour as one path: viewers take seconds for a path of its own for each of ten thousand cells.
  private func fill(_ areas: [(area: Rectangle, colour: Colour)]) {
    let groups = Dictionary(grouping: areas) { $0.colour.rgb }
    // In an order of their own, so that the same picture is the same file.
    for (_, group) in groups.sorted(by: { $0.key < $1.key }) {
      guard let first = group.first else { continue }
      cairo_new_path(context)
      for (area, _) in group { cairo_rectangle(context, area.x, area.y, area.width, area.height) }
      setSource(first.colour)
      cairo_fill(context)
    }
  }

  /// Cells of a row that are alike in ``coarse(_:columns:)``; own choice: an eighth more areas.
  private static let coarseness = 8

  /// The cells with one colour, that of the middle one, for several neighbours in a row.
  private static func coarse(_ colours: [Colour], columns: Int) -> [Colour] {
    guard columns > 0 else { return [] }
    return colours.indices.map { index in
      let column = index % columns
      let middle = column / coarseness * coarseness + coarseness / 2
      return colours[index - column + min(middle, columns - 1)]
    }
  }

  /// Cells as rectangles in their order, from the top and from the left: equal neighbours in a row are one, and so are rows
  /// that are alike.
  ///
  /// - Parameter reach: Cells by which each reaches into its neighbours on the right and below.
  static func rectangles(
    of colours: [Colour], columns: Int, in frame: Rectangle, reach: Int = 1
  ) -> [(area: Rectangle, colour: Colour)] {
    let rows = colours.count / max(columns, 1)
    guard columns > 0, rows > 0 else { return [] }
    let (width, height) = (frame.width / Double(columns), frame.height / Double(rows))
    var found: [(area: Rectangle, colour: Colour)] = []
    var top = 0
    while top < rows {
      let row = colours[top * columns..<(top + 1) * columns]
      var bottom = top + 1
      while bottom < rows, colours[bottom * columns..<(bottom + 1) * columns].elementsEqual(row) {
        bottom += 1
      }
      var left = 0
      while left < columns {
        let colour = colours[top * columns + left]
        var right = left + 1
        while right < columns, colours[top * columns + right] == colour { right += 1 }
        let area = Rectangle(
          x: frame.minX + Double(left) * width, y: frame.minY + Double(top) * height,
          width: Double(min(right + reach, columns) - left) * width,
          height: Double(min(bottom + reach, rows) - top) * height)
        found.append((area, colour))
        left = right
      }
      top = bottom
    }
    return found
  }

  private func draw(_ label: Label) {
    Self.select(label.style, in: context)
    let text = Self.settable(label.text, in: context)
    setSource(label.style.colour)
    var extents = cairo_text_extents_t()
    cairo_text_extents(context, text, &extents)
    cairo_save(context)
    cairo_translate(context, label.place.x, label.place.y)
    if label.isUpright { cairo_rotate(context, -.pi / 2) }
    cairo_move_to(context, label.startOffset(width: extents.x_advance), label.baselineOffset)
    cairo_show_text(context, text)
    cairo_restore(context)
    cairo_new_path(context)
  }

  private func trace(_ path: Path) {
    cairo_new_path(context)
    for element in path.elements {
      switch element {
      case .move(let point): cairo_move_to(context, point.x, point.y)
      case .line(let point): cairo_line_to(context, point.x, point.y)
      case .close: cairo_close_path(context)
      case .circle(let centre, let radius):
        cairo_new_sub_path(context)
        cairo_arc(context, centre.x, centre.y, radius, 0, 2 * .pi)
        cairo_close_path(context)
      }
    }
  }

  private func setSource(_ colour: Colour) {
    cairo_set_source_rgba(context, colour.red, colour.green, colour.blue, colour.alpha)
  }
}

/// Text setting, shared by drawing and measuring.
extension Canvas {
  /// The typeface wanted. Fontconfig puts the nearest one in its place where it is missing; where there is
  /// no typeface at all, Cairo draws with strokes of its own, in ASCII only.
  static let family = "DejaVu Sans"
  /// The typeface of commands and fingerprints.
  static let monospacedFamily = "DejaVu Sans Mono"

  /// Sets glyphs at their true widths, so that a line is as wide in pixels as on paper.
  static func prepareText(_ context: OpaquePointer) {
    let options = cairo_font_options_create()
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    cairo_set_font_options(context, options)
    cairo_font_options_destroy(options)
  }

  static func select(_ style: TextStyle, in context: OpaquePointer) {
    let weight = style.isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL
    let family = style.isMonospaced ? monospacedFamily : family
    cairo_select_font_face(context, family, CAIRO_FONT_SLANT_NORMAL, weight)
    cairo_set_font_size(context, style.size)
  }

  /// The text in characters that the selected typeface has.
  static func settable(_ text: String, in context: OpaquePointer) -> String {
    // Cairo's built-in strokes are the only "user" font that can be selected by name.
    let isBuiltIn = cairo_scaled_font_get_type(cairo_get_scaled_font(context)) == CAIRO_FONT_TYPE_USER
    return isBuiltIn ? plain(text) : text
  }

  /// The text with the typographic characters of this module spelled in ASCII.
  static func plain(_ text: String) -> String {
    String(
      text.flatMap { character -> String in
        switch character {
        case "−", "–", "·": "-"
        case "×": "x"
        case "…": "..."
        default: String(character)
        }
      })
  }
}

/// Bytes written by Cairo. The file appears only when it is whole.
final class ByteSink {
  private(set) var bytes: [UInt8] = []

  /// Cairo's `cairo_write_func_t`; its closure is the sink.
  static let write: cairo_write_func_t = { closure, data, length in
    guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
    let sink = Unmanaged<ByteSink>.fromOpaque(closure).takeUnretainedValue()
    sink.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
    return CAIRO_STATUS_SUCCESS
  }
}
