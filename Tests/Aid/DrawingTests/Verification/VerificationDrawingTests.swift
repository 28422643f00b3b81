import Acoustics
import CommonTesting
import Testing

@testable import Drawing

@Suite("Verification drawing") struct VerificationDrawingTests {
  private static func curve(_ level: Double) -> [SpectrumPoint] {
    [250, 500, 1000, 2000, 4000].map { SpectrumPoint(frequency: $0, level: level) }
  }

  private static let curves = VerificationCurves(
    gains: ["50", "65", "80"].map { .init(name: $0, measured: curve(20), target: curve(21)) },
    response: curve(80), loudResponse: curve(100),
    inputOutput: ["500", "1k", "2k", "4k", "noise"].map {
      .init(name: $0, inputs: [40, 70, 100], outputs: [60, 80, 100])
    },
    speechInput: .init(valleys: curve(40), middle: curve(50), peaks: curve(60)),
    speechOutput: .init(valleys: curve(60), middle: curve(68), peaks: curve(75)), delays: curve(0.3))

  private static func report(
    limits: Int = 32, isMet: Bool = true, ears: Binaural<VerificationCurves?>? = nil, word: String = "met"
  ) -> VerificationReport {
    VerificationReport(
      title: "Bisgaard N3, NAL-RP \(word)", conditions: (0..<6).map { "condition \($0), \(word)" },
      verdict: "All limits \(word).", isMet: isMet,
      figures: (0..<20).map { .init(name: "figure \($0) \(word)", right: "1.0 dB", left: "–") },
      limits: (0..<limits).map {
        .init(
          source: "21 CFR 800.30 (e)(\($0))", name: "limit \($0) \(word)", right: "100.0 dB SPL",
          left: "100.0 dB SPL", bound: "≤ 117 dB SPL", knowledge: "secondary source", verdict: word,
          isBroken: !isMet && $0 == 3)
      }, ears: ears ?? Binaural(both: curves))
  }

  @Test(
    "no label is clipped and none covers another: usual, broken, overlong, one ear",
    arguments: [
      report(), report(isMet: false, word: "broken"),
      report(limits: 150, word: String(repeating: "overlong ", count: 40)),
      report(ears: Binaural(left: nil, right: curves)),
    ])
  func labels(report: VerificationReport) throws {
    let pages = VerificationDrawing(report).pages()
    for page in pages {
      #expect(Layout.clipped(page) == [])
      #expect(Layout.overlapping(page) == [])
    }
    #expect(try !PictureDocument(pages).encoded().isEmpty)
  }

  @Test("thirty-two limits stand on one page, and the document has a page for tables and one for curves")
  func pages() throws {
    let folder = TemporaryFolder()
    let path = folder.file("report.pdf")
    try PictureDocument(VerificationDrawing(Self.report()).pages()).write(to: path, isPrivate: true)
    #expect(try Poppler.information(path, "Pages") == "2")
    let text = try Poppler.text(path)
    #expect(text.contains("limit 31 met") && text.contains("OSPL90") && text.contains("Left ear"))
  }

  @Test("every limit is on some page, however many there are")
  func manyLimits() throws {
    let pages = VerificationDrawing(Self.report(limits: 150)).pages()
    let texts = Set(pages.flatMap(\.labels).map(\.text))
    for index in 0..<150 { #expect(texts.contains("limit \(index) met")) }
  }

  @Test("a document is a PDF and nothing else")
  func formats() throws {
    let folder = TemporaryFolder()
    let document = PictureDocument(VerificationDrawing(Self.report()).pages())
    let path = folder.file("report.png")
    #expect(throws: PictureError.unknownFormat(path: path)) { try document.write(to: path) }
    #expect(folder.names == [])
  }
}
