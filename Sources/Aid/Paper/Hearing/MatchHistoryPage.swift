import Acoustics
import Base
import Laboratory

/// Number of a table's cell.
enum NumberWords {
  static func whole(_ value: Double) -> String { NumberText.fixed(value, 0) }
}

/// Matches over the days on pages: a plot for each kind, ear and sound, and below each the same in figures.
///
/// - Threads: any but audio.
package struct MatchHistoryPage: Sendable {
  /// Matches of one kind by one ear and sound.
  package struct Course: Sendable {
    /// Vertical axis.
    package enum Scale: Sendable {
      /// dB HL.
      case hearingLevel
      /// Hz.
      case frequency
      /// Likeness to the tinnitus, 0 to 100.
      case likeness
      /// Loudness of the tinnitus, per cent of the usual.
      case loudness
    }

    /// A series of values.
    package struct Line: Sendable {
      /// For the key; empty where there is one line.
      package let name: String
      /// Days after the first match of all, and the value.
      package let points: [(day: Double, value: Double)]

      package init(_ name: String = "", _ points: [(day: Double, value: Double)]) {
        (self.name, self.points) = (name, points)
      }
    }

    package let ear: Ear
    /// Of the plot: "Loudness, right ear, 1000 Hz".
    package let title: String
    package let scale: Scale
    /// One, or three of a bandwidth.
    package let lines: [Line]
    /// Mean with the values a standard deviation below and above it; nil: not told.
    package let spread: (low: Double, mean: Double, high: Double)?
    /// Standard deviation in words; nil: not told.
    package let deviation: String?
    /// Day and figures of each match in words.
    package let rows: [(day: String, value: String)]

    package init(
      ear: Ear, title: String, scale: Scale, lines: [Line],
      spread: (low: Double, mean: Double, high: Double)? = nil, deviation: String? = nil,
      rows: [(day: String, value: String)]
    ) {
      (self.ear, self.title, self.scale, self.lines) = (ear, title, scale, lines)
      (self.spread, self.deviation, self.rows) = (spread, deviation, rows)
    }
  }

  private let courses: [Course]

  private static let perPage = 3
  /// Days shown at most, own choice: ten years, of which the last ones are kept.
  private static let longest = 3650.0
  /// Days that can be meant, own choice: a century, which no record of one person exceeds unless a clock was wrong.
  private static let days = 0.0...36_525
  private static let (left, top, height, distance) = (SheetPage.left + 36, 92.0, 96.0, 236.0)
  /// From the frame down to the first figures, and from line to line above the frame, points.
  private static let (figureDistance, leading) = (36.0, 10.0)
  /// Rows of a column of figures.
  private static let rows = 8

  package init(_ courses: [Course]) { self.courses = courses }

  /// One page or more.
  package func pages() -> [Picture] {
    let days = Axis.range(
      courses.flatMap { $0.lines.flatMap { $0.points.map(\.day) } }, step: 1, least: 0...1,
      span: Self.longest, plausible: Self.days)
    let parts = stride(from: 0, to: max(courses.count, 1), by: Self.perPage).map {
      courses.dropFirst($0).prefix(Self.perPage)
    }
    return parts.enumerated().map { number, courses in
      var page = SheetPage(title: "Auricle: matches")
      page.line("Matches", at: Point(x: SheetPage.left, y: 50), width: 300, SheetPage.documentTitle)
      if courses.isEmpty {
        page.line(
          "There are none yet.", at: Point(x: SheetPage.left, y: 76), width: 300, SheetPage.text)
      }
      for (index, course) in courses.enumerated() {
        draw(course, top: Self.top + Self.distance * Double(index), days: days, on: &page)
      }
      var picture = page.finish()
      if parts.count > 1 { picture.number(number + 1, of: parts.count) }
      return picture
    }
  }

  private func draw(_ course: Course, top: Double, days: ClosedRange<Double>, on page: inout SheetPage) {
    let frame = Rectangle(
      x: Self.left, y: top, width: SheetPage.right - Self.left, height: Self.height)
    let (range, ticks, title) = course.axis
    let plot = Plot(
      in: frame, x: days, .linear, y: range, course.scale == .frequency ? .logarithmic : .linear)
    let step = Tick.step(dividing: days.upperBound - days.lowerBound, into: 10)
    plot.drawFrame(
      x: Tick.multiples(of: max(1, step), in: days), y: ticks, title: title,
      below: "Days after the first match", on: &page.picture)
    if let spread = course.spread {
      for (value, dashes) in [(spread.mean, []), (spread.low, [3.0, 2]), (spread.high, [3.0, 2])] {
        plot.line(
          [CurvePoint(x: days.lowerBound, y: value), CurvePoint(x: days.upperBound, y: value)],
          Stroke(colour: .mutedInk, width: 0.8, dashes: dashes), on: &page.picture)
      }
    }
    var entries: [Legend.Entry] = []
    for (index, line) in course.lines.enumerated() {
      let points = line.points.map { CurvePoint(x: $0.day, y: $0.value) }
      let symbol = course.symbol(of: index)
      plot.line(
        points, Stroke(colour: .ear(course.ear), width: 1.1, dashes: course.dashes(of: index)),
        on: &page.picture)
      plot.markers(points, symbol, on: &page.picture)
      if !line.name.isEmpty { entries.append(Legend.Entry(sample: .marker(symbol), text: line.name)) }
    }
    drawHeading(course, entries, of: plot, on: &page)
    drawFigures(course, from: frame.maxY + Self.figureDistance, on: &page)
  }

  /// Title and standard deviation in one line, or in two where one has no room for both.
  private func drawHeading(
    _ course: Course, _ entries: [Legend.Entry], of plot: Plot, on page: inout SheetPage
  ) {
    let deviation = course.deviation.map { "test–retest standard deviation \($0) (dashed)" }
    let whole = [course.title, deviation].compactMap(\.self).joined(separator: ", ")
    let room = plot.headingRoom(beside: entries, page.metrics)
    guard let deviation, page.metrics.width(of: whole, .heading) > room else {
      plot.drawHeading(whole, entries, on: &page)
      return
    }
    plot.drawHeading(course.title, entries, distance: 8 + Self.leading, on: &page)
    page.line(
      deviation.prefix(1).uppercased() + deviation.dropFirst(),
      at: Point(x: plot.frame.minX, y: plot.frame.minY - 8), width: plot.frame.width, .note)
  }

  /// The newest matches in columns, one below another.
  private func drawFigures(_ course: Course, from top: Double, on page: inout SheetPage) {
    // Figures that take half of the page's width have two columns, others three.
    let columns = course.rows.contains { $0.value.count > 26 } ? 2 : 3
    let rows = course.rows.suffix(columns * Self.rows)
    let width = SheetPage.contentWidth / Double(columns)
    for (index, row) in rows.enumerated() {
      let x = SheetPage.left + width * Double(index / Self.rows)
      let y = top + 9.5 * Double(index % Self.rows)
      page.line(row.day, at: Point(x: x, y: y), width: 72, SheetPage.caption)
      page.line(row.value, at: Point(x: x + 74, y: y), width: width - 80, SheetPage.caption)
    }
    guard rows.count < course.rows.count else { return }
    page.line(
      "The newest \(rows.count) of \(course.rows.count); all of them: auricle match history",
      at: Point(x: SheetPage.left, y: top + 9.5 * Double(Self.rows)), width: SheetPage.contentWidth,
      SheetPage.caption)
  }
}

