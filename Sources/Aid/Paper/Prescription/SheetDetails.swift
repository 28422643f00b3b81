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

/// Fitting beside audible speech, and fine tuning and findings below them, at the lower end of the page.
struct SheetDetails {
  private struct Line {
    var label = ""
    var text: String
    var isHeading = false
  }

  private static let leading = 10.3
  private static let heading = 13.5
  private static let labelWidth = 64.0
  private static let style = TextStyle(size: 7.8)
  private static let headingStyle = TextStyle(size: 7.8, isBold: true)
  /// Between the two parts.
  private static let gap = 4.0
  /// Lines of the table of audible speech.
  private static let audibilityLines = 4

  /// Room for the headings and a line of each part, points.
  static let leastHeight = heading + gap + 2 * leading

  /// Lines beside the audible speech.
  private let fitting: [Line]
  /// Lines of the whole width.
  private let below: [Line]
  private let audibility: Binaural<Audibility?>

  init(_ report: PrescriptionReport, _ metrics: borrowing TextMetrics) {
    let prescription = report.prescription
    func lines(_ label: String, _ texts: [String], width: Double, isHeading: Bool = false) -> [Line] {
      var lines: [Line] = []
      for text in texts {
        for line in metrics.wrapped(text, to: width - Self.labelWidth, Self.style) {
          lines.append(Line(label: lines.isEmpty ? label : "", text: line, isHeading: isHeading))
        }
      }
      return lines
    }
    let allowed = prescription.adjustmentWords.joined(separator: ", ")
    let tuning = prescription.fineTuningWords
    let rows = [
      ("Targets from", [prescription.fittingWords]), ("Lowering", prescription.loweringWords),
      ("Tinnitus sound", prescription.tinnitusSoundWords),
      ("Adaptation", [prescription.adaptationWords ?? "none: the whole gain"]),
      ("You may turn", [allowed.isEmpty ? "neither volume nor tone" : allowed]),
      ("Fine tuning", tuning.isEmpty ? ["none"] : []),
    ]
    var fitting: [Line] = []
    for (label, texts) in rows { fitting += lines(label, texts, width: SheetPage.columnWidth) }
    self.fitting = fitting
    // Findings without room are counted: those for a physician come first, notes come last.
    func rank(_ finding: AudiogramReview.Finding) -> Int {
      finding.severity == .note ? 2 : finding.kind == .airBoneGap ? 0 : 1
    }
    let ordered = (0...2).flatMap { wanted in report.findings.filter { rank($0) == wanted } }
    let findings = ordered.isEmpty ? ["none"] : ordered.map { "• " + $0.sentence }
    below =
      lines(
        "Fine tuning", tuning.isEmpty ? [] : [tuning.joined(separator: "; ")], width: SheetPage.contentWidth
      )
      + lines("Findings", findings, width: SheetPage.contentWidth, isHeading: true)
    audibility = report.audibility
  }

  /// Room that everything needs, points.
  var height: Double {
    let count = max(fitting.count, Self.audibilityLines) + below.count
    return Self.heading + Self.gap + Double(count) * Self.leading
  }

  /// Draws both parts; lines that do not fit into `height` are counted, and the audible speech is left out where there
  /// is room for hardly anything.
  func draw(top: Double, height: Double, on page: inout SheetPage) {
    let room = Int(((height - Self.heading - Self.gap) / Self.leading + 1e-6).rounded(.down))
    let hasAudibility = room >= Self.audibilityLines + min(below.count, 2)
    let least = hasAudibility ? Self.audibilityLines : 1
    let upper = max(min(max(fitting.count, least), room - min(below.count, 2)), least)
    let y = top + SheetPage.section.size * Label.capitalHeight
    page.line(
      "Fitting", at: Point(x: SheetPage.left, y: y), width: SheetPage.columnWidth, SheetPage.section)
    let first = y + Self.heading
    draw(fitting, from: first, room: upper, width: SheetPage.columnWidth, on: &page)
    if hasAudibility { drawAudibility(at: Point(x: SheetPage.secondColumn, y: y), on: &page) }
    draw(
      below, from: first + Double(upper) * Self.leading + Self.gap, room: max(room - upper, 1),
      width: SheetPage.contentWidth, on: &page)
  }

  private func draw(
    _ lines: [Line], from first: Double, room: Int, width: Double, on page: inout SheetPage
  ) {
    var shown = lines
    if lines.count > room {
      shown = Array(lines.prefix(room))
      shown[room - 1].text = "and \(lines.count - room + 1) more lines: auricle rx show"
    }
    for (row, line) in shown.enumerated() {
      let place = Point(x: SheetPage.left, y: first + Double(row) * Self.leading)
      let style = line.isHeading ? Self.headingStyle : Self.style.coloured(.mutedInk)
      page.picture.add(Label(text: line.label, place: place, style: style))
      page.line(
        line.text, at: place.shifted(x: Self.labelWidth), width: width - Self.labelWidth, Self.style)
    }
  }

  /// Speech that each ear can hear, in percent: the form in which people know a share.
  private func drawAudibility(at corner: Point, on page: inout SheetPage) {
    let (column, right) = (36.0, corner.x + SheetPage.columnWidth)
    page.line("Speech you can hear", at: corner, width: 128, SheetPage.section)
    for (ear, x) in [(Ear.right, right - 2 * column), (.left, right)] {
      let style = TextStyle(size: 8, isBold: true, colour: .ear(ear))
      let name = ear == .right ? "Right ear" : "Left ear"
      page.picture.add(
        Label(text: name, place: Point(x: x, y: corner.y), style: style, alignment: .trailing))
    }
    func row(_ index: Int, _ name: String, _ texts: [String], _ style: TextStyle) {
      let y = corner.y + Self.heading + Double(index) * Self.leading
      page.line(name, at: Point(x: corner.x, y: y), width: 90, Self.style)
      for (text, x) in zip(texts, stride(from: right - 3 * column, through: right, by: column)) {
        page.picture.add(Label(text: text, place: Point(x: x, y: y), style: style, alignment: .trailing))
      }
    }
    row(0, "in a quiet room", ["without", "with aid", "without", "with aid"], SheetPage.caption)
    let names = [(SpeechLevel.soft, "soft speech"), (.ordinary, "ordinary speech"), (.loud, "loud speech")]
    for (index, (level, name)) in names.enumerated() {
      let shares = [Ear.right, .left].flatMap { ear in
        [audibility[ear]?.unaided[level], audibility[ear]?.aided[level]]
      }
      let texts = shares.map { $0.map { NumberText.fixed($0 * 100, 0) + " %" } ?? "–" }
      row(index + 1, name, texts, Self.style)
    }
  }
}
