import Acoustics
import Base
import Fitting
import Prescriptions

/// Targets as a table: a row for each frequency, both ears side by side.
struct TargetTableDrawing {
  private static let heading = 37.0
  private static let frequencyShare = 1.2

  let targets: Binaural<[TargetTable.Point]>

  private var frequencies: [Double] {
    Set(Ear.allCases.flatMap { targets[$0].map(\.frequency) }).sorted()
  }

  /// Draws the heading at the top and as many rows as there are, at most down to the frame's lower edge.
  func draw(in frame: Rectangle, on page: inout SheetPage) {
    let y = frame.minY + SheetPage.section.size * Label.capitalHeight
    page.line("Targets", at: Point(x: frame.x, y: y), width: frame.width, SheetPage.section)
    let words = ["Insertion gain, dB, for speech at 50, 65 and 80 dB SPL", "max: greatest output, dB SPL"]
    for (row, text) in words.enumerated() {
      let place = Point(x: frame.x, y: y + 11 + 8.5 * Double(row))
      page.line(text, at: place, width: frame.width, SheetPage.caption)
    }
    let top = y + 22
    let rowHeight = min(14, (frame.maxY - top - Self.heading + 8) / Double(max(frequencies.count, 1)))
    drawTable(at: Point(x: frame.x, y: top), width: frame.width, rowHeight: rowHeight, on: &page)
  }

  private func drawTable(at corner: Point, width: Double, rowHeight: Double, on page: inout SheetPage) {
    let ears = [Ear.right, .left]
    let column = width / (Self.frequencyShare + 8)
    let first = Self.frequencyShare * column
    let size = min(8, rowHeight * 0.74, column * 0.36)
    let body = corner.y + Self.heading - 8
    for (row, _) in frequencies.enumerated() where row % 2 == 0 {
      let stripe = Rectangle(
        x: corner.x, y: body + Double(row) * rowHeight, width: width, height: rowHeight)
      page.picture.fill(.rectangle(stripe), .panel)
    }
    func cell(_ text: String, x: Double, y: Double, _ style: TextStyle) {
      page.picture.add(Label(text: text, place: Point(x: x, y: y), style: style, alignment: .trailing))
    }
    let caption = TextStyle(size: min(7, size), colour: .mutedInk)
    cell("Hz", x: corner.x + first - 2, y: body - 5, caption)
    for (index, ear) in ears.enumerated() {
      let x = corner.x + first + 4 * column * Double(index)
      let name = ear == .right ? "Right ear" : "Left ear"
      page.picture.add(
        Label(
          text: name, place: Point(x: x + 5 * column / 2 - column / 4, y: body - 17),
          style: TextStyle(size: 8, isBold: true, colour: .ear(ear)), alignment: .centre))
      let line = Path.line(
        Point(x: x + column * 0.25, y: body - 13.5), Point(x: x + 4 * column - 2, y: body - 13.5))
      page.picture.stroke(line, Stroke(colour: .ear(ear), width: 0.7))
      for (k, title) in ["50", "65", "80", "max"].enumerated() {
        cell(title, x: x + Double(k + 1) * column - 2, y: body - 5, caption)
      }
    }
    page.picture.stroke(.line(Point(x: corner.x, y: body), Point(x: corner.x + width, y: body)), .frame)
    for (row, frequency) in frequencies.enumerated() {
      let y = body + (Double(row) + 0.5) * rowHeight + size * Label.capitalHeight / 2
      let places = frequency == frequency.rounded() ? 0 : 1
      cell(
        NumberText.fixed(frequency, places), x: corner.x + first - 2, y: y,
        TextStyle(size: size, isBold: true))
      for (index, ear) in ears.enumerated() {
        let x = corner.x + first + 4 * column * Double(index)
        for (k, text) in texts(ear, frequency).enumerated() {
          cell(text, x: x + Double(k + 1) * column - 2, y: y, TextStyle(size: size))
        }
      }
    }
  }

