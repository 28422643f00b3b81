import Acoustics
import Glibc
import Laboratory

/// Sound before and behind the aid over a stretch of time, as one page: for each ear the levels of the bands at the
/// microphone above those in the ear, the gain, and what limited or changed it.
///
/// Time runs to the right. Both spectrograms of both ears share one scale of colours, which reads in grey too.
///
/// - Threads: any but audio.
package struct SpectrogramDrawing: Sendable {
  /// One ear's course in columns of equal time, oldest first.
  package struct Course: Sendable {
    /// Level of each band, dB SPL; nil where no spectrum came.
    package var input: [[Double]?] = []
    package var output: [[Double]?] = []
    /// Applied gain, dB, against s, with the names of its bands.
    package var gains: [(name: String, points: [CurvePoint])] = []
    package var lanes: [Lane] = []

    package init() {}
  }

  /// Stretches in which something was the case.
  package struct Lane: Sendable {
    package var name: String
    /// With words, or none, to be read in it, s.
    package var stretches: [(time: ClosedRange<Double>, words: String)]

    package init(name: String, stretches: [(time: ClosedRange<Double>, words: String)]) {
      (self.name, self.stretches) = (name, stretches)
    }
  }

  let title: String
  let note: String
  let foot: [String]
  let time: ClosedRange<Double>
  let bands: [Double]
  let ears: [(ear: Ear, course: Course)]

  /// - Parameters:
  ///   - note: Below the title: length, calibration.
  ///   - foot: Last lines: where the numbers are.
  ///   - time: From the beginning of the first column to the end of the last, s.
  ///   - bands: Centres, Hz, rising.
  ///   - ears: One or two, from the left.
  package init(
    title: String, note: String, foot: [String], time: ClosedRange<Double>, bands: [Double],
    ears: [(ear: Ear, course: Course)]
  ) {
    (self.title, self.note, self.foot) = (title, note, foot)
    (self.time, self.bands, self.ears) = (time, bands, ears)
  }

  private static let inputTop = 146.0
  private static let outputTop = 386.0
  private static let spectrogramHeight = 200.0
  private static let gainTop = 622.0
  private static let gainHeight = 88.0
  private static let laneTop = 743.0
  private static let laneHeight = 13.0
  /// Rows of cells in a spectrogram: bands are of unlike height on a logarithmic axis, and a row belongs to one.
  private static let rows = 240

  /// The page.
  package func picture() -> Picture {
    var page = SpectrumPage.begun(title, note)
    drawScale(on: &page)
    for (place, (ear, course)) in ears.enumerated() {
      let isFirst = place == 0
      SpectrumPage.name(ear, x: x(place), y: 120, on: &page)
      drawSpectrogram("Input, at the microphone", course.input, Self.inputTop, place, on: &page)
      drawSpectrogram("Output, in the ear", course.output, Self.outputTop, place, on: &page)
      drawGains(course, ear, place, on: &page)
      for (index, lane) in course.lanes.enumerated() {
        drawLane(lane, Self.laneTop + Double(index) * Self.laneHeight, place, isNamed: isFirst, on: &page)
      }
    }
    SpectrumPage.foot(
      [
        "limiter, howl relief: at least 1 dB taken away at the moment of a spectrum; muted: at least 20 dB, or before sound "
          + "has risen.", "Colours: viridis (S. van der Walt and N. Smith 2015).",
      ] + foot, on: &page)
    return page.finish()
  }

  // MARK: - Places

  private var columnWidth: Double {
    ears.count > 1
      ? RenderingReport.columnWidth : 2 * RenderingReport.columnWidth + RenderingReport.gutter
  }

  private func x(_ place: Int) -> Double {
    RenderingReport.leftMargin + Double(place) * (columnWidth + RenderingReport.gutter)
  }

  private func frame(_ place: Int, _ top: Double, _ height: Double) -> Rectangle {
    Rectangle(x: x(place), y: top, width: columnWidth, height: height)
  }

  private var seconds: [Tick] {
    Tick.multiples(
      of: Tick.step(dividing: time.upperBound - time.lowerBound, into: ears.count > 1 ? 6 : 12), in: time)
  }

  // MARK: - Levels

  /// Levels that the scale's ends stand for, dB SPL.
  private var levels: ClosedRange<Double> {
    let shown = ears.flatMap { [$0.course.input, $0.course.output] }.joined().compactMap(\.self).joined()
    return Axis.range(Array(shown), step: 20, least: 20...80, span: 100)
  }

  /// Steps of the scale of colours in a spectrogram; own choice: 2 dB where it spans 100 dB. More say nothing to the eye, and each is a path
  /// of an SVG.
  private static let colourSteps = 50.0

  private func colour(_ level: Double, _ levels: ClosedRange<Double>) -> Colour {
    let share = (level - levels.lowerBound) / (levels.upperBound - levels.lowerBound)
    return ColourScale.colour((share * Self.colourSteps).rounded() / Self.colourSteps)
  }

  private func drawScale(on page: inout SheetPage) {
    let levels = levels
    let bar = Rectangle(x: SpectrumPage.right - 220, y: 78, width: 200, height: 9)
    let scale = Axis(.linear, levels, from: bar.minX, to: bar.maxX)
    page.picture.marks.append(
      .cells(bar, columns: 100, (0..<100).map { ColourScale.colour((Double($0) + 0.5) / 100) }))
    page.picture.stroke(.rectangle(bar), .frame)
    page.picture.add(
      Label(
        text: "Level of a band / dB SPL", place: Point(x: bar.minX - 10, y: bar.midY), style: .note,
        alignment: .trailing, height: .middle))
    for tick in Tick.multiples(of: 20, in: levels) {
      let place = Point(x: scale.position(tick.value), y: bar.maxY + 3)
      page.picture.stroke(.line(place.shifted(y: -3), place), .frame)
      page.picture.add(
        Label(text: tick.label, place: place.shifted(y: 2), style: .tick, alignment: .centre, height: .top))
    }
  }

  /// From the lower edge of the lowest to the upper one of the highest band, Hz; between two bands the middle of
  /// the logarithmic axis.
  private var frequencies: ClosedRange<Double> {
    guard bands.count > 1 else { return Axis.frequencies }
    let last = bands.count - 1
    return bands[0] * (bands[0] / bands[1]).squareRoot()...bands[last]
      * (bands[last] / bands[last - 1]).squareRoot()
  }

  private func drawSpectrogram(
    _ heading: String, _ columns: [[Double]?], _ top: Double, _ place: Int, on page: inout SheetPage
  ) {
    let plot = Plot(
      in: frame(place, top, Self.spectrogramHeight), x: time, .linear, y: frequencies, .logarithmic)
    let levels = levels
    let (low, high) = (frequencies.lowerBound, frequencies.upperBound)
    let edges = zip(bands, bands.dropFirst()).map { ($0 * $1).squareRoot() }
    let cells = (0..<Self.rows).flatMap { row -> [Colour] in
      let share = 1 - (Double(row) + 0.5) / Double(Self.rows)
      let frequency = low * pow(high / low, share)
      let band = edges.firstIndex { frequency < $0 } ?? edges.count
      return columns.map { column in
        column.map { colour($0.indices.contains(band) ? $0[band] : -200, levels) } ?? .paper
      }
    }
    if columns.isEmpty { plot.note("no spectrum", on: &page.picture) }
    page.picture.marks.append(.cells(plot.frame, columns: columns.count, cells))
    plot.drawFrame(
      x: seconds, y: Tick.octaves, title: place == 0 ? "Frequency / Hz" : nil,
      hasGrid: false,
      on: &page.picture)
    plot.drawHeading(heading, [], on: &page)
  }

  // MARK: - Gain and events

  private func drawGains(_ course: Course, _ ear: Ear, _ place: Int, on page: inout SheetPage) {
    let values = ears.flatMap { $0.course.gains }.flatMap(\.points).map(\.y).filter { $0 > -60 }
    let range = Axis.range(values, step: 10, least: 0...20, span: 80)
    let plot = Plot(in: frame(place, Self.gainTop, Self.gainHeight), x: time, .linear, y: range)
    plot.drawFrame(
      x: seconds, y: Tick.multiples(of: range.upperBound - range.lowerBound > 50 ? 20 : 10, in: range),
      title: place == 0 ? "Gain / dB" : nil, below: "Time / s", hasZero: true, on: &page.picture)
    let strokes = course.gains.indices.map {
      Stroke(colour: $0 % 2 == 0 ? .ink : .ear(ear), width: 1, dashes: $0 % 2 == 0 ? [2, 1.5] : [])
    }
    for (gain, stroke) in zip(course.gains, strokes) { plot.line(gain.points, stroke, on: &page.picture) }
    if course.gains.isEmpty { plot.note("no gain: a measurement played", on: &page.picture) }
    plot.drawHeading(
      "Gain",
      zip(course.gains, strokes).map { Legend.Entry(sample: .line($1), text: $0.name) }, on: &page)
  }

  private func drawLane(
    _ lane: Lane, _ top: Double, _ place: Int, isNamed: Bool, on page: inout SheetPage
  ) {
    let frame = frame(place, top, Self.laneHeight - 2)
    let axis = Axis(.linear, time, from: frame.minX, to: frame.maxX)
    for (index, stretch) in lane.stretches.enumerated() {
      let (start, end) = (axis.position(stretch.time.lowerBound), axis.position(stretch.time.upperBound))
      // What lasted a moment only is still to be seen.
      let area = Rectangle(x: start, y: top, width: max(end - start, 1), height: frame.height)
      let hasWords = !stretch.words.isEmpty
      let fill = hasWords ? (index % 2 == 0 ? Colour.panel : .grid) : .mutedInk
      page.picture.marks.append(.clipped(frame, [.fill(.rectangle(area), fill)]))
      let style = TextStyle(size: 6.5)
      guard hasWords, page.metrics.width(of: stretch.words, style) + 4 <= area.width else { continue }
      page.picture.add(
        Label(text: stretch.words, place: Point(x: start + 2, y: frame.midY), style: style, height: .middle)
      )
    }
    page.picture.stroke(.rectangle(frame), .frame)
    guard isNamed else { return }
    page.picture.add(
      Label(
        text: lane.name, place: Point(x: frame.minX - 4, y: frame.midY), style: .tick, alignment: .trailing,
        height: .middle))
  }
}
