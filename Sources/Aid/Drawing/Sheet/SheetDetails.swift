/// How the targets came about and what was noticed, in two columns at the page's lower end.
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

  init(_ content: SheetContent, _ metrics: borrowing TextMetrics) {
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
    add("Targets from", [content.targetSource])
    add("Lowering", content.lowering)
    add("Tinnitus sound", content.tinnitusSound)
    add("Adaptation", [content.adaptation ?? "none: the whole gain"])
    let adjustments = [content.volume.map { "volume " + $0 }, content.tone.map { "tone " + $0 }]
    let allowed = adjustments.compactMap(\.self).joined(separator: ", ")
    add("You may turn", [allowed.isEmpty ? "neither volume nor tone" : allowed])
    // The one that may be long comes last: what finds no room is counted.
    add("Fine tuning", content.fineTuning.isEmpty ? ["none"] : content.fineTuning)
    self.fitting = fitting
    var findings: [Line] = []
    for finding in content.findings {
      for (index, line) in metrics.wrapped(finding, to: SheetPage.columnWidth - 9, Self.style).enumerated()
      {
        findings.append(Line(label: index == 0 ? "•" : "", text: line))
      }
    }
    self.findings = findings.isEmpty ? [Line(text: "none")] : findings
  }

  /// Room that everything needs, points.
  var height: Double { Self.heading + Double(max(fitting.count, findings.count)) * Self.leading }

  /// Draws both columns; what does not fit into `height` is counted.
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
