import Acoustics
import Prescriptions

/// A prescription as a page for the patient: QR code, instructions, audiogram, targets and prescriber. One
/// A4 page.
///
/// The code carries everything; the print beside it is for reading. Names are wrapped and, when they are
/// longer than a few lines, shortened; fine tuning and findings without room are counted instead.
///
/// - Threads: any but audio.
package struct PrescriptionSheet: Sendable {
  /// Frame heights of the audiogram, points. It becomes lower than the first only where names of many lines
  /// leave no more room.
  static let audiogramHeights = 110.0...194.0
  /// Top of the page's foot, points.
  static let footTop = 758.0

  let report: PrescriptionReport
  /// Fingerprint of the key that signed it; nil: unknown.
  let key: KeyFingerprint?
  let code: CodeDrawing

  private var prescription: Prescription { report.prescription }
}

extension PrescriptionSheet {
  /// - Parameters:
  ///   - text: The card's text.
  ///   - key: Fingerprint of the key that signed it; nil: unknown.
  /// - Throws: ``PaperError`` when the text is too long for a QR code.
  package init(_ report: PrescriptionReport, text: String, key: KeyFingerprint?) throws(PaperError) {
    self.init(report: report, key: key, code: CodeDrawing(try QRSymbol(text: text)))
  }

  /// Puts the page together.
  package func picture() -> Picture {
    // The patient's name stays out of the document's properties, which file managers show.
    var page = SheetPage(title: "Auricle prescription \(prescription.serial)")
    var y = drawHeader(on: &page)
    y = drawPatient(top: y + 10, on: &page)
    y = drawDeadlines(top: y + 8, on: &page)
    y = drawCode(top: y + 4, on: &page)
    drawHearing(top: y + 10, on: &page)
    drawFoot(on: &page)
    return page.finish()
  }

  // MARK: - Code and instructions

  /// The code on the left, the instructions on the right.
  private func drawCode(top: Double, on page: inout SheetPage) -> Double {
    let quiet = (code.fullWidth - code.width) / 2
    // The symbol, not its quiet zone, is flush with the text.
    code.draw(at: Point(x: SheetPage.left - quiet, y: top), on: &page.picture)
    let x = max(SheetPage.left + code.width + quiet + 6, SheetPage.secondColumn)
    let width = SheetPage.right - x
    var y = top + quiet + SheetPage.section.size * Label.capitalHeight
    page.line("How to use this page", at: Point(x: x, y: y), width: width, SheetPage.section)
    y = page.steps(Self.instructions, at: Point(x: x, y: y + 16), width: width, SheetPage.text)
    y = drawContact(at: Point(x: x, y: y + 4), width: width, on: &page)
    return max(top + code.fullWidth, y)
  }

  /// Instructions for a person who has never seen such a page.
  static let instructions = [
    "*Scan it.* Headphones off. At the computer that is your hearing aid, run `auricle rx scan` and hold "
      + "this page before its camera.",
    "*Check it.* The name, date of birth and environment it shows must be those on this page.",
    "*Begin softly.* Turn the computer's volume all the way down, put the headphones on, and turn it up slowly until "
      + "speech is comfortable.",
    "*Too loud, or it whistles?* Headphones off, or run `auricle mute`. If you had another prescription, "
      + "`auricle rx revert` brings it back.",
    "*Silent?* Look at plugs and volume; `auricle doctor` tells what is wrong.",
    "*Pain, dizziness or sudden loss of hearing?* Headphones off, and see a doctor the same day.",
  ]

  static let privacy = [
    "*Keep this page like a letter from your doctor:* its code contains your name, date of birth and hearing "
      + "tests.",
    "*It cannot be altered:* the clinic has signed it, and your hearing aid refuses a changed one.",
  ]

  private func drawContact(at start: Point, width: Double, on page: inout SheetPage) -> Double {
    let style = SheetPage.text
    var y = start.y
    page.line("Questions? Call your clinic:", at: start, width: width, style)
    y = page.block(
      prescription.prescriber.clinic, at: Point(x: start.x, y: y + 12.5), width: width,
      TextStyle(size: 10, isBold: true), sizes: [10, 9, 8], lines: 2)
    return y
  }

  // MARK: - Foot

  private func drawFoot(on page: inout SheetPage) {
    let x = SheetPage.left
    page.rule(y: Self.footTop)
    let label = "Fingerprint of the clinic's key"
    page.line(label, at: Point(x: x, y: Self.footTop + 12), width: 140, SheetPage.caption)
    let words = "The code is what counts; the print beside it is for reading."
    page.line(
      words, at: Point(x: SheetPage.right, y: Self.footTop + 12), width: 300, SheetPage.caption, .trailing)
    var y = page.block(
      key?.grouped ?? "unknown", at: Point(x: x, y: Self.footTop + 22.5), width: SheetPage.contentWidth,
      TextStyle(size: 8, isMonospaced: true), sizes: [8, 7.5, 7, 6.5], lines: 2)
    y += 13.5
    for text in Self.privacy {
      y = Paragraph(marked: text, TextStyle(size: 7.5)).draw(
        at: Point(x: x, y: y), width: SheetPage.contentWidth, page.metrics, on: &page.picture)
    }
  }
}

/// Audiogram and targets.
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
    let audiogram = AudiogramDrawing(prescription.audiograms.map { $0 })
    let details = SheetDetails(report, page.metrics)
    let keyRows = audiogram.keyRowCount(width: SheetPage.columnWidth, page.metrics)
    let keyRoom = 8 + Self.keyLeading * Double(max(keyRows, 1))
    let room = Self.footTop - top - 8
    // The details get what the audiogram can spare.
    let besides = Self.headingRoom + keyRoom + 8
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
      leading: Self.keyLeading, on: &page)

    let table = Rectangle(
      x: SheetPage.secondColumn, y: top, width: SheetPage.columnWidth,
      height: room - 8 - detailsHeight)
    TargetTableDrawing(targets: report.targets).draw(in: table, on: &page)
    // What is left over stands above the details, not below them.
    details.draw(top: Self.footTop - 8 - detailsHeight, height: detailsHeight, on: &page)
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
    var y = page.block(
      prescription.patient.name, at: Point(x: left, y: captionY + 16), width: nameWidth,
      TextStyle(size: 15, isBold: true), sizes: [15, 13, 11.5, 10], lines: 4)
    let reference = prescription.patient.reference.map { " · Reference " + $0 } ?? ""
    y = page.block(
      "Born \(prescription.patient.birthDate)\(reference)", at: Point(x: left, y: y + 13), width: nameWidth,
      TextStyle(size: 9), sizes: [9, 8.5, 8], lines: 2)
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
      boxes.append(("TRIAL until " + end, "After that your former prescription returns by itself.", true))
    }
    if let end = prescription.expires?.dayText {
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
