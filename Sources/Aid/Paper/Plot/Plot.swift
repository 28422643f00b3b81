import Laboratory

/// A frame with two axes, and the parts that are drawn into it.
struct Plot {
  /// The area inside the axes, points.
  let frame: Rectangle
  let horizontal: Axis
  let vertical: Axis

  /// A plot whose values grow to the right and, unless `isInverted`, upwards.
  init(
    in frame: Rectangle, x: ClosedRange<Double>, _ scale: Axis.Scale, y: ClosedRange<Double>,
    _ verticalScale: Axis.Scale = .linear, isInverted: Bool = false
  ) {
    self.frame = frame
    horizontal = Axis(scale, x, from: frame.minX, to: frame.maxX)
    let (bottom, top) = isInverted ? (frame.minY, frame.maxY) : (frame.maxY, frame.minY)
    vertical = Axis(verticalScale, y, from: bottom, to: top)
  }

  /// A plot against frequency, framed.
  ///
  /// - Parameter step: From number to number of the vertical axis.
  static func byFrequency(
    in frame: Rectangle, y: ClosedRange<Double>, step: Double, title: String?, hasZero: Bool = false,
    on picture: inout Picture
  ) -> Plot {
    let plot = Plot(in: frame, x: Axis.frequencies, .logarithmic, y: y)
    plot.drawFrame(
      x: Tick.thirdOctaves, y: Tick.multiples(of: step, in: y), title: title, below: "Frequency / Hz",
      hasZero: hasZero, on: &picture)
    return plot
  }

  /// Place of a value on the page.
  func place(_ point: CurvePoint) -> Point {
    Point(x: horizontal.position(point.x), y: vertical.position(point.y))
  }

  // MARK: - Frame

  /// Grid, outline, numbers at the ticks, and titles.
  ///
  /// - Parameters:
  ///   - title: Vertical quantity and its unit, left of the numbers; nil: none is drawn.
  ///   - below: Horizontal quantity and its unit, beyond the numbers; nil: none is drawn.
  ///   - hasZero: True where a line marks zero if it lies above the lower edge.
  ///   - isAbove: True where the horizontal numbers stand above the frame.
  ///   - hasGrid: False where lines would cross the data.
  func drawFrame(
    x: [Tick], y: [Tick], title: String?, below: String? = nil, hasZero: Bool = false,
    isAbove: Bool = false, hasGrid: Bool = true, on picture: inout Picture
  ) {
    let columns = x.filter { horizontal.contains($0.value) }
    let rows = y.filter { vertical.contains($0.value) }
    func across(_ value: Double) -> Path {
      let y = vertical.position(value)
      return .line(Point(x: frame.minX, y: y), Point(x: frame.maxX, y: y))
    }
    // All minor lines first: a major line crosses over them.
    for isMinor in hasGrid ? [true, false] : [] {
      let stroke: Stroke = isMinor ? .faintGrid : .grid
      for tick in columns where tick.isMinor == isMinor {
        let x = horizontal.position(tick.value)
        picture.stroke(.line(Point(x: x, y: frame.minY), Point(x: x, y: frame.maxY)), stroke)
      }
      for tick in rows where tick.isMinor == isMinor { picture.stroke(across(tick.value), stroke) }
    }
    if hasZero, vertical.contains(0), vertical.range.lowerBound < 0 { picture.stroke(across(0), .frame) }
    picture.stroke(.rectangle(frame), .frame)
    let height: Label.Height = isAbove ? .baseline : .top
    for tick in columns {
      let place = Point(x: horizontal.position(tick.value), y: isAbove ? frame.minY - 4 : frame.maxY + 5)
      picture.add(Label(text: tick.label, place: place, style: .tick, alignment: .centre, height: height))
    }
    for tick in rows {
      let place = Point(x: frame.minX - 5, y: vertical.position(tick.value))
      picture.add(
        Label(text: tick.label, place: place, style: .tick, alignment: .trailing, height: .middle))
    }
    let left = Point(x: frame.minX - 30, y: frame.midY)
    picture.add(
      Label(text: title ?? "", place: left, style: .note, alignment: .centre, isUpright: true))
    let beyond = Point(x: frame.midX, y: isAbove ? frame.minY - 14 : frame.maxY + 16)
    picture.add(Label(text: below ?? "", place: beyond, style: .note, alignment: .centre, height: height))
  }

