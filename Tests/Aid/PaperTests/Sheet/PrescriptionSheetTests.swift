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

  @Test("the page is A4, 595.28 × 841.89 points, and one page")
  func page() throws {
    let folder = TemporaryFolder()
    for (index, report) in try Self.all().enumerated() {
      let pdf = folder.file("\(index).pdf")
      try SampleSheet.sheet(report).picture().write(to: pdf)
      #expect(try Poppler.information(pdf, "Pages") == "1")
      let size = try #require(try Poppler.information(pdf, "Page size"))
      #expect(size.hasPrefix("595.276 x 841.89 pts") || size.hasPrefix("595.28 x 841.89 pts"), "\(size)")
    }
  }

  @Test("no text leaves the page, covers another or enters the code's quiet zone, however long it is")
  func layout() throws {
    for width in [60, 84.5, 90] {
      for (report, side) in zip(try Self.all(), [105, 133, 21, 105]) {
        let sheet = try SampleSheet.sheet(report, side: side, codeWidth: width)
        let picture = sheet.picture()
        #expect(Layout.clipped(picture) == [])
        #expect(Layout.overlapping(picture) == [])
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
      let picture = try SampleSheet.sheet(report).picture()
      let metrics = TextMetrics()
      for label in picture.labels {
        let bounds = label.bounds(metrics)
        #expect(picture.page.inset(by: margin).contains(bounds), "\(label.text)")
      }
    }
  }

  @Test("every text given can be read in the PDF, in Latin, Greek and Cyrillic letters")
  func texts() throws {
    let folder = TemporaryFolder()
    var report = try SampleSheet.report(
      prescriber: "Сергей Иванович Ковалёв", given: "Ελένη", family: "Παπαδοπούλου-Żółć")
    report.findings = Array(report.findings.prefix(2))
    let prescription = report.prescription
    try SampleSheet.sheet(report).picture().write(to: folder.file("a.pdf"))
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
    try SampleSheet.sheet().picture().write(to: folder.file("a.pdf"))
    let plain = try Poppler.text(folder.file("a.pdf"))
    #expect(!plain.contains("Lowering") && !plain.contains("Tinnitus"))
    let plan = try SampleSheet.plan(
      lowering: Binaural(both: FrequencyLowering(cutoff: 2000, ratio: 2)),
      sound: Binaural(left: TinnitusSound(shape: .broadband, level: SoundPressureLevel(45)), right: nil))
    try SampleSheet.sheet(SampleSheet.report(plan: plan)).picture().write(to: folder.file("b.pdf"))
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
    try SampleSheet.sheet(SampleSheet.report(audiograms: n3, plan: plan)).picture().write(
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
    try SampleSheet.sheet(Self.bare(), side: 21).picture().write(to: folder.file("b.pdf"))
    #expect(try Poppler.text(folder.file("b.pdf")).contains("soft speech – – – –"))
  }

  @Test("what sends to a physician is printed however many findings there are")
  func referral() throws {
    let folder = TemporaryFolder()
    let points = [500.0, 1000, 2000, 4000].flatMap { frequency in
      [
        Audiogram.Point(frequency: frequency, threshold: HearingLevel(60)),
        Audiogram.Point(frequency: frequency, threshold: HearingLevel(30), conduction: .bone),
      ]
    }
    var report = try SampleSheet.report(
      audiograms: Binaural(left: SampleSheet.leftEar(), right: Audiogram(points: points)))
    let referral = try #require(
      report.findings.firstIndex { $0.sentence.contains("a physician should see") })
    let last = report.findings.remove(at: referral)
    report.findings = (0..<10).flatMap { _ in report.findings } + [last]
    try SampleSheet.sheet(report).picture().write(to: folder.file("a.pdf"))
    let text = try Poppler.text(folder.file("a.pdf"))
    #expect(text.contains("a physician should see it first."))
    #expect(text.contains("more lines: auricle rx show"))
  }

  @Test("names of 80 bytes are printed whole")
  func longNames() throws {
    let folder = TemporaryFolder()
    try SampleSheet.sheet(Self.longest(), side: 133).picture().write(to: folder.file("a.pdf"))
    let text = try Poppler.text(folder.file("a.pdf"))
    #expect(text.contains("Prescribed by " + Self.longName))
    #expect(text.contains(Self.longName + " " + Self.longName + " Born"))
    #expect(text.contains("more lines: auricle rx show"))
  }

  @Test(
    "each module of the printed page has its colour, and no seam shows between dark ones",
    arguments: [(105, 150), (105, 300), (133, 150), (133, 300)])
  func modules(side: Int, resolution: Int) throws {
    let folder = TemporaryFolder()
    let sheet = try SampleSheet.sheet(side: side)
    let picture = sheet.picture()
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
    let picture = try SampleSheet.sheet().picture()
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
    let signs = try SampleSheet.sheet().picture().symbols.filter {
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
    #expect(try boxes(SampleSheet.sheet().picture()) == 1)
    let bare = try SampleSheet.sheet(Self.bare(), side: 21).picture()
    #expect(boxes(bare) == 0)
    #expect(!bare.labels.contains { $0.text.hasPrefix("TRIAL") || $0.text.hasPrefix("EXPIRES") })
    // WCAG 2.1: contrast of 4.5:1.
    #expect((Colour.paper.luminance + 0.05) / (Colour.warning.luminance + 0.05) >= 4.5)
  }

  @Test("the patient's name is not among the document's properties")
  func properties() throws {
    let picture = try SampleSheet.sheet().picture()
    #expect(picture.title == "Auricle prescription 1042")
  }

  private static func codeFrame(_ picture: Picture) throws -> Rectangle {
    for case .fill(let path, .code) in picture.marks { return path.extent }
    throw PaperError.emptyText
  }
}
