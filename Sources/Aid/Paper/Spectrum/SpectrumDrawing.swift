import Acoustics
import Base
import Laboratory

/// Sound before and behind the aid and the gain between them, of both ears, as one page: spectra, gain, and the
/// parts of the gain in numbers.
///
/// The right ear stands on the left, as it does when facing the listener and on paired audiograms.
///
/// - Threads: any but audio.
package struct SpectrumDrawing: Sendable {
  /// Curves and numbers of one ear.
  package struct Curves: Sendable {
    /// Levels against Hz, dB SPL: each bin, and third octaves.
    package var inputBins: [CurvePoint] = []
    package var outputBins: [CurvePoint] = []
    package var input: [CurvePoint] = []
    package var output: [CurvePoint] = []
    /// Gain of each band against Hz, dB; empty where none is known.
    package var target: [CurvePoint] = []
    package var applied: [CurvePoint] = []
    /// Columns of the table, one number for each band, with their names.
    package var columns: [(name: String, values: [Double])] = []

    package init() {}
  }

  let title: String
  let note: String
  let ears: Binaural<Curves>

  /// - Parameters:
  ///   - title: Of the page.
  ///   - note: Time, calibration and the like, below the title.
  package init(title: String, note: String, ears: Binaural<Curves>) {
    (self.title, self.note, self.ears) = (title, note, ears)
  }

  private static let spectrumTop = 124.0
  private static let spectrumHeight = 190.0
  private static let gainTop = 366.0
  private static let gainHeight = 150.0
  private static let tableTop = 566.0
  /// Height of a line of the table, points.
  private static let line = 11.5

  /// The page.
  package func picture() -> Picture {
    var page = SheetPage(
      title: "Auricle: " + title, width: RenderingReport.width, height: RenderingReport.height)
    let x = RenderingReport.leftMargin - 34
    let room = RenderingReport.width - RenderingReport.rightMargin - x
    page.line(title, at: Point(x: x, y: 40), width: room, .title)
    page.line(note, at: Point(x: x, y: 57), width: room, .body)
    page.picture.stroke(
      .line(Point(x: x, y: 68), Point(x: RenderingReport.width - RenderingReport.rightMargin, y: 68)),
      .frame)
    for ear in [Ear.right, .left] {
      let style = TextStyle(size: 10.5, isBold: true, colour: .ear(ear))
      let name = ear == .right ? "Right ear" : "Left ear"
      page.picture.add(Label(text: name, place: Point(x: column(ear), y: 92), style: style))
      drawSpectrum(ear, on: &page)
      drawGain(ear, on: &page)
      drawTable(ear, on: &page)
    }
    page.line(
      "Input: at the microphone. Output: in the ear. Thin lines: each bin of the aid's own transform. The parts add up to "
        + "the applied gain.", at: Point(x: x, y: 826), width: room, .note)
    return page.finish()
  }

  private func column(_ ear: Ear) -> Double {
    ear == .right
      ? RenderingReport.leftMargin
      : RenderingReport.leftMargin + RenderingReport.columnWidth + RenderingReport.gutter
  }

  private func frame(_ ear: Ear, top: Double, height: Double) -> Rectangle {
    Rectangle(x: column(ear), y: top, width: RenderingReport.columnWidth, height: height)
  }

  private func drawSpectrum(_ ear: Ear, on page: inout SheetPage) {
    let both = [ears.right, ears.left].flatMap { $0.input + $0.output }
    let shown = both.filter { Axis.frequencies.contains($0.x) }.map(\.y)
    let range = Axis.range(shown, step: 20, least: 0...80, span: 140)
    let plot = Plot.byFrequency(
      in: frame(ear, top: Self.spectrumTop, height: Self.spectrumHeight), y: range, step: 20,
      title: ear == .right ? "Level / dB SPL" : nil, hasZero: true, on: &page.picture)
    let (input, output) = (
      Stroke(colour: .mutedInk, width: 1.3, dashes: [3.2, 1.8]), Stroke(colour: .ear(ear), width: 1.6)
    )
    plot.line(ears[ear].inputBins, Stroke(colour: .frame, width: 0.5), on: &page.picture)
    plot.line(ears[ear].outputBins, Stroke(colour: .ear(ear), width: 0.4), on: &page.picture)
    plot.line(ears[ear].input, input, on: &page.picture)
    plot.line(ears[ear].output, output, on: &page.picture)
    plot.drawHeading(
      "Third octaves",
      [
        Legend.Entry(sample: .line(input), text: "input"),
        Legend.Entry(sample: .line(output), text: "output"),
      ],
      on: &page)
  }

  private func drawGain(_ ear: Ear, on page: inout SheetPage) {
    let values = [ears.right, ears.left].flatMap { $0.target + $0.applied }.map(\.y)
    let range = Axis.range(values, step: 10, least: 0...30, span: 100)
    let plot = Plot.byFrequency(
      in: frame(ear, top: Self.gainTop, height: Self.gainHeight), y: range, step: 10,
      title: ear == .right ? "Gain / dB" : nil, hasZero: true, on: &page.picture)
    let target = Stroke(colour: .ink, width: 1.2, dashes: [1, 2])
    let applied = Stroke(colour: .ear(ear), width: 1.6)
    if ears[ear].applied.isEmpty { plot.note("no gain: a measurement played", on: &page.picture) }
    plot.line(ears[ear].target, target, on: &page.picture)
    plot.line(ears[ear].applied, applied, on: &page.picture)
    plot.drawHeading(
      "Gain",
      [
        Legend.Entry(sample: .line(target), text: "target"),
        Legend.Entry(sample: .line(applied), text: "applied"),
      ],
      on: &page)
  }

  /// Numbers of each band: the first columns, and as many parts as there is room for.
  private func drawTable(_ ear: Ear, on page: inout SheetPage) {
    let columns = ears[ear].columns.prefix(7)
    guard !columns.isEmpty else { return }
    let (left, width) = (column(ear) - 22, (RenderingReport.columnWidth + 22) / Double(columns.count))
    let style = TextStyle(size: 6.5)
    for (place, column) in columns.enumerated() {
      let right = left + Double(place + 1) * width
      for (row, words) in ([column.name] + column.values.map { NumberText.fixed($0, place == 0 ? 0 : 1) })
        .enumerated()
      {
        let y = Self.tableTop + Double(row) * Self.line
        page.line(
          words, at: Point(x: right, y: y), width: width - 2,
          row == 0 ? TextStyle(size: 5.2, isBold: true) : style, .trailing)
      }
    }
  }
}
