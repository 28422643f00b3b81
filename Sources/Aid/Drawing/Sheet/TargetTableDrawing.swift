import Acoustics

/// Targets as a table: a row for each frequency, both ears side by side.
struct TargetTableDrawing {
  /// Frequencies and the ears that share them.
  private struct Block {
    var ears: [Ear]
    var frequencies: [Double]
  }

  private static let heading = 37.0
  private static let frequencyShare = 1.2

  let targets: Binaural<[GainTarget]>

  init(_ targets: Binaural<[GainTarget]>) { self.targets = targets }

  /// One table for both ears, or, where their frequencies differ so much that it would grow too long, one
  /// for each.
  private var blocks: [Block] {
    let frequencies = Ear.allCases.map { targets[$0].map(\.frequency) }
    let all = Set(frequencies.joined()).sorted()
    guard all.count > PrescriptionSheet.greatestTargetCount else {
      return [Block(ears: [.right, .left], frequencies: all)]
    }
    return [Ear.right, .left].map { Block(ears: [$0], frequencies: targets[$0].map(\.frequency)) }
  }

  /// Draws the heading at the top and as many rows as there are, at most down to the frame's lower edge.
  func draw(in frame: Rectangle, on page: inout SheetPage) {
    let y = frame.minY + SheetPage.section.size * Label.capitalHeight
    page.line("Targets", at: Point(x: frame.x, y: y), width: frame.width, SheetPage.section)
    let words = [
      "Insertion gain, dB, for speech at 50, 65 and 80 dB SPL", "max: greatest output, dB SPL",
    ]
    for (row, text) in words.enumerated() {
      let place = Point(x: frame.x, y: y + 11 + 8.5 * Double(row))
      page.line(text, at: place, width: frame.width, SheetPage.caption)
    }
    let blocks = blocks
    let rowCount = blocks.map(\.frequencies.count).max() ?? 0
    let top = y + 22
    let rowHeight = min(14, (frame.maxY - top - Self.heading + 8) / Double(max(rowCount, 1)))
    let gap = 12.0
    let width = (frame.width - gap * Double(blocks.count - 1)) / Double(blocks.count)
    for (index, block) in blocks.enumerated() {
      let corner = Point(x: frame.x + Double(index) * (width + gap), y: top)
      draw(block, at: corner, width: width, rowHeight: rowHeight, on: &page)
    }
  }

  private func draw(
    _ block: Block, at corner: Point, width: Double, rowHeight: Double, on page: inout SheetPage
  ) {
    let column = width / (Self.frequencyShare + 4 * Double(block.ears.count))
    let first = Self.frequencyShare * column
    let size = min(8, rowHeight * 0.74, column * 0.36)
    let body = corner.y + Self.heading - 8
    for (row, _) in block.frequencies.enumerated() where row % 2 == 0 {
      let stripe = Rectangle(
        x: corner.x, y: body + Double(row) * rowHeight, width: width, height: rowHeight)
      page.picture.fill(.rectangle(stripe), .panel)
    }
    func cell(_ text: String, x: Double, y: Double, _ style: TextStyle) {
      page.picture.add(Label(text: text, place: Point(x: x, y: y), style: style, alignment: .trailing))
    }
    let caption = TextStyle(size: min(7, size), colour: .mutedInk)
    cell("Hz", x: corner.x + first - 2, y: body - 5, caption)
    for (index, ear) in block.ears.enumerated() {
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
    page.picture.stroke(
      .line(Point(x: corner.x, y: body), Point(x: corner.x + width, y: body)), .frame)
    for (row, frequency) in block.frequencies.enumerated() {
      let y = body + (Double(row) + 0.5) * rowHeight + size * Label.capitalHeight / 2
      let places = frequency == frequency.rounded() ? 0 : 1
      cell(
        Decimal.text(frequency, places: places), x: corner.x + first - 2, y: y,
        TextStyle(size: size, isBold: true))
      for (index, ear) in block.ears.enumerated() {
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
    let gains = [target.soft, target.ordinary, target.loud].map { Decimal.text($0, places: 1) }
    let output = target.maximumOutput.map {
      Decimal.text($0, places: $0 == $0.rounded() ? 0 : 1)
    }
    return gains + [output ?? "–"]
  }
}
