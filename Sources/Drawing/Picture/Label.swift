/// A line of text and where it hangs.
struct Label: Equatable, Sendable {
  /// Which end of the text lies at the label's place.
  enum Alignment: Sendable { case leading, centre, trailing }
  /// Which height of the text lies at the label's place.
  enum Height: Sendable { case baseline, middle, top }

  /// Height of a capital above the baseline, em. DejaVu Sans: 1493 of 2048 units.
  static let capitalHeight = 1493.0 / 2048
  /// Depth of p and q below the baseline, em. DejaVu Sans: 0.236, measured from the glyphs of gjpqy.
  static let descent = 0.24

  var text: String
  var place: Point
  var style: TextStyle
  var alignment = Alignment.leading
  var height = Height.baseline
  /// Turned a quarter to the left, read from below.
  var isUpright = false

  /// Distance from the place down to the baseline, points.
  var baselineOffset: Double {
    switch height {
    case .baseline: 0
    case .middle: style.size * Self.capitalHeight / 2
    case .top: style.size * Self.capitalHeight
    }
  }

  /// Distance from the place along the line to the start of the text, points, for text `width` wide.
  func startOffset(width: Double) -> Double {
    switch alignment {
    case .leading: 0
    case .centre: -width / 2
    case .trailing: -width
    }
  }

  /// What the text covers on the page, from the top of the capitals to the descenders.
  func bounds(_ metrics: borrowing TextMetrics) -> Rectangle {
    let width = metrics.width(of: text, style)
    let start = startOffset(width: width)
    let top = baselineOffset - style.size * Self.capitalHeight
    let tall = style.size * (Self.capitalHeight + Self.descent)
    if isUpright {
      return Rectangle(x: place.x + top, y: place.y - start - width, width: tall, height: width)
    }
    return Rectangle(x: place.x + start, y: place.y + top, width: width, height: tall)
  }
}
