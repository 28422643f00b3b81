import Prescriptions

/// The patient's page: prescriber, patient, deadlines, code, instructions.
extension PrescriptionSheet {
  /// Top of the page's foot, points.
  static let patientFootTop = 774.0
  /// Sizes of what to do in trouble, and the smallest one of the instructions beside each, points: the greatest in which
  /// nothing reaches the foot are taken. The last ones have room for names of all lengths beside a code of so many letters.
  private static let sizes: [(trouble: Double, least: Double)] = [(10.5, 8), (9.5, 8), (8.5, 6.5)]

  func patientPage() -> Picture {
    var page = SheetPage(title: title)
    var y = drawHeader(on: &page)
    y = drawDoubt(below: y, on: &page)
    y = drawPatient(top: y + 10, on: &page)
    y = drawDeadlines(top: y + 8, on: &page)
    let sizes = fittingSizes(below: y + 4)
    y = drawCode(top: y + 4, size: sizes.trouble, on: &page)
    _ = drawInstructions(top: y + 6, size: sizes.instructions, on: &page)
    drawPatientFoot(on: &page)
    return page.finish()
  }

  /// Sizes in which code, contact, warnings and instructions end above the foot.
  private func fittingSizes(below top: Double) -> (trouble: Double, instructions: Double) {
    var found = (trouble: 0.0, instructions: 0.0)
    for (trouble, least) in Self.sizes {
      var scratch = SheetPage(title: title)
      let bottom = drawCode(top: top, size: trouble, on: &scratch)
      found = (trouble, least)
      for size in stride(from: 11.5, through: least, by: -0.25) {
        var scratch = SheetPage(title: title)
        if drawInstructions(top: bottom + 6, size: size, on: &scratch) <= Self.patientFootTop - 4 {
          return (trouble, size)
        }
      }
    }
    return found
  }

  // MARK: - Code and instructions

  private var instructions: PatientInstructions { PatientInstructions(report, isSigned: doubt == nil) }

  /// The code on the left, the clinic and what to do in trouble on the right.
  ///
  /// - Parameter size: Em of what to do in trouble, points.
  /// - Returns: The lower edge.
  private func drawCode(top: Double, size: Double, on page: inout SheetPage) -> Double {
    let quiet = (code.fullWidth - code.width) / 2
    // The symbol, not its quiet zone, is flush with the text.
    code.draw(at: Point(x: SheetPage.left - quiet, y: top), on: &page.picture)
    let x = max(SheetPage.left + code.width + quiet + 6, SheetPage.secondColumn)
    let width = SheetPage.right - x
    var y = drawContact(at: Point(x: x, y: top + quiet), width: width, on: &page) + 24
    for text in instructions.warnings {
      y = Paragraph(marked: text, TextStyle(size: size)).draw(
        at: Point(x: x, y: y), width: width, page.metrics, on: &page.picture)
      y += 7
    }
    return max(top + code.fullWidth, y - 14)
  }

  private func drawContact(at start: Point, width: Double, on page: inout SheetPage) -> Double {
    var y = start.y + 11 * Label.capitalHeight
    page.line(
      "Questions? Call your clinic", at: Point(x: start.x, y: y), width: width,
      TextStyle(size: 11, isBold: true))
    y = page.block(
      prescription.prescriber.clinic, at: Point(x: start.x, y: y + 16), width: width, TextStyle(size: 11),
      sizes: [11, 10, 9], lines: 3)
    if let telephone {
      y = page.block(
        "Telephone " + telephone, at: Point(x: start.x, y: y + 19), width: width,
        TextStyle(size: 14, isBold: true), sizes: [14, 13, 12, 11, 10], lines: 2)
    } else {
      y += 22
      page.line("Telephone", at: Point(x: start.x, y: y), width: width, TextStyle(size: 11))
      let line = Path.line(Point(x: start.x + 66, y: y + 2), Point(x: start.x + width, y: y + 2))
      page.picture.stroke(line, .frame)
    }
    guard let url else { return y }
    return page.block(
      url, at: Point(x: start.x, y: y + 15), width: width, TextStyle(size: 9.5), sizes: [9.5, 9, 8],
      lines: 2)
  }

  /// - Returns: The lower edge.
  private func drawInstructions(top: Double, size: Double, on page: inout SheetPage) -> Double {
    let words = instructions
    let (style, heading) = (TextStyle(size: size), TextStyle(size: size + 1, isBold: true))
    let (x, width) = (SheetPage.left, SheetPage.contentWidth)
    var y = top + heading.size * Label.capitalHeight
    page.line(words.heading, at: Point(x: x, y: y), width: width, heading)
    y = page.steps(words.firstTime, at: Point(x: x, y: y + 1.5 * size), width: width, style)
    guard !words.everyDay.isEmpty else { return y - size }
    y += 0.5 * size
    page.line("Every day", at: Point(x: x, y: y), width: width, heading)
    y += 1.5 * size
    for text in words.everyDay {
      y = Paragraph(marked: text, style).draw(
        at: Point(x: x, y: y), width: width, page.metrics, on: &page.picture)
      y += 0.25 * size
    }
    return y - 1.25 * size
  }

  private func drawPatientFoot(on page: inout SheetPage) {
    page.rule(y: Self.patientFootTop)
    var y = Self.patientFootTop + 13
    for text in instructions.privacy {
      y = Paragraph(marked: text, TextStyle(size: 7.5)).draw(
        at: Point(x: SheetPage.left, y: y), width: SheetPage.contentWidth, page.metrics, on: &page.picture)
    }
  }
}

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
      prescription.prescriber.clinic, at: title.shifted(y: 19), width: width,
      TextStyle(size: 11, isBold: true),
      sizes: [11, 10, 9, 8], lines: 2)
    y = page.block(
      "Prescribed by " + prescription.prescriber.name, at: Point(x: x, y: y + 13), width: width,
      TextStyle(size: 9),
      sizes: [9, 8.5, 8], lines: 2)

    let corner = Point(x: SheetPage.right, y: title.y)
    page.line(
      "No. \(prescription.serial)", at: corner, width: side, TextStyle(size: 12, isBold: true), .trailing)
    page.line(
      "Issued \(prescription.issued.dayText)", at: corner.shifted(y: 19), width: side, .body, .trailing)
    if let supersedes = prescription.supersedes {
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
    let person = prescription.patient
    var y = page.block(
      person.name, at: Point(x: left, y: captionY + 16), width: nameWidth,
      TextStyle(size: 15, isBold: true), sizes: [15, 13, 11.5, 10], lines: 4)
    if let birth = person.birthDate {
      let reference = person.reference.map { " · Reference " + $0 } ?? ""
      y = page.block(
        "Born \(birth)\(reference)", at: Point(x: left, y: y + 14), width: nameWidth,
        TextStyle(size: 10.5), sizes: [10.5, 9.5, 8.5], lines: 2)
    }
    let environmentY = page.block(
      prescription.environment.word, at: Point(x: right, y: captionY + 16), width: environmentWidth,
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
    if let end = prescription.trialEnds?.localText {
      let after = "After that your former one returns, or nothing is amplified."
      boxes.append(("TRIAL until " + end, after, true))
    }
    if let end = [prescription.expires, keyEnds].compactMap(\.self).min()?.dayText {
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
      _ = page.block(
        box.note, at: Point(x: frame.x + 11, y: top + 24.5), width: room,
        TextStyle(size: 7.5, colour: colour), sizes: [7.5, 7.25, 7], lines: 1)
    }
    return top + height
  }
}
