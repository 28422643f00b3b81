import Acoustics
import Laboratory

/// The pages of a verification, A4: figures and limits as tables, then each ear's curves.
///
/// The right ear stands on the left, as on paired audiograms.
///
/// - Threads: any but audio.
package struct VerificationDrawing {
  private let report: VerificationTable

  /// Left edges of the columns of the limits' table, points from the text's left edge; the last is its end.
  /// Each has room for the longest source, name or number that there is, in ``limitStyle``: no name may lose its frequency.
  private static let columns = [0.0, 82, 240, 294, 348, 404, 432, 510]
  private static let leading = 10.3
  private static let style = TextStyle(size: 7.4)
  private static let limitStyle = TextStyle(size: 6.8)
  private static let bottom = SheetPage.height - 48

  package init(_ report: VerificationTable) { self.report = report }

  /// Puts the pages together.
  package func pages() -> [Picture] {
    var pages = tablePages() + [VerificationCurvePage(report).picture()]
    for index in pages.indices { pages[index].number(index + 1, of: pages.count) }
    return pages
  }

  // MARK: - Tables

  private func tablePages() -> [Picture] {
    var pages: [Picture] = []
    var page = SheetPage(title: title)
    var y = drawHeader(on: &page)
    y = drawFigures(top: y + 18, on: &page)
    y = drawLimitHeading(top: y + 20, on: &page)
    for limit in report.limits {
      if y > Self.bottom {
        pages.append(page.finish())
        page = SheetPage(title: title)
        y = drawLimitHeading(top: SheetPage.margin + 8, on: &page)
      }
      draw(limit, y: y, on: &page)
      y += Self.leading
    }
    return pages + [page.finish()]
  }

  private var title: String { "Auricle: verification of " + report.title }

  private func drawHeader(on page: inout SheetPage) -> Double {
    let width = SheetPage.contentWidth
    var y = SheetPage.margin + 10
    page.line("Electroacoustic verification", at: Point(x: SheetPage.left, y: y), width: width, .title)
    y += 17
    page.line(
      report.title, at: Point(x: SheetPage.left, y: y), width: width, TextStyle(size: 9.5, isBold: true))
    y += 3
    for condition in report.conditions.prefix(9) {
      y = page.block(
        condition, at: Point(x: SheetPage.left, y: y + 11), width: width,
        TextStyle(size: 8, colour: .mutedInk), sizes: [8], lines: 2)
    }
    y += 10
    let box = Rectangle(x: SheetPage.left, y: y, width: width, height: 20)
    page.picture.fill(.rectangle(box), report.isMet ? .panel : .warning)
    let style = TextStyle(size: 9.5, isBold: true, colour: report.isMet ? .ink : .paper)
    page.line(report.verdict, at: Point(x: box.x + 8, y: box.y + 13.5), width: width - 16, style)
    return box.maxY
  }

  private func drawFigures(top: Double, on page: inout SheetPage) -> Double {
    var y = top
    let (right, left) = (SheetPage.left + 300, SheetPage.left + 410)
    page.line("Figures", at: Point(x: SheetPage.left, y: y), width: 200, SheetPage.section)
    for (ear, x) in [(Ear.right, right), (.left, left)] {
      page.line(
        ear == .right ? "Right ear" : "Left ear", at: Point(x: x, y: y), width: 100,
        TextStyle(size: 8, isBold: true, colour: .ear(ear)))
    }
    y += 13
    for (row, figure) in report.figures.enumerated() {
      if row % 2 == 0 { stripe(.panel, y: y, on: &page) }
      page.line(figure.name, at: Point(x: SheetPage.left + 3, y: y), width: 292, Self.style)
      page.line(figure.ears.right, at: Point(x: right, y: y), width: 106, Self.style)
      page.line(figure.ears.left, at: Point(x: left, y: y), width: 98, Self.style)
      y += Self.leading
    }
    return y
  }

  /// The ground of a row.
  private func stripe(_ colour: Colour, y: Double, on page: inout SheetPage) {
    let row = Rectangle(x: SheetPage.left, y: y - 7.6, width: SheetPage.contentWidth, height: Self.leading)
    page.picture.fill(.rectangle(row), colour)
  }

  private func drawLimitHeading(top: Double, on page: inout SheetPage) -> Double {
    page.line("Limits", at: Point(x: SheetPage.left, y: top), width: 60, SheetPage.section)
    page.line(
      VerificationTable.origin, at: Point(x: SheetPage.left + 64, y: top),
      width: SheetPage.contentWidth - 64, SheetPage.caption)
    let titles = ["Source", "Figure", "Right", "Left", "Limit", "Met", "Known"]
    for (index, text) in titles.enumerated() {
      page.line(
        text, at: Point(x: SheetPage.left + Self.columns[index] + 3, y: top + 13), width: 80,
        SheetPage.caption)
    }
    page.rule(y: top + 16)
    return top + 26
  }

  private static func met(_ verdict: Finding.Verdict) -> String {
    switch verdict {
    case .met: "yes"
    case .broken: "no"
    case .notJudged: "open"
    case .notApplicable: "–"
    }
  }

  private func draw(_ limit: VerificationTable.Limit, y: Double, on page: inout SheetPage) {
    if limit.isBroken { stripe(.warning, y: y, on: &page) }
    let style = limit.isBroken ? Self.limitStyle.coloured(.paper) : Self.limitStyle
    let cells = [
      limit.source, limit.first.name, limit.value(.right), limit.value(.left), limit.bound,
      Self.met(limit.verdict), limit.known,
    ]
    for (index, text) in cells.enumerated() {
      let width = Self.columns[index + 1] - Self.columns[index] - 5
      page.line(text, at: Point(x: SheetPage.left + Self.columns[index] + 3, y: y), width: width, style)
    }
  }
}
