/// The key to a plot's lines and markers, in one row.
struct Legend {
  /// Line or marker of one series.
  enum Sample: Equatable, Sendable {
    case line(Stroke)
    case marker(Symbol)
  }

  struct Entry: Equatable, Sendable {
    var sample: Sample
    var text: String
  }

  /// Length of a line sample, points: two dashes of the input's pattern and half of the third.
  static let sampleWidth = 12.0
  static let sampleGap = 4.0
  static let entryGap = 8.0
  static let style = TextStyle(size: 7.5)

  var entries: [Entry]

  /// Length of the row, points.
  func width(_ metrics: borrowing TextMetrics) -> Double {
    var width = 0.0
    for entry in entries { width += entryWidth(entry, metrics) }
    return width + Self.entryGap * Double(max(entries.count - 1, 0))
  }

  /// The same entries in rows of at most `limit` points; an entry wider than that has a row of its own.
  func rows(within limit: Double, _ metrics: borrowing TextMetrics) -> [Legend] {
    var rows: [Legend] = []
    for entry in entries {
      if var row = rows.last {
        row.entries.append(entry)
        if row.width(metrics) <= limit {
          rows[rows.count - 1] = row
          continue
        }
      }
      rows.append(Legend(entries: [entry]))
    }
    return rows
  }

  /// Draws the row with its right end at `end`, the text's baseline there.
  func draw(endingAt end: Point, _ metrics: borrowing TextMetrics, on picture: inout Picture) {
    draw(startingAt: end.shifted(x: -width(metrics)), metrics, on: &picture)
  }

  /// Draws the row with its left end at `start`, the text's baseline there.
  func draw(startingAt start: Point, _ metrics: borrowing TextMetrics, on picture: inout Picture) {
    var x = start.x
    let middle = start.y - Self.style.size * Label.capitalHeight / 2
    for entry in entries {
      draw(entry.sample, from: Point(x: x, y: middle), on: &picture)
      let place = Point(x: x + Self.sampleWidth + Self.sampleGap, y: start.y)
      picture.add(Label(text: entry.text, place: place, style: Self.style))
      x += entryWidth(entry, metrics) + Self.entryGap
    }
  }

  private func entryWidth(_ entry: Entry, _ metrics: borrowing TextMetrics) -> Double {
    Self.sampleWidth + Self.sampleGap + metrics.width(of: entry.text, Self.style)
  }

  private func draw(_ sample: Sample, from start: Point, on picture: inout Picture) {
    let end = start.shifted(x: Self.sampleWidth)
    switch sample {
    case .line(let stroke): picture.stroke(.line(start, end), stroke)
    case .marker(var symbol):
      // A bone symbol or an arrow lies beside its centre; here it stands in the middle.
      let extent = symbol.marker.path(at: Point(x: 0, y: 0), size: symbol.size).extent
      symbol.centre = start.shifted(x: Self.sampleWidth / 2 - extent.midX, y: -extent.midY)
      picture.add(symbol)
    }
  }
}