  /// Gains at 50, 65 and 80 dB SPL and greatest output; a dash where nothing is stated.
  private func texts(_ ear: Ear, _ frequency: Double) -> [String] {
    guard let target = targets[ear].first(where: { $0.frequency == frequency }) else {
      return ["–", "–", "–", "–"]
    }
    let gains = SpeechLevel.allCases.map { NumberText.fixed(target.gains[$0]) }
    return gains + [NumberText.fixed(target.maximumOutput?.decibels, 0)]
  }
}

/// Fitting and findings, in two columns at the lower end of the page.
struct SheetDetails {
  private struct Line {
    var label = ""
    var text: String
  }

  private static let leading = 10.3
  private static let heading = 13.5
  private static let labelWidth = 64.0
  private static let style = TextStyle(size: 7.8)

  /// Room for the headings and two lines, points.
  static let leastHeight = heading + 2 * leading

  private let fitting: [Line]
  private let findings: [Line]

  init(_ report: PrescriptionReport, _ metrics: borrowing TextMetrics) {
    let prescription = report.prescription
    var fitting: [Line] = []
    func add(_ label: String, _ texts: [String]) {
      let room = SheetPage.columnWidth - Self.labelWidth
      var label = label
      for text in texts {
        for line in metrics.wrapped(text, to: room, Self.style) {
          fitting.append(Line(label: label, text: line))
          label = ""
        }
      }
    }
    add("Targets from", [prescription.fittingWords])
    add("Lowering", prescription.loweringWords)
    add("Tinnitus sound", prescription.tinnitusSoundWords)
    add("Adaptation", [prescription.adaptationWords ?? "none: the whole gain"])
    let allowed = prescription.adjustmentWords.joined(separator: ", ")
    add("You may turn", [allowed.isEmpty ? "neither volume nor tone" : allowed])
    // The one that may be long comes last: what finds no room is counted.
    let tuning = prescription.fineTuningWords
    add("Fine tuning", tuning.isEmpty ? ["none"] : tuning)
    self.fitting = fitting
    var findings: [Line] = []
    for finding in report.findings {
      let lines = metrics.wrapped(finding.sentence, to: SheetPage.columnWidth - 9, Self.style)
      for (index, line) in lines.enumerated() {
        findings.append(Line(label: index == 0 ? "•" : "", text: line))
      }
    }
    self.findings = findings.isEmpty ? [Line(text: "none")] : findings
  }

  /// Room that everything needs, points.
  var height: Double { Self.heading + Double(max(fitting.count, findings.count)) * Self.leading }

  /// Draws both columns; lines that do not fit into `height` are counted.
  func draw(top: Double, height: Double, on page: inout SheetPage) {
    let room = max(Int(((height - Self.heading) / Self.leading + 1e-6).rounded(.down)), 1)
    draw("Fitting", fitting, x: SheetPage.left, top, indent: Self.labelWidth, room: room, on: &page)
    draw("Findings", findings, x: SheetPage.secondColumn, top, indent: 9, room: room, on: &page)
  }

  private func draw(
    _ title: String, _ lines: [Line], x: Double, _ top: Double, indent: Double, room: Int,
    on page: inout SheetPage
  ) {
    let base = top + SheetPage.section.size * Label.capitalHeight
    page.line(title, at: Point(x: x, y: base), width: SheetPage.columnWidth, SheetPage.section)
    var shown = lines
    if lines.count > room {
      let count = lines.count - room + 1
      shown = lines.prefix(room - 1) + [Line(text: "and \(count) more lines: auricle rx show")]
    }
    for (row, line) in shown.enumerated() {
      let y = base + Self.heading + Double(row) * Self.leading
      page.picture.add(
        Label(text: line.label, place: Point(x: x, y: y), style: Self.style.coloured(.mutedInk)))
      // A single "none" needs no room for a bullet.
      let start = lines.contains { !$0.label.isEmpty } ? x + indent : x
      page.line(line.text, at: Point(x: start, y: y), width: x + SheetPage.columnWidth - start, Self.style)
    }
  }
}
