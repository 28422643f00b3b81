import Acoustics
import CommonTesting
import Fitting
import Prescriptions
import Testing

@testable import Paper

@Suite("Prescription sheet") struct PrescriptionSheetTests {
  /// A name of 80 bytes, the most that a card carries, of words of nine letters.
  private static let longName = String(repeating: "Sternberg ", count: 7) + "Sternbergs"

  /// Everything as long as a card allows, and more findings than a page has room for.
  private static func longest() throws -> PrescriptionReport {
    var report = try SampleSheet.report(
      clinic: longName, prescriber: longName, given: longName, family: longName, reference: longName,
      environment: .other(longName), serial: 999_999_999, supersedes: 999_999_998,
      plan: SampleSheet.plan(source: longName, tuning: SampleSheet.tuning(10)))
    report.findings = (0..<20).flatMap { _ in report.findings }
    return report
  }

  private static func bare() throws -> PrescriptionReport {
    let none = try Audiogram(points: [])
    var report = try SampleSheet.report(
      clinic: "A", prescriber: "B", given: "C", family: "D", reference: nil, environment: .quiet, serial: 1,
      supersedes: nil, audiograms: Binaural(both: none), plan: SampleSheet.plan(adaptation: 1),
      adjustment: PatientAdjustment.none, hasEnd: false)
    report.targets = Binaural(both: [])
    report.findings = []
    return report
  }

  /// One word without a break, of the widest letter.
  private static func unbreakable() throws -> PrescriptionReport {
    let word = String(repeating: "W", count: 80)
    return try SampleSheet.report(
      clinic: word, prescriber: word, given: word, family: word, environment: .other(word))
  }

  private static func all() throws -> [PrescriptionReport] {
    [try SampleSheet.report(), try longest(), try bare(), try unbreakable()]
  }

  @Test("pages are A4, 595.28 × 841.89 points: one for the patient, and as many as the findings need")
  func page() throws {
    let folder = TemporaryFolder()
    for (index, report) in try Self.all().enumerated() {
      let pdf = folder.file("\(index).pdf")
      let pages = try SampleSheet.sheet(report).write(to: pdf)
      #expect(try Poppler.information(pdf, "Pages") == "\(pages.count)")
      // The longest has 20 times the findings, at 11.6 points a line more than a page of 842 points.
      #expect(index == 1 ? pages.count > 2 : pages.count == 2)
      let size = try #require(try Poppler.information(pdf, "Page size"))
      #expect(size.hasPrefix("595.276 x 841.89 pts") || size.hasPrefix("595.28 x 841.89 pts"), "\(size)")
    }
  }

  @Test("no text leaves the page, covers another or enters the code's quiet zone, however long it is")
  func layout() throws {
    for width in [60, 84.5, 90] {
      for (report, side) in zip(try Self.all(), [105, 133, 21, 105]) {
        let sheet = try SampleSheet.sheet(report, side: side, codeWidth: width)
        let pages = sheet.pages()
        for page in pages {
          #expect(Layout.clipped(page) == [])
          #expect(Layout.overlapping(page) == [])
        }
        let picture = pages[0]
        let frame = try Self.codeFrame(picture)
        let zone = frame.inset(by: -4 * sheet.code.module)
        let metrics = TextMetrics()
        for label in picture.labels {
          let bounds = label.bounds(metrics)
          #expect(!bounds.overlaps(zone), "\(label.text)")
        }
      }
    }
  }

  @Test("print stays 12 mm from the paper's edges, which printers leave white")
  func margins() throws {
    let margin = 12 / 25.4 * 72
    for report in try Self.all() {
      let metrics = TextMetrics()
      for picture in try SampleSheet.sheet(report).pages() {
        for label in picture.labels {
          let bounds = label.bounds(metrics)
          #expect(picture.page.inset(by: margin).contains(bounds), "\(label.text)")
        }
      }
    }
  }

