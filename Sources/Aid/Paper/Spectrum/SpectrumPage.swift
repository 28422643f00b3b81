import Acoustics

/// Head and foot of pages about the sound before and behind the aid: A4 upright, as a rendering's report.
enum SpectrumPage {
  static let left = RenderingReport.leftMargin - 34
  static let right = RenderingReport.width - RenderingReport.rightMargin

  /// A page with its title, a note below it, and a line.
  static func begun(_ title: String, _ note: String) -> SheetPage {
    var page = SheetPage(
      title: "Auricle: " + title, width: RenderingReport.width, height: RenderingReport.height)
    page.line(title, at: Point(x: left, y: 40), width: right - left, .title)
    page.line(note, at: Point(x: left, y: 57), width: right - left, .body)
    page.picture.stroke(.line(Point(x: left, y: 68), Point(x: right, y: 68)), .frame)
    return page
  }

  /// The name above an ear's column.
  static func name(_ ear: Ear, x: Double, y: Double, on page: inout SheetPage) {
    let style = TextStyle(size: 10.5, isBold: true, colour: .ear(ear))
    let name = ear == .right ? "Right ear" : "Left ear"
    page.picture.add(Label(text: name, place: Point(x: x, y: y), style: style))
  }

  /// Baseline of the last line of the foot, and from line to line, points.
  private static let (last, leading) = (826.0, 10.5)

  /// Upper edge of a foot of so many lines, at least one.
  static func footTop(of count: Int) -> Double {
    last - Double(count - 1) * leading - TextStyle.note.size * Label.capitalHeight
  }

  /// Notes in lines that end at the foot of the page.
  static func foot(_ lines: [String], on page: inout SheetPage) {
    for (index, line) in lines.reversed().enumerated() {
      page.line(
        line, at: Point(x: left, y: last - Double(index) * leading), width: right - left, .note)
    }
  }
}