extension MatchHistoryPage.Course {
  private var values: [Double] { lines.flatMap { $0.points.map(\.value) } }

  /// Range, marks and title of the vertical axis.
  fileprivate var axis: (ClosedRange<Double>, [Tick], String) {
    switch scale {
    case .hearingLevel:
      let range = Axis.range(values, step: 10, least: 10...20, span: 120)
      return (range, Tick.multiples(of: 10, in: range), "dB HL")
    case .frequency:
      // Half an octave beyond the lowest and the highest pitch, 500 Hz to 16 kHz at most.
      let known = values.filter { $0 > 0 && $0.isFinite }
      let low = max((known.min() ?? 1000) * 0.7, 100)
      let high = min(max((known.max() ?? 4000) * 1.4, low * 4), 24_000)
      let range = min(low, high / 4)...high
      return (range, Tick.octaves + Tick.halfOctaves, "Pitch / Hz")
    case .likeness: return (0...100, Tick.multiples(of: 20, in: 0...100), "Likeness")
    case .loudness:
      let top = (values.max() ?? 0) > 110 ? 200.0 : 120
      return (0...top, Tick.multiples(of: top > 120 ? 50 : 20, in: 0...top), "Loudness / %")
    }
  }

  fileprivate func symbol(of line: Int) -> Symbol {
    let markers = [.threshold(ear, .air, isMasked: false), Marker.square, .triangle]
    return Symbol(
      marker: markers[line % markers.count], centre: Point(x: 0, y: 0), size: 6, colour: .ear(ear))
  }

  fileprivate func dashes(of line: Int) -> [Double] {
    lines.count > 1 ? [[], [4, 2.5], [1.2, 2]][line % 3] : ear == .right ? [] : [4, 2.5]
  }
}
