import Base
import CommonTesting
import Fitting
import Prescriptions
import Testing

@testable import Paper

@Suite("Prescription sheet") struct PrescriptionSheetTests {
  @Test("pages are A4, 595.28 × 841.89 points: one for the patient, and as many as the findings need")
  func page() throws {
    let folder = TemporaryFolder()
    for (index, report) in try SampleSheet.all().enumerated() {
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
      for (report, side) in zip(try SampleSheet.all(), [105, 133, 21, 105]) {
        let sheet = try SampleSheet.sheet(report, side: side, codeWidth: width)
        let pages = sheet.pages()
        for page in pages {
          #expect(Layout.clipped(page) == [])
          #expect(Layout.overlapping(page) == [])
        }
        let picture = pages[0]
        let frame = try Layout.codeFrame(picture)
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
    for report in try SampleSheet.all() {
      let metrics = TextMetrics()
      for picture in try SampleSheet.sheet(report).pages() {
        for label in picture.labels {
          let bounds = label.bounds(metrics)
          #expect(picture.page.inset(by: margin).contains(bounds), "\(label.text)")
        }
      }
    }
  }

  @Test("targets of all frequencies that two tables can have are on the page, in figures that can be read")
  func manyTargets() throws {
    let report = try SampleSheet.crowded()
    // Ten usual ones, and twenty of each ear.
    let frequencies = Set(report.targets.left.map(\.frequency) + report.targets.right.map(\.frequency))
    #expect(frequencies.count == 50)
    let pages = try SampleSheet.sheet(report, side: 133).pages()
    for page in pages {
      #expect(Layout.clipped(page) == [])
      #expect(Layout.overlapping(page) == [])
    }
    let figures = pages[1].labels.filter { $0.place.x > SheetPage.secondColumn }
    for frequency in frequencies {
      #expect(figures.contains { $0.text == frequency.shortText }, "\(frequency)")
    }
    #expect(figures.allSatisfy { $0.style.size >= 6 })
  }

  @Test("names of 80 bytes are printed whole")
  func longNames() throws {
    let folder = TemporaryFolder()
    try SampleSheet.sheet(SampleSheet.longest(), side: 133).write(to: folder.file("a.pdf"))
    let text = try Poppler.text(folder.file("a.pdf"))
    #expect(text.contains("Prescribed by " + SampleSheet.longName))
    #expect(text.contains(SampleSheet.longName + " " + SampleSheet.longName + " Born"))
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
    let frame = try Layout.codeFrame(picture)
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
}
