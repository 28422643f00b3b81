import Acoustics
import Prescriptions

/// A prescription as A4 pages: the first for the patient, with QR code and instructions; the second for
/// whoever looks after the ears, with audiogram, targets, audible speech, findings and fitting, continued
/// where they need more room.
///
/// The code carries everything; the print beside it is for reading. Names are wrapped and, when they are
/// longer than a few lines, shortened.
///
/// - Threads: any but audio.
package struct PrescriptionSheet: Sendable {
  /// Greatest frame height of the audiogram, points.
  static let audiogramHeight = 200.0
  /// Top of the foot of all pages but the first, points.
  static let footTop = 772.0

  let report: PrescriptionReport
  /// Fingerprint of the key that signed it; nil: unknown.
  let key: KeyFingerprint?
  /// The clinic's telephone number; nil: a line to write it on.
  var telephone: String?
  /// Address of the clinic's pages.
  var url: String?
  /// End of the clinic's key, from which on the code is refused whatever it states; nil: none, or unknown.
  var keyEnds: Instant?
  /// Reason for which nobody known has signed it, for a warning on every page; nil: a clinic has.
  var doubt: String?
  let code: CodeDrawing

  var prescription: Prescription { report.prescription }
}

extension PrescriptionSheet {
  /// - Parameters:
  ///   - text: The card's text.
  ///   - key: Fingerprint of the key that signed it; nil: unknown.
  ///   - clinic: The clinic that signed it, as its own card presents it; nil: only its name is known.
  ///   - standing: Trust in the card. Pages of one that nobody known has signed warn of it, and tell neither a key
  ///     nor how to load it.
  /// - Throws: ``PaperError`` when the text is too long for a QR code.
  package init(
    _ report: PrescriptionReport, text: String, key: KeyFingerprint?, clinic: ClinicIdentity? = nil,
    standing: CardStanding = .good
  ) throws(PaperError) {
    let code = CodeDrawing(try QRSymbol(text: text))
    if case .unsigned(let refusal) = standing {
      self.init(report: report, key: nil, doubt: "\(refusal).", code: code)
    } else {
      self.init(
        report: report, key: key, telephone: clinic?.telephone, url: clinic?.url,
        keyEnds: clinic?.validUntil, code: code)
    }
  }

  /// Puts the pages together: two or more.
  package func pages() -> [Picture] {
    var pages = [patientPage()]
    var details = SheetDetails(report, TextMetrics())
    repeat {
      var page = SheetPage(title: title)
      var y = drawProfessionalHeader(on: &page)
      if pages.count == 1 {
        y = drawHearing(top: y + 14, on: &page)
        y = AudibilityTable(audibility: report.audibility).draw(
          at: Point(x: SheetPage.left, y: y + 20), on: &page)
      }
      details.draw(top: y + 18, bottom: Self.footTop - 8, on: &page)
      drawFoot(on: &page)
      pages.append(page.finish())
    } while !details.isEmpty
    for index in pages.indices { pages[index].number(index + 1, of: pages.count) }
    return pages
  }

  /// Title of the document, without the patient's name: file managers show it.
  var title: String { "Auricle prescription \(prescription.serial)" }

  // MARK: - Further pages

  /// Prescription and patient in a few lines.
  ///
  /// - Returns: The last baseline.
  private func drawProfessionalHeader(on page: inout SheetPage) -> Double {
    let (x, width) = (SheetPage.left, SheetPage.contentWidth)
    let style = TextStyle(size: 14, isBold: true)
    let top = SheetPage.margin + style.size * Label.capitalHeight
    page.line("For your audiologist or doctor", at: Point(x: x, y: top), width: width, style)
    var y = page.block(
      prescription.patient.words, at: Point(x: x, y: top + 17), width: width,
      TextStyle(size: 10, isBold: true), sizes: [10, 9, 8], lines: 3)
    let parts = [
      "Prescription \(prescription.serial) for \(prescription.environment.word)",
      "issued \(prescription.issued.dayText)", prescription.prescriber.name, prescription.prescriber.clinic,
    ]
    y = page.block(
      parts.joined(separator: " · "), at: Point(x: x, y: y + 13), width: width, SheetPage.text,
      sizes: [8.5, 8], lines: 4)
    return drawDoubt(below: y, on: &page)
  }

