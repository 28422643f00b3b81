import Acoustics
import Base
import Fitting
import Prescriptions

/// Targets as a table: a row for each frequency, both ears side by side.
struct TargetTableDrawing {
  private static let heading = 37.0
  private static let frequencyShare = 1.2
  /// Least height of a row, points: figures of 6 points.
  private static let leastRow = 8.2

  let targets: Binaural<[TargetTable.Point]>

  private var frequencies: [Double] {
    Set(Ear.allCases.flatMap { targets[$0].map(\.frequency) }).sorted()
  }

  /// Height of a frame in which the figures can be read, points.
  var leastHeight: Double {
    SheetPage.section.size * Label.capitalHeight + 22 + Self.heading - 8 + Double(frequencies.count)
      * Self.leastRow
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

/// Findings and fitting, line by line, over as many pages as they need.
struct SheetDetails {
  private struct Line {
    var label = ""
    var text: String
    var isHeading = false
  }

  private static let leading = 11.6
  /// Above a heading, points.
  private static let gap = 7.0
  private static let labelWidth = 78.0
  private static let style = TextStyle(size: 8.5)

  private var lines: [Line] = []

  init(_ report: PrescriptionReport, _ metrics: borrowing TextMetrics) {
    let findings = report.findings
    let cautions = findings.filter { $0.severity == .caution }
    lines.append(Line(text: "Findings in the audiogram", isHeading: true))
    // What a physician must see comes first.
    let referrals = PatientInstructions.referrals
    let ordered =
      referrals.flatMap { kind in cautions.filter { $0.kind == kind } }
      + cautions.filter { !referrals.contains($0.kind) }
    for finding in ordered {
      add("Caution", [finding.sentence], metrics)
    }
    for finding in findings.filter({ $0.severity != .caution }) { add("Note", [finding.sentence], metrics) }
    if findings.isEmpty { lines.append(Line(text: "none")) }
    let prescription = report.prescription
    lines.append(Line(text: "Fitting", isHeading: true))
    add("Trial", prescription.trialWords.map { [$0] } ?? [], metrics)
    add("Targets from", [prescription.fittingWords], metrics)
    add("Lowering", prescription.loweringWords, metrics)
    add("Tinnitus sound", prescription.tinnitusSoundWords, metrics)
    add("Adaptation", [prescription.adaptationWords ?? "none: the whole gain"], metrics)
    add(
      "Greatest output",
      [
        "\(prescription.plan.outputCeiling.decibels.shortText) dB SPL, never exceeded as far as the earphones were measured"
      ],
      metrics)
    let allowed = prescription.adjustmentWords.joined(separator: ", ")
    add("Patient may turn", [allowed.isEmpty ? "neither volume nor tone" : allowed], metrics)
    let tuning = prescription.fineTuningWords
    add("Fine tuning", tuning.isEmpty ? ["none"] : tuning, metrics)
  }

  /// True once everything was drawn.
  var isEmpty: Bool { lines.isEmpty }

  private mutating func add(_ label: String, _ texts: [String], _ metrics: borrowing TextMetrics) {
    var label = label
    for text in texts {
      for line in metrics.wrapped(text, to: SheetPage.contentWidth - Self.labelWidth, Self.style) {
        lines.append(Line(label: label, text: line))
        label = ""
      }
    }
  }

  /// Draws the lines for which there is room, and keeps the rest for another page.
  mutating func draw(top: Double, bottom: Double, on page: inout SheetPage) {
    var y = top
    while let line = lines.first {
      // A heading does not stand alone at the end of a page.
      guard y + (line.isHeading ? Self.gap + Self.leading : 0) <= bottom else { return }
      if line.isHeading {
        if y > top { y += Self.gap }
        page.line(
          line.text, at: Point(x: SheetPage.left, y: y), width: SheetPage.contentWidth, SheetPage.section)
        y += 1.5
      } else {
        page.picture.add(
          Label(
            text: line.label, place: Point(x: SheetPage.left, y: y),
            style: Self.style.coloured(line.label == "Caution" ? .warning : .mutedInk)))
        let start = SheetPage.left + Self.labelWidth
        page.line(line.text, at: Point(x: start, y: y), width: SheetPage.right - start, Self.style)
      }
      y += Self.leading
      lines.removeFirst()
    }
  }
}

/// Speech that each ear can hear, in percent: the form in which people know a share.
struct AudibilityTable {
  private static let leading = 11.6
  private static let style = TextStyle(size: 8.5)

  let audibility: Binaural<Audibility?>

  /// - Returns: The last baseline.
  func draw(at corner: Point, on page: inout SheetPage) -> Double {
    let (column, right) = (36.0, corner.x + SheetPage.columnWidth)
    page.line("Speech you can hear", at: corner, width: 128, SheetPage.section)
    for (ear, x) in [(Ear.right, right - 2 * column), (.left, right)] {
      let style = TextStyle(size: 8, isBold: true, colour: .ear(ear))
      let name = ear == .right ? "Right ear" : "Left ear"
      page.picture.add(
        Label(text: name, place: Point(x: x, y: corner.y), style: style, alignment: .trailing))
    }
    func row(_ index: Int, _ name: String, _ texts: [String], _ style: TextStyle) {
      let y = corner.y + 14 + Double(index) * Self.leading
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
    return corner.y + 14 + 3 * Self.leading
  }
}

extension Prescription {
  /// End of the trial, and who makes it final; nil: it is not on trial.
  fileprivate var trialWords: String? {
    guard let trialEnds else { return nil }
    let who =
      wearerMayAccept ? "the patient may make it final: auricle rx accept" : "the clinic makes it final"
    return "until \(trialEnds.localText); \(who)"
  }
}
