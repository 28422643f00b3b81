import Acoustics

/// A hearing test on a page: the audiogram, and below it the same in figures.
///
/// - Threads: any but audio.
package struct HearingTestPage: Sendable {
  private let audiograms: Binaural<Audiogram>
  private let subtitle: String
  private let notes: [String]

  private static let (top, height, left) = (112.0, 330.0, SheetPage.left + 36)

  /// - Parameters:
  ///   - subtitle: Day, earphone and its calibration.
  ///   - notes: Sentences about how far it is to be relied on.
  package init(_ audiograms: Binaural<Audiogram>, subtitle: String, notes: [String]) {
    (self.audiograms, self.subtitle, self.notes) = (audiograms, subtitle, notes)
  }

  package func picture() -> Picture {
    var page = SheetPage(title: "Auricle: hearing test")
    page.line("Hearing test", at: Point(x: SheetPage.left, y: 50), width: 300, SheetPage.documentTitle)
    page.line(subtitle, at: Point(x: SheetPage.left, y: 68), width: SheetPage.contentWidth, SheetPage.text)
    let drawing = AudiogramDrawing(audiograms.map { $0 })
    let plot = drawing.plot(at: Point(x: Self.left, y: Self.top), height: Self.height)
    drawing.drawFrame(plot, isSmall: false, on: &page.picture)
    drawing.drawPoints([.right, .left], in: plot, size: 10, on: &page.picture)
    let key = Point(x: Self.left, y: plot.frame.maxY + 22)
    drawing.drawKey(at: key, width: plot.frame.width, leading: 13, on: &page)
    var y = drawTable(from: plot.frame.maxY + 66, on: &page) + 22
    for note in notes {
      y =
        page.block(
          note, at: Point(x: SheetPage.left, y: y), width: SheetPage.contentWidth, SheetPage.text,
          sizes: [8.5], lines: 2) + 13
    }
    return page.finish()
  }

  // MARK: - Figures

  /// Between two columns of figures, points; own choice: more than a space, which parts "> 90".
  private static let columnGap = 6.0
  /// Room for the name of a row, points.
  private static let nameWidth = 90.0

  /// Thresholds in figures, below one another where one row has no room for all frequencies: a figure is never shortened.
  ///
  /// - Returns: The last baseline.
  private func drawTable(from top: Double, on page: inout SheetPage) -> Double {
    let frequencies = Set(Ear.allCases.flatMap { audiograms[$0].airPoints.map(\.frequency) }).sorted()
    let room = SheetPage.contentWidth - Self.nameWidth
    let widest = widestCell(of: frequencies, page.metrics) + Self.columnGap
    let most = max(1, Int(room / widest))
    let blocks = max(1, (frequencies.count + most - 1) / most)
    let columns = max(1, (frequencies.count + blocks - 1) / blocks)
    var last = top
    for block in 0..<blocks {
      let shown = Array(frequencies.dropFirst(block * columns).prefix(columns))
      if block > 0 { last += 22 }
      last = drawRows(of: shown, step: room / Double(columns), from: last, on: &page)
    }
    return last
  }

  /// - Returns: The last baseline.
  private func drawRows(
    of frequencies: [Double], step: Double, from top: Double, on page: inout SheetPage
  ) -> Double {
    func row(_ name: String, _ y: Double, _ style: TextStyle, _ cell: (Double) -> String) {
      page.line(name, at: Point(x: SheetPage.left, y: y), width: Self.nameWidth - 2, style)
      for (index, frequency) in frequencies.enumerated() {
        let x = SheetPage.left + Self.nameWidth + step * (Double(index) + 0.8)
        page.line(cell(frequency), at: Point(x: x, y: y), width: step, style, .trailing)
      }
    }
    row("Frequency / Hz", top, .note) { NumberWords.whole($0) }
    for (line, ear) in [Ear.right, .left].enumerated() {
      row(
        ear == .right ? "Right / dB HL" : "Left / dB HL", top + 15 * Double(line + 1), Self.figures(of: ear)
      ) { figure(of: ear, at: $0) }
    }
    return top + 30
  }

  private static func figures(of ear: Ear) -> TextStyle { TextStyle(size: 8.5, colour: .ear(ear)) }

  private func figure(of ear: Ear, at frequency: Double) -> String {
    guard let point = audiograms[ear].airPoints.first(where: { $0.frequency == frequency }) else {
      return "–"
    }
    return (point.hasResponse ? "" : "> ") + NumberWords.whole(point.threshold.decibels)
  }

  private func widestCell(of frequencies: [Double], _ metrics: borrowing TextMetrics) -> Double {
    var widest = 0.0
    for frequency in frequencies {
      widest = max(widest, metrics.width(of: NumberWords.whole(frequency), .note))
      for ear in Ear.allCases {
        widest = max(widest, metrics.width(of: figure(of: ear, at: frequency), Self.figures(of: ear)))
      }
    }
    return widest
  }
}
