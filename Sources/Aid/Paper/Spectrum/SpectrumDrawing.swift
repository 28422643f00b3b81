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
  let remarks: [String]
  let ears: Binaural<Curves>

  /// - Parameters:
  ///   - title: Of the page.
  ///   - note: Time, calibration and the like, below the title.
  ///   - remarks: Sentences about what is shown, at the foot.
  package init(title: String, note: String, remarks: [String] = [], ears: Binaural<Curves>) {
    (self.title, self.note, self.remarks, self.ears) = (title, note, remarks, ears)
  }

  private static let tableTop = 566.0
  /// Greatest height of a line of the table, points.
  private static let line = 11.5
  /// Greatest size of type over the height of a line of the table, with which two lines stay apart.
  private static let typeShare = 0.9

  /// The page.
  package func picture() -> Picture {
    var page = SpectrumPage.begun(title, note)
    let foot =
      remarks + [
        "Input: at the microphone. Output: in the ear. Thin lines: each bin of the aid's own transform. The parts add up to "
          + "the applied gain."
      ]
    for ear in [Ear.right, .left] {
      SpectrumPage.name(ear, x: RenderingReport.column(ear), y: 92, on: &page)
      draw(levels(ear), ear, on: &page)
      draw(gain(ear), ear, on: &page)
      drawTable(ear, bottom: SpectrumPage.footTop(of: foot.count), on: &page)
    }
    SpectrumPage.foot(foot, on: &page)
    return page.finish()
  }

  // MARK: - Plots

  /// Two curves against frequency, with finer lines behind them.
  private struct Panel {
    var top: Double
    var height: Double
    var heading: String
    var quantity: String
    /// Both ears', which share the axis.
    var values: [Double] = []
    var step = 10.0
    var least = 0.0...30
    var span = 100.0
    var fine: [(points: [CurvePoint], stroke: Stroke)] = []
    var curves: [(points: [CurvePoint], stroke: Stroke, name: String)] = []
    /// Words where there is nothing to draw.
    var absence: String?
  }

  private func draw(_ panel: Panel, _ ear: Ear, on page: inout SheetPage) {
    let plot = Plot.byFrequency(
      in: RenderingReport.frame(ear, top: panel.top, height: panel.height),
      y: Axis.range(panel.values, step: panel.step, least: panel.least, span: panel.span), step: panel.step,
      title: ear == .right ? panel.quantity : nil, hasZero: true, on: &page.picture)
    if let absence = panel.absence { plot.note(absence, on: &page.picture) }
    for line in panel.fine { plot.line(line.points, line.stroke, on: &page.picture) }
    for curve in panel.curves { plot.line(curve.points, curve.stroke, on: &page.picture) }
    plot.drawHeading(
      panel.heading, panel.curves.map { Legend.Entry(sample: .line($0.stroke), text: $0.name) }, on: &page)
  }

  private func levels(_ ear: Ear) -> Panel {
    let both = [ears.right, ears.left].flatMap { $0.input + $0.output }
    var panel = Panel(top: 124, height: 190, heading: "Third octaves", quantity: "Level / dB SPL")
    panel.values = both.filter { Axis.frequencies.contains($0.x) }.map(\.y)
    (panel.step, panel.least, panel.span) = (20, 0...80, 140)
    panel.fine = [
      (ears[ear].inputBins, Stroke(colour: .frame, width: 0.5)),
      (ears[ear].outputBins, Stroke(colour: .ear(ear), width: 0.4)),
    ]
    panel.curves = [
      (ears[ear].input, Stroke(colour: .mutedInk, width: 1.3, dashes: [3.2, 1.8]), "input"),
      (ears[ear].output, Stroke(colour: .ear(ear), width: 1.6), "output"),
    ]
    return panel
  }

  private func gain(_ ear: Ear) -> Panel {
    var panel = Panel(top: 366, height: 150, heading: "Gain", quantity: "Gain / dB")
    panel.values = [ears.right, ears.left].flatMap { $0.target + $0.applied }.map(\.y)
    panel.curves = [
      (ears[ear].target, Stroke(colour: .ink, width: 1.2, dashes: [1, 2]), "target"),
      (ears[ear].applied, Stroke(colour: .ear(ear), width: 1.6), "applied"),
    ]
    if ears[ear].applied.isEmpty { panel.absence = "no gain: a measurement played" }
    return panel
  }

  /// Numbers of each band: the first columns, and as many parts as there is room for.
  ///
  /// - Parameter bottom: Lowest place of the last line, points.
  private func drawTable(_ ear: Ear, bottom: Double, on page: inout SheetPage) {
    let columns = ears[ear].columns.prefix(7)
    guard let first = columns.first else { return }
    // The more bands, the closer their lines.
    let line = min(Self.line, (bottom - 3 - Self.tableTop) / Double(max(first.values.count, 1)))
    let (left, width) = (
      RenderingReport.column(ear) - 22, (RenderingReport.columnWidth + 22) / Double(columns.count)
    )
    let style = TextStyle(size: min(6.5, line * Self.typeShare))
    let titles = TextStyle(size: min(5.2, line * Self.typeShare), isBold: true)
    for (place, column) in columns.enumerated() {
      let right = left + Double(place + 1) * width
      for (row, words) in ([column.name] + column.values.map { NumberText.fixed($0, place == 0 ? 0 : 1) })
        .enumerated()
      {
        let y = Self.tableTop + Double(row) * line
        page.line(words, at: Point(x: right, y: y), width: width - 2, row == 0 ? titles : style, .trailing)
      }
    }
  }
}