  /// Warning in white on a dark box, where nobody known has signed the card.
  ///
  /// - Parameter last: The last baseline above.
  /// - Returns: The box's lower edge; `last` without one.
  func drawDoubt(below last: Double, on page: inout SheetPage) -> Double {
    guard let doubt else { return last }
    let (top, place) = (last + 10, page.picture.marks.count)
    let (x, width) = (SheetPage.left + 11, SheetPage.contentWidth - 22)
    page.line(
      "NOT VERIFIED: no clinic that is trusted here has signed this", at: Point(x: x, y: top + 13.5),
      width: width, TextStyle(size: 10.5, isBold: true, colour: .paper))
    let y = page.block(
      doubt, at: Point(x: x, y: top + 25), width: width, TextStyle(size: 8, colour: .paper),
      sizes: [8, 7.5, 7], lines: 2)
    let box = Rectangle(
      x: SheetPage.left, y: top, width: SheetPage.contentWidth, height: y + 6 - top)
    page.picture.marks.insert(.fill(.rectangle(box), .warning), at: place)
    return box.maxY
  }

  private func drawFoot(on page: inout SheetPage) {
    let x = SheetPage.left
    page.rule(y: Self.footTop)
    page.line(
      "Fingerprint of the clinic's key", at: Point(x: x, y: Self.footTop + 11), width: 140,
      SheetPage.caption)
    page.line(
      "The code is what counts; the print beside it is for reading.",
      at: Point(x: SheetPage.right, y: Self.footTop + 11), width: 300, SheetPage.caption, .trailing)
    _ = page.block(
      key?.grouped ?? "unknown", at: Point(x: x, y: Self.footTop + 21.5), width: SheetPage.contentWidth,
      TextStyle(size: 8, isMonospaced: true), sizes: [8, 7.5, 7, 6.5], lines: 1)
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

  /// Audiogram and targets side by side.
  ///
  /// - Returns: Their lower edge.
  private func drawHearing(top: Double, on page: inout SheetPage) -> Double {
    let audiogram = AudiogramDrawing(prescription.audiograms.map { $0 })
    let keyRows = audiogram.keyRowCount(width: SheetPage.columnWidth, page.metrics)
    // An audiogram that goes on to 16 kHz is lower, not wider.
    let widest = (SheetPage.columnWidth - Self.numberRoom) / audiogram.proportion
    let height = min(Self.audiogramHeight, widest)

    let y = top + SheetPage.section.size * Label.capitalHeight
    page.line("Audiogram", at: Point(x: SheetPage.left, y: y), width: 200, SheetPage.section)
    let corner = Point(x: SheetPage.left + Self.numberRoom, y: top + Self.headingRoom)
    let plot = audiogram.plot(at: corner, height: height)
    audiogram.drawFrame(plot, isSmall: false, on: &page.picture)
    audiogram.drawPoints([.right, .left], in: plot, size: Self.signShare * height, on: &page.picture)
    audiogram.drawKey(
      at: Point(x: SheetPage.left, y: plot.frame.maxY + 17), width: SheetPage.columnWidth,
      leading: Self.keyLeading, on: &page)
    let bottom = plot.frame.maxY + 8 + Self.keyLeading * Double(max(keyRows, 1))

    let table = TargetTableDrawing(targets: report.targets)
    // Frequencies of both ears' tables beside the usual ones can be five times as many.
    let end = max(bottom, top + table.leastHeight)
    let frame = Rectangle(
      x: SheetPage.secondColumn, y: top, width: SheetPage.columnWidth, height: end - top)
    table.draw(in: frame, on: &page)
    return end
  }
}
