import CCairo

/// How text is set, shared by drawing and measuring.
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
