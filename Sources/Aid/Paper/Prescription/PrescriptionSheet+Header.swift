/// Prescriber, patient, deadlines.
extension PrescriptionSheet {
  /// Clinic and number.
  ///
  /// - Returns: The last baseline.
  func drawHeader(on page: inout SheetPage) -> Double {
    let x = SheetPage.left
    let side = 128.0
    let width = SheetPage.contentWidth - side - 12
    let title = Point(x: x, y: SheetPage.margin + SheetPage.documentTitle.size * Label.capitalHeight)
    page.line("Hearing prescription", at: title, width: width, SheetPage.documentTitle)
    var y = page.block(
      content.clinic, at: title.shifted(y: 19), width: width, TextStyle(size: 11, isBold: true),
      sizes: [11, 10, 9, 8], lines: 2)
    y = page.block(
      "Prescribed by " + content.prescriber, at: Point(x: x, y: y + 13), width: width, TextStyle(size: 9),
      sizes: [9, 8.5, 8], lines: 2)

    let corner = Point(x: SheetPage.right, y: title.y)
    page.line(
      "No. \(content.serial)", at: corner, width: side, TextStyle(size: 12, isBold: true), .trailing)
    page.line("Issued \(content.issued)", at: corner.shifted(y: 19), width: side, .body, .trailing)
    if let supersedes = content.supersedes {
      page.line(
        "Replaces No. \(supersedes)", at: corner.shifted(y: 32), width: side, .body.coloured(.mutedInk),
        .trailing)
    }
    return y
  }

  /// Patient and environment on a panel.
  ///
  /// - Returns: The panel's lower edge.
  func drawPatient(top: Double, on page: inout SheetPage) -> Double {
    let inset = 11.0
    let place = page.picture.marks.count
    let environmentWidth = 150.0
    let nameWidth = SheetPage.contentWidth - environmentWidth - 3 * inset
    let (left, right) = (SheetPage.left + inset, SheetPage.right - inset - environmentWidth)
    let captionY = top + inset + 5
    page.line("Patient", at: Point(x: left, y: captionY), width: nameWidth, SheetPage.caption)
    page.line("For use in", at: Point(x: right, y: captionY), width: environmentWidth, SheetPage.caption)
    var y = page.block(
      content.patientName, at: Point(x: left, y: captionY + 16), width: nameWidth,
      TextStyle(size: 15, isBold: true), sizes: [15, 13, 11.5, 10], lines: 4)
    let reference = content.reference.map { " · Reference " + $0 } ?? ""
    y = page.block(
      "Born " + content.birthDate + reference, at: Point(x: left, y: y + 13), width: nameWidth,
      TextStyle(size: 9), sizes: [9, 8.5, 8], lines: 2)
    let environmentY = page.block(
      content.environment, at: Point(x: right, y: captionY + 16), width: environmentWidth,
      TextStyle(size: 12, isBold: true), sizes: [12, 11, 10, 9], lines: 3)
    let bottom = max(y, environmentY) + inset
    let panel = Rectangle(x: SheetPage.left, y: top, width: SheetPage.contentWidth, height: bottom - top)
    page.picture.marks.insert(.fill(.rectangle(panel), .panel), at: place)
    return bottom
  }

  /// Trial and expiry in boxes that cannot be overlooked.
  ///
  /// - Returns: The boxes' lower edge; `top` without any.
  func drawDeadlines(top: Double, on page: inout SheetPage) -> Double {
    var boxes: [(title: String, note: String, isTrial: Bool)] = []
    if let end = content.trialUntil {
      boxes.append(("TRIAL until " + end, "After that your former prescription returns by itself.", true))
    }
    if let end = content.expires {
      boxes.append(("EXPIRES " + end, "After that the code is refused; ask for a new one.", false))
    }
    guard !boxes.isEmpty else { return top - 8 }
    let (gap, height) = (SheetPage.gutter, 30.0)
    let count = Double(boxes.count)
    let width = (SheetPage.contentWidth - gap * (count - 1)) / count
    for (index, box) in boxes.enumerated() {
      let frame = Rectangle(
        x: SheetPage.left + Double(index) * (width + gap), y: top, width: width, height: height)
      if box.isTrial {
        page.picture.fill(.rectangle(frame), .warning)
      } else {
        page.picture.stroke(.rectangle(frame.inset(by: 0.6)), Stroke(colour: .ink, width: 1.2))
      }
      let colour: Colour = box.isTrial ? .paper : .ink
      let room = width - 22
      _ = page.block(
        box.title, at: Point(x: frame.x + 11, y: top + 13.5), width: room,
        TextStyle(size: 10.5, isBold: true, colour: colour), sizes: [10.5, 9.5, 8.5], lines: 1)
      page.line(
        box.note, at: Point(x: frame.x + 11, y: top + 24.5), width: room,
        TextStyle(size: 7.5, colour: colour))
    }
    return top + height
  }
}