  /// Words in the middle of a plot that has nothing to show.
  func note(_ text: String, on picture: inout Picture) {
    let middle = Point(x: frame.midX, y: frame.midY)
    picture.add(Label(text: text, place: middle, style: .note, alignment: .centre, height: .middle))
  }

  /// Title above the frame on the left, shortened where it is longer than its room; key on the right.
  ///
  /// - Parameter distance: From the baseline to the frame, points.
  func drawHeading(
    _ text: String, _ entries: [Legend.Entry], style: TextStyle = .heading, distance: Double = 8,
    on page: inout SheetPage
  ) {
    let y = frame.minY - distance
    let room = headingRoom(beside: entries, page.metrics)
    page.line(text, at: Point(x: frame.minX, y: y), width: room, style)
    Legend(entries: entries).draw(endingAt: Point(x: frame.maxX, y: y), on: &page)
  }

  /// Width of the frame without that of a key, points.
  func headingRoom(beside entries: [Legend.Entry], _ metrics: borrowing TextMetrics) -> Double {
    frame.width - Legend(entries: entries).width(metrics)
  }

  // MARK: - Data

  /// A line through the points, broken where a value is missing, cut off at the frame.
  func line(_ points: [CurvePoint], _ stroke: Stroke, on picture: inout Picture) {
    let runs = runs(of: points).map { run in
      Mark.stroke(.polyline(Self.thinned(run, width: frame.width)), stroke)
    }
    if !runs.isEmpty { picture.marks.append(.clipped(frame, runs)) }
  }

  /// A marker at every point inside the frame.
  func markers(_ points: [CurvePoint], _ style: Symbol, on picture: inout Picture) {
    for point in points where horizontal.contains(point.x) && vertical.contains(point.y) {
      var symbol = style
      symbol.centre = place(point)
      picture.add(symbol)
    }
  }

  /// Places of the points, parted where a value is missing or has no place on the axes.
  func runs(of points: [CurvePoint]) -> [[Point]] {
    points.map(place).split { !($0.x.isFinite && $0.y.isFinite) }.map(Array.init)
  }

  /// The points, or, when there are far more than can be told apart, the highest and lowest of each half
  /// point of width, in their order: a peak never vanishes, and a long recording does not swell the file.
  static func thinned(_ points: [Point], width: Double) -> [Point] {
    let columns = Int((width * 2).rounded(.up))
    guard points.count > 4 * columns else { return points }
    var kept: [Point] = []
    var start = 0
    while start < points.count {
      let column = (points[start].x * 2).rounded(.down)
      var end = start + 1
      while end < points.count, (points[end].x * 2).rounded(.down) == column { end += 1 }
      let indices = start..<end
      let top = indices.min { points[$0].y < points[$1].y } ?? start
      let bottom = indices.max { points[$0].y < points[$1].y } ?? start
      kept += Set([start, top, bottom, end - 1]).sorted().map { points[$0] }
      start = end
    }
    return kept
  }
}

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
  func draw(endingAt end: Point, on page: inout SheetPage) {
    draw(startingAt: end.shifted(x: -width(page.metrics)), on: &page)
  }

  /// Draws the row with its left end at `start`, the text's baseline there.
  func draw(startingAt start: Point, on page: inout SheetPage) {
    var x = start.x
    let middle = start.y - Self.style.size * Label.capitalHeight / 2
    for entry in entries {
      draw(entry.sample, from: Point(x: x, y: middle), on: &page.picture)
      let place = Point(x: x + Self.sampleWidth + Self.sampleGap, y: start.y)
      page.picture.add(Label(text: entry.text, place: place, style: Self.style))
      x += entryWidth(entry, page.metrics) + Self.entryGap
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
