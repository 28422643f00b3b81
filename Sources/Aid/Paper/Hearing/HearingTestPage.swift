import Acoustics

/// A hearing test on a page: the audiogram, and below it the same in figures.
///
/// - Threads: any but audio.
package struct HearingTestPage: Sendable {
  private let audiograms: Binaural<Audiogram>
  private let floors: Binaural<Set<Double>>
  private let subtitle: String
  private let notes: [String]

  private static let (top, height, left) = (112.0, 330.0, SheetPage.left + 36)

  /// - Parameters:
  ///   - floors: Frequencies of each ear, Hz, at which the softest tone was heard, so that the threshold lies there or below.
  ///   - subtitle: Day, sound where it is not a tone, earphone and its calibration.
  ///   - notes: Sentences about how far it is to be relied on.
  package init(
    _ audiograms: Binaural<Audiogram>, floors: Binaural<Set<Double>> = Binaural(both: []), subtitle: String,
    notes: [String]
  ) {
    (self.audiograms, self.floors, self.subtitle, self.notes) = (audiograms, floors, subtitle, notes)
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
    let last = drawTable(from: plot.frame.maxY + 66, on: &page)
    drawNotes(from: last + 22, on: &page)
    return page.finish()
  }

  // MARK: - Notes

  /// Sizes of notes, points: the greatest in which all of them have room, none of them shortened.
  private static let noteSizes = [8.5, 7.5, 6.5]
  /// From the last baseline of a note to the first one of the next, em.
  private static let noteGap = 1.5

  private func drawNotes(from top: Double, on page: inout SheetPage) {
    var size = 0.0
    for candidate in Self.noteSizes {
      size = candidate
      var lines = 0
      for note in notes {
        lines += page.metrics.wrapped(note, to: SheetPage.contentWidth, TextStyle(size: size)).count
      }
      let height = size * (1.25 * Double(lines - notes.count) + Self.noteGap * Double(notes.count))
      if top + height <= SheetPage.height - SheetPage.margin { break }
    }
    var y = top
    for note in notes {
      y =
        page.block(
          note, at: Point(x: SheetPage.left, y: y), width: SheetPage.contentWidth, SheetPage.text,
          sizes: [size], lines: .max) + size * Self.noteGap
    }
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
    let sign = point.hasResponse ? floors[ear].contains(frequency) ? "≤ " : "" : "> "
    return sign + NumberWords.whole(point.threshold.decibels)
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
