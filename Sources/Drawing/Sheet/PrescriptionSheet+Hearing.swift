import Acoustics

/// What was measured and what is wanted.
extension PrescriptionSheet {
  /// Left of the audiogram's frame: its numbers and title, points.
  private static let numberRoom = 36.0
  /// Above the frame: heading and, on its baseline, the axis's name; then the frequencies; points.
  private static let headingRoom = SheetPage.section.size * Label.capitalHeight + 14
  /// Diameter of signs over the frame's height: a bone sign at 1000 Hz stays clear of the circle at 750 Hz.
  private static let signShare = 0.034
  private static let keyLeading = 11.0

  /// Audiogram and targets side by side, the fitting and the findings below, down to the foot.
  func drawHearing(top: Double, on page: inout SheetPage) {
    let audiogram = AudiogramDrawing(content.audiograms)
    let details = SheetDetails(content, page.metrics)
    let keyRows = audiogram.keyRowCount(width: SheetPage.columnWidth, page.metrics)
    let keyRoom = 8 + Self.keyLeading * Double(max(keyRows, 1))
    let room = Self.footTop - top - 8
    // The details get what the audiogram can spare.
    let besides = Self.headingRoom + keyRoom + 14
    let spare = max(room - Self.audiogramHeights.lowerBound - besides, SheetDetails.leastHeight)
    let detailsHeight = min(details.height, spare)
    // An audiogram that goes on to 16 kHz is lower, not wider.
    let widest = (SheetPage.columnWidth - Self.numberRoom) / audiogram.proportion
    let height = min(Self.audiogramHeights.upperBound, widest, room - besides - detailsHeight)

    let y = top + SheetPage.section.size * Label.capitalHeight
    page.line("Audiogram", at: Point(x: SheetPage.left, y: y), width: 200, SheetPage.section)
    let corner = Point(x: SheetPage.left + Self.numberRoom, y: top + Self.headingRoom)
    let plot = audiogram.plot(at: corner, height: height)
    audiogram.drawFrame(plot, isSmall: false, on: &page.picture)
    audiogram.drawPoints([.right, .left], in: plot, size: Self.signShare * height, on: &page.picture)
    audiogram.drawKey(
      at: Point(x: SheetPage.left, y: plot.frame.maxY + 17), width: SheetPage.columnWidth,
      leading: Self.keyLeading,
      page.metrics, on: &page.picture)

    let table = Rectangle(
      x: SheetPage.secondColumn, y: top, width: SheetPage.columnWidth,
      height: room - 14 - detailsHeight)
    TargetTableDrawing(content.targets).draw(in: table, on: &page)
    // What is left over stands above the details, not below them.
    details.draw(top: Self.footTop - 8 - detailsHeight, height: detailsHeight, on: &page)
  }
}