  @Test("every text given can be read in the PDF, in Latin, Greek and Cyrillic letters")
  func texts() throws {
    let folder = TemporaryFolder()
    let report = try SampleSheet.report(
      prescriber: "Сергей Иванович Ковалёв", given: "Ελένη", family: "Παπαδοπούλου-Żółć")
    let prescription = report.prescription
    try SampleSheet.sheet(report).write(to: folder.file("a.pdf"))
    let text = try Poppler.text(folder.file("a.pdf"))
    let expected =
      [
        "Hearing Centre Lindenhof", "Сергей Иванович Ковалёв", "Ελένη Παπαδοπούλου-Żółć", "1951-03-12",
        "P-20418", "conversation-in-noise", "No. 1042", "Replaces No. 1017", "Issued 2026-11-21",
        "EXPIRES 2028-11-21", "TRIAL until " + (prescription.trialEnds?.localText ?? ""),
        "NAL-NL2, explicit targets", "80 % of the gain", "volume −6 to +4 dB", "tone −3 to +3 dB",
        "4F2A 91C7 0B3E D85A 6C11 7E90 A2B4 53FD 18E6 C97B 40D2 8F35 B7A1 06EC 9D48 217F",
        "auricle rx scan", "auricle rx revert",
        "250 Hz: −2, +1.5, −3.5 dB at 50, 65, 80 dB SPL",
      ] + report.findings.map(\.sentence)
    for words in expected { #expect(text.contains(words), "\(words)") }
    // Right ear at 1 kHz: 40 / 2.1 = 19.05, with 1.25 and 0.62 of it, in tenths, tuned by −2, +1.5 and −3.5 dB,
    // of all of which a new user begins with 80 %; and 95 + 19.05 / 2 rounded.
    #expect(text.contains("1000 17.4 16.4 6.6 105"))
  }

  @Test(
    "frequency lowering and tinnitus sound are printed where they are prescribed, and not named otherwise")
  func additions() throws {
    let folder = TemporaryFolder()
    try SampleSheet.sheet().write(to: folder.file("a.pdf"))
    let plain = try Poppler.text(folder.file("a.pdf"))
    #expect(!plain.contains("Lowering") && !plain.contains("Tinnitus"))
    let plan = try SampleSheet.plan(
      lowering: Binaural(both: FrequencyLowering(cutoff: 2000, ratio: 2)),
      sound: Binaural(left: TinnitusSound(shape: .broadband, level: SoundPressureLevel(45)), right: nil))
    try SampleSheet.sheet(SampleSheet.report(plan: plan)).write(to: folder.file("b.pdf"))
    let text = try Poppler.text(folder.file("b.pdf"))
    #expect(text.contains("Lowering both ears \(try FrequencyLowering(cutoff: 2000, ratio: 2))"))
    #expect(text.contains("Tinnitus sound left noise of 45 dB SPL, broadband"))
    #expect(text.contains("volume −6 to +4 dB, tone −3 to +3 dB"))
  }

  @Test("the speech that each ear can hear is printed in percent, without the aid and with it")
  func audibility() throws {
    let folder = TemporaryFolder()
    let plan = try FittingPlan(target: .rule(.nalR))
    let n3 = Binaural(left: StandardAudiogram.n4.audiogram, right: StandardAudiogram.n3.audiogram)
    try SampleSheet.sheet(SampleSheet.report(audiograms: n3, plan: plan)).write(
      to: folder.file("a.pdf"))
    let text = try Poppler.text(folder.file("a.pdf"))
    // N3 and N4 unaided and by NAL-R; phonometry 3.3.0, as in AudibilityTests.
    #expect(text.contains("Speech you can hear Right ear Left ear"))
    for words in [
      "soft speech 8 % 34 % 0 % 13 %", "ordinary speech 31 % 71 % 4 % 47 %",
      "loud speech 61 % 81 % 25 % 70 %",
    ] {
      #expect(text.contains(words), "\(words)")
    }
    try SampleSheet.sheet(Self.bare(), side: 21).write(to: folder.file("b.pdf"))
    #expect(try Poppler.text(folder.file("b.pdf")).contains("soft speech – – – –"))
  }

  @Test("names of 80 bytes are printed whole")
  func longNames() throws {
    let folder = TemporaryFolder()
    try SampleSheet.sheet(Self.longest(), side: 133).write(to: folder.file("a.pdf"))
    let text = try Poppler.text(folder.file("a.pdf"))
    #expect(text.contains("Prescribed by " + Self.longName))
    #expect(text.contains(Self.longName + " " + Self.longName + " Born"))
  }

  @Test(
    "each module of the printed page has its colour, and no seam shows between dark ones",
    arguments: [(105, 150), (105, 300), (133, 150), (133, 300)])
  func modules(side: Int, resolution: Int) throws {
    let folder = TemporaryFolder()
    let sheet = try SampleSheet.sheet(side: side)
    let picture = sheet.pages()[0]
    try picture.write(to: folder.file("a.pdf"))
    let image = try #require(try Poppler.raster(folder.file("a.pdf"), resolution: resolution))
    let frame = try Self.codeFrame(picture)
    let code = sheet.code.modules
    /// Level of red at a place given in modules: black 0, white 255.
    func level(_ x: Double, _ y: Double) -> UInt32 {
      let scale = Double(resolution) / 72
      return image.pixel(
        x: Int((frame.x + x * sheet.code.module) * scale), y: Int((frame.y + y * sheet.code.module) * scale)
      )
        & 0xFF
    }
    var (wrong, seams, stains) = (0, 0, 0)
    for y in 0..<side {
      for x in 0..<side {
        let (u, v) = (Double(x) + 0.5, Double(y) + 0.5)
        if level(u, v) != (code[x, y] ? 0 : 255) { wrong += 1 }
        guard code[x, y] else { continue }
        if x + 1 < side, code[x + 1, y], level(u + 0.5, v) != 0 { seams += 1 }
        if y + 1 < side, code[x, y + 1], level(u, v + 0.5) != 0 { seams += 1 }
      }
    }
    for k in -4..<side + 4 {
      for n in 1...4 {
        let (along, off) = (Double(k) + 0.5, Double(n) - 0.5)
        let around = [
          level(along, -off), level(along, Double(side) + off), level(-off, along),
          level(Double(side) + off, along),
        ]
        stains += around.filter { $0 != 255 }.count
      }
    }
    #expect(wrong == 0)
    #expect(seams == 0)
    #expect(stains == 0)
  }

  @Test("each threshold stands under its frequency's number and beside its level's")
  func thresholds() throws {
    let picture = try SampleSheet.sheet().pages()[1]
    func label(_ text: String) throws -> Label {
      try #require(picture.labels.first { $0.text == text && $0.style == .tick })
    }
    let points = picture.symbols
    // Bisgaard N3: 40 dB HL at 1 kHz, 60 dB HL at 4 kHz.
    for (frequency, level) in [("1k", "40"), ("4k", "60")] {
      let (x, y) = (try label(frequency).place.x, try label(level).place.y)
      let there = points.filter { abs($0.centre.x - x) < 1e-6 && abs($0.centre.y - y) < 1e-6 }
      #expect(there.map(\.marker) == [.circle])
      #expect(there.map(\.colour) == [.ear(.right)])
    }
    let (x, y) = (try label("1k").place.x, try label("70").place.y)
    let left = points.filter { abs($0.centre.x - x) < 1e-6 && abs($0.centre.y - y) < 1e-6 }
    #expect(left.map(\.marker) == [.square])
    #expect(left.map(\.colour) == [.ear(.left)])
    #expect(try label("−10").place.y < label("120").place.y)
  }

  @Test("signs of one ear at neighbouring frequencies do not touch")
  func clearSigns() throws {
    let signs = try SampleSheet.sheet().pages()[1].symbols.filter {
      $0.marker == .circle || $0.marker == .leftAngle
    }
    let extents = signs.map {
      $0.marker.path(at: $0.centre, size: $0.size).extent.inset(by: -$0.width / 2)
    }
    // Ten circles of N3, one at 8 kHz, four of bone conduction, and two in the key.
    #expect(extents.count == 17)
    for i in extents.indices {
      for j in extents.indices where j > i { #expect(!extents[i].overlaps(extents[j])) }
    }
  }

  @Test("a trial stands out in white on a dark box, and neither box is there without a date")
  func deadlines() throws {
    let boxes = { (picture: Picture) in
      picture.marks.filter { if case .fill(_, .warning) = $0 { true } else { false } }.count
    }
    let page = try SampleSheet.sheet().pages()[0]
    #expect(boxes(page) == 1)
    // Beside an expiry, too, it says whole what follows: a first prescription has no former one.
    #expect(
      page.labels.contains { $0.text == "After that your former one returns, or nothing is amplified." })
    let bare = try SampleSheet.sheet(Self.bare(), side: 21).pages()[0]
    #expect(boxes(bare) == 0)
    #expect(!bare.labels.contains { $0.text.hasPrefix("TRIAL") || $0.text.hasPrefix("EXPIRES") })
    // WCAG 2.1: contrast of 4.5:1.
    #expect((Colour.paper.luminance + 0.05) / (Colour.warning.luminance + 0.05) >= 4.5)
  }

  @Test(
    "every page of a card that nobody known has signed says so in white on a dark box, and none says that the clinic has signed it"
  )
  func unsigned() throws {
    let key = try #require(SampleSheet.key)
    for report in try Self.all() {
      var sheet = PrescriptionSheet(
        report: report, key: nil, code: CodeDrawing(SampleSheet.modules(side: 105)))
      sheet.doubt = "\(PrescriptionError.unknownKey(key))."
      for page in sheet.pages() {
        let texts = page.labels.map(\.text)
        let words = texts.joined(separator: " ")
        #expect(texts.contains("NOT VERIFIED: no clinic that is trusted here has signed this"))
        #expect(texts.contains { $0.hasPrefix("card from an unknown clinic") })
        #expect(!words.contains("The clinic has signed it") && !words.contains("rx scan"))
        #expect(!texts.contains(key.grouped))
        #expect(Layout.clipped(page) == [] && Layout.overlapping(page) == [])
      }
    }
    let signed = try SampleSheet.sheet().pages().flatMap { $0.labels.map(\.text) }
    #expect(!signed.contains { $0.hasPrefix("NOT VERIFIED") })
    #expect(signed.joined(separator: " ").contains("The clinic has signed it."))
  }

  @Test(
    "pages of a card whose time is over are as they were; those of one that nobody known has signed name no key"
  )
  func standing() throws {
    let report = try SampleSheet.report()
    func texts(_ standing: CardStanding) throws -> [String] {
      try PrescriptionSheet(report, text: "shc:/1234", key: SampleSheet.key, standing: standing).pages()
        .flatMap { $0.labels.map(\.text) }
    }
    let good = try texts(.good)
    #expect(try texts(.lapsed(.expired(at: SampleSheet.issued))) == good)
    let key = try #require(SampleSheet.key).grouped
    #expect(good.contains(key))
    #expect(try !texts(.unsigned(.badSignature(name: "Hearing Centre Lindenhof"))).contains(key))
  }

  @Test("the patient's name is not among the document's properties")
  func properties() throws {
    #expect(try SampleSheet.sheet().pages().allSatisfy { $0.title == "Auricle prescription 1042" })
  }

  @Test("every finding is on the pages, whole; what a physician must see first comes first")
  func findings() throws {
    let folder = TemporaryFolder()
    var points = [(500.0, 60.0), (1000, 62), (2000, 95)].map {
      Audiogram.Point(frequency: $0, threshold: HearingLevel($1))
    }
    points.append(.init(frequency: 4000, threshold: HearingLevel(110), hasResponse: false))
    points += [500.0, 1000, 2000].map {
      Audiogram.Point(frequency: $0, threshold: HearingLevel(30), conduction: .bone)
    }
    let report = try SampleSheet.report(
      audiograms: Binaural(
        left: Audiogram(points: points), right: Audiogram(air: [500: 15, 1000: 15, 2000: 15])))
    // More than the ten lines that a page of one column once had room for.
    #expect(report.findings.count >= 7)
    let pages = try SampleSheet.sheet(report).write(to: folder.file("a.pdf"))
    let text = try Poppler.text(folder.file("a.pdf"))
    for finding in report.findings { #expect(text.contains(finding.sentence), "\(finding.sentence)") }
    let referral = try #require(text.firstRange(of: "a physician should see it first"))
    for other in report.findings where other.severity == .caution && other.kind != .airBoneGap {
      let place = try #require(text.firstRange(of: other.sentence))
      #expect(place.lowerBound > referral.upperBound)
    }
    // 21 CFR 801.422: a gap of 15 dB at 500, 1000 and 2000 Hz is a reason to see a physician before an aid.
    #expect(pages[0].labels.contains { $0.text.contains("See a doctor before you begin") })
    #expect(try !SampleSheet.sheet().pages()[0].labels.contains { $0.text.contains("before you begin") })
    let kinds = pages[1].labels.map(\.text).filter { ["Caution", "Note"].contains($0) }
    #expect(kinds == kinds.sorted())
  }

  @Test(
    "the patient's page tells to trust the clinic, to start, and to compare name and birth date, in this order"
  )
  func instructions() throws {
    let folder = TemporaryFolder()
    try SampleSheet.sheet().pages()[0].write(to: folder.file("a.pdf"))
    let text = try Poppler.text(folder.file("a.pdf"))
    let order = [
      "auricle trust add", "auricle rx scan", "a name and a date of birth", "auricle start",
      "auricle volume",
      "auricle stop",
    ]
    var rest = text[...]
    let start = try #require(text.firstRange(of: "The first time"))
    rest = text[start.upperBound...]
    for words in order.dropLast(2) {
      let found = try #require(rest.firstRange(of: words), "\(words)")
      rest = rest[found.upperBound...]
    }
    for words in order.suffix(2) { #expect(text.contains(words)) }
    #expect(text.contains("never plays above 111 dB SPL"))
  }

  @Test("print for the patient is at least 10 points high, but for the small print at the foot")
  func legibility() throws {
    // "Clear print" guidelines ask for 12 points of a usual typeface; DejaVu Sans at 10 has the x-height of
    // Times at 12 (0.547 against 0.448 em).
    let page = try SampleSheet.sheet(SampleSheet.report(hasEnd: false)).pages()[0]
    let body = page.labels.filter { $0.place.y > 200 && $0.place.y < 760 }
    #expect(body.count > 20)
    // Commands are set in a wider typeface at 0.96 of the size.
    #expect(body.allSatisfy { $0.style.size >= 10 * 0.96 })
  }

  @Test(
    "the clinic's telephone number and address are on the patient's page; without one there is a line for it"
  )
  func telephone() throws {
    var sheet = try SampleSheet.sheet()
    #expect(sheet.pages()[0].labels.contains { $0.text == "Telephone" })
    (sheet.telephone, sheet.url) = ("+44 20 7946 0018", "https://hearing.example")
    let texts = sheet.pages()[0].labels.map(\.text)
    #expect(texts.contains("Telephone +44 20 7946 0018") && texts.contains("https://hearing.example"))
  }

  @Test(
    "what the patient may turn is said in words",
    arguments: [
      (-20.0...0, "It gets no louder than your clinic has set it."),
      (-10...5, "You can go 10 dB down and 5 dB up."), (0...0, "You cannot change it."),
      (0...5, "It gets no softer than your clinic has set it."),
    ])
  func volume(range: ClosedRange<Double>, words: String) throws {
    let report = try SampleSheet.report(adjustment: PatientAdjustment(volume: range))
    let texts = PatientInstructions(report).everyDay
    #expect(texts.contains { $0.hasSuffix(words) || $0.contains(words) })
  }

  @Test("a person who is known by a reference alone has nothing else on the pages")
  func pseudonym() throws {
    let folder = TemporaryFolder()
    let named = try SampleSheet.report().prescription
    let prescription = try Prescription(
      serial: 1, patient: Patient(reference: "P-17", of: "Hearing Centre Lindenhof"),
      prescriber: named.prescriber, environment: .quiet, audiograms: named.audiograms, plan: named.plan,
      issued: named.issued)
    try SampleSheet.sheet(PrescriptionReport(prescription, verdict: nil)).write(to: folder.file("a.pdf"))
    let text = try Poppler.text(folder.file("a.pdf"))
    #expect(text.contains("Reference P-17") && text.contains("a reference"))
    #expect(!text.contains("Born") && !text.contains("born") && !text.contains("date of birth"))
  }

  private static func codeFrame(_ picture: Picture) throws -> Rectangle {
    for case .fill(let path, .code) in picture.marks { return path.extent }
    throw PaperError.emptyText
  }
}
