import Prescriptions

/// A clinic's public card as an A4 page: its QR code, its fingerprint to compare, and how to enrol it.
///
/// - Threads: any but audio.
package struct ClinicCardSheet: Sendable {
  let clinic: String
  /// Address of the clinic's pages.
  let url: String?
  /// As people write it.
  var telephone: String?
  /// Date after which cards signed with the key are refused; nil: none.
  let validUntil: String?
  /// Fingerprint of the clinic's key in groups parted by spaces, as people compare it.
  let keyFingerprint: String
  let code: CodeDrawing
}

extension ClinicCardSheet {
  /// - Throws: ``PaperError`` when the card's text is too long for a QR code.
  package init(_ clinic: ClinicIdentity) throws(PaperError) {
    self.init(
      clinic: clinic.name, url: clinic.url, telephone: clinic.telephone,
      validUntil: clinic.validUntil?.dayText,
      keyFingerprint: clinic.fingerprint.grouped, code: CodeDrawing(try QRSymbol(text: clinic.cardText)))
  }

  /// Puts the page together.
  package func picture() -> Picture {
    var page = SheetPage(title: "Auricle: the public card of " + clinic)
    let x = SheetPage.left
    let title = SheetPage.margin + SheetPage.documentTitle.size * Label.capitalHeight
    page.line(
      "Clinic card", at: Point(x: x, y: title), width: SheetPage.contentWidth, SheetPage.documentTitle)
    var y = page.block(
      clinic, at: Point(x: x, y: title + 22), width: SheetPage.contentWidth,
      TextStyle(size: 14, isBold: true), sizes: [14, 12, 10.5, 9], lines: 3)
    if let telephone {
      y = page.block(
        "Telephone " + telephone, at: Point(x: x, y: y + 19), width: SheetPage.contentWidth,
        TextStyle(size: 13, isBold: true), sizes: [13, 12, 11], lines: 1)
    }
    let particulars = [url, validUntil.map { "valid until " + $0 }]
    let line = particulars.compactMap(\.self).joined(separator: " · ")
    if !line.isEmpty {
      y = page.block(
        line, at: Point(x: x, y: y + 15), width: SheetPage.contentWidth, SheetPage.text,
        sizes: [9.5, 9, 8.5], lines: 3)
    }
    y += 14
    page.rule(y: y)
    code.draw(at: Point(x: (SheetPage.width - code.fullWidth) / 2, y: y + 8), on: &page.picture)
    y = drawFingerprint(top: y + 8 + code.fullWidth + 8, on: &page)
    drawInstructions(top: y + 22, on: &page)
    return page.finish()
  }

  /// The groups, large and in columns, so that two people can read them to each other.
  private func drawFingerprint(top: Double, on page: inout SheetPage) -> Double {
    let groups = keyFingerprint.split(whereSeparator: \.isWhitespace).map(String.init)
    let style = TextStyle(size: 13, isBold: true, isMonospaced: true)
    var column = 0.0
    for group in groups { column = max(column, page.metrics.width(of: group, style)) }
    column += 16
    let inset = 14.0
    let room = SheetPage.contentWidth - 2 * inset
    let fitting = max(Int((room + 16) / column), 1)
    // Eight or four groups to a row are easier to keep one's place in than seven.
    let count = [8, 4, 2].first { $0 <= fitting && groups.count >= $0 } ?? 1
    let rows = (groups.count + count - 1) / count
    let leading = 21.0
    let height = 2 * inset + 16 + Double(rows) * leading
    let panel = Rectangle(x: SheetPage.left, y: top, width: SheetPage.contentWidth, height: height)
    page.picture.fill(.rectangle(panel), .panel)
    page.line(
      "Fingerprint of the clinic's key", at: Point(x: panel.midX, y: top + inset + 6), width: room,
      SheetPage.text.coloured(.mutedInk), .centre)
    let left = panel.midX - (Double(count) * column - 16) / 2
    for (index, group) in groups.enumerated() {
      let place = Point(
        x: left + Double(index % count) * column, y: top + inset + 28 + Double(index / count) * leading)
      page.line(group, at: place, width: room, style)
    }
    return panel.maxY
  }

  private func drawInstructions(top: Double, on page: inout SheetPage) {
    let style = TextStyle(size: 11)
    page.line(
      "How to trust this clinic", at: Point(x: SheetPage.left, y: top), width: SheetPage.contentWidth,
      TextStyle(size: 12, isBold: true))
    let y = page.steps(
      Self.instructions, at: Point(x: SheetPage.left, y: top + 20), width: SheetPage.contentWidth, style)
    page.rule(y: y + 4)
    _ = Paragraph(marked: Self.secrecy, SheetPage.text.coloured(.mutedInk)).draw(
      at: Point(x: SheetPage.left, y: y + 19), width: SheetPage.contentWidth, page.metrics,
      on: &page.picture)
  }

  static let instructions = [
    "*Ask the clinic for its fingerprint.* Ask in person, or call a number that you knew before you had this page.",
    "*Go to the computer that is your hearing aid.* Hold down the keys Ctrl and Alt, and press T. A window for "
      + "commands opens. If not, look for the program called Terminal.",
    "*Type* `auricle trust add` and press Enter. Hold this page before the camera. The computer shows a fingerprint.",
    "*Compare every group:* in the clinic's answer, on the computer, and on this page.",
    "*Is every group the same?* Type y and press Enter.",
    "*Does one differ?* Type n and press Enter. Somebody may have put another code on this page. Call the clinic.",
  ]

  static let secrecy =
    "You may show this page to anyone: it holds no secret. Once you trust the clinic, your hearing aid takes the "
    + "prescriptions that it has signed, and refuses altered ones."
}
