import Acoustics
import CommonTesting
import Testing

@testable import Laboratory
@testable import Paper

@Suite("Verification drawing") struct VerificationDrawingTests {
  private static func curve(_ level: Double) -> [CurvePoint] {
    [250, 500, 1000, 2000, 4000].map { CurvePoint(x: $0, y: level) }
  }

  private static func measurements(_ ear: Ear) -> EarMeasurements {
    var measured = EarMeasurements(ear: ear)
    measured.speechGains = [50, 65, 80].map { .init(level: $0, measured: curve(20), target: curve(21)) }
    (measured.response, measured.loudResponse) = (curve(80), curve(100))
    measured.inputOutput = [500, 1000, 2000, 4000, nil].map { frequency in
      .init(
        frequency: frequency, curve: zip([40, 70, 100], [60, 80, 100]).map { CurvePoint(x: $0, y: $1) })
    }
    let input = SpeechDynamics.Percentiles(valleys: 40, middle: 50, peaks: 60)
    let output = SpeechDynamics.Percentiles(valleys: 60, middle: 68, peaks: 75)
    measured.speech = [
      SpeechDynamics(
        level: 65,
        bands: [250, 500, 1000, 2000, 4000].map {
          .init(frequency: $0, input: input, output: output, inputLevel: 50, gain: 20)
        })
    ]
    measured.delays = curve(0.0003)
    return measured
  }

  private static func table(
    limits: Int = 32, isMet: Bool = true, ears: [Ear] = Ear.allCases, word: String = "met"
  ) -> VerificationTable {
    VerificationTable(
      title: "Bisgaard N3, NAL-RP \(word)", conditions: (0..<6).map { "condition \($0), \(word)" },
      figures: (0..<20).map {
        .init(name: "figure \($0) \(word)", ears: Binaural(left: "–", right: "1.0 dB"))
      },
      limits: (0..<limits).map { index in
        .init(
          findings: Ear.allCases.map { ear in
            Finding(
              source: .overTheCounter, clause: "(e)(\(index))", name: "limit \(index) \(word)", ear: ear,
              measured: isMet || index != 3 ? 100 : 120, unit: "dB SPL", bound: .atMost(117),
              knowledge: .secondary)
          })
      }, verdict: "All limits \(word).", isMet: isMet, ears: ears.map(measurements))
  }

  @Test(
    "no label is clipped and none covers another: usual, broken, overlong, one ear",
    arguments: [
      table(), table(isMet: false, word: "broken"),
      table(limits: 150, word: String(repeating: "overlong ", count: 40)), table(ears: [.right]),
    ])
  func labels(table: VerificationTable) throws {
    let pages = VerificationDrawing(table).pages()
    for page in pages {
      #expect(Layout.clipped(page) == [])
      #expect(Layout.overlapping(page) == [])
    }
    #expect(try !pages[0].encoded(as: .pdf, followedBy: Array(pages.dropFirst())).isEmpty)
  }

  private static func limit(
    _ source: Finding.Source, _ clause: String, _ name: String, _ measured: Double, _ unit: String,
    _ bound: ClosedRange<Double>, _ knowledge: Finding.Knowledge = .secondary
  ) -> VerificationTable.Limit {
    .init(
      findings: Ear.allCases.map { ear in
        Finding(
          source: source, clause: clause, name: name, ear: ear, measured: measured, unit: unit,
          bound: bound, knowledge: knowledge)
      })
  }

  /// The widest ones of a verification, of names, sources, numbers, bounds and origins.
  private static let widest: [VerificationTable.Limit] = [
    limit(.overTheCounter, "(d)(2)", "Maximum output, compression on", 118.8, "dB SPL", .atMost(117)),
    limit(.overTheCounter, "(e)(1)", "Distortion and noise, 500 Hz at 100 dB SPL", 12.5, "%", .atMost(5)),
    limit(.overTheCounter, "(e)(4)", "Bandwidth, upper edge", 10_000, "Hz", .atLeast(5000)),
    limit(.soundAmplifier, "", "Distortion and noise, 500 Hz at 70 dB SPL", 0.18, "%", .atMost(5)),
    limit(.soundAmplifier, "", "Distortion and noise, 800 Hz at 70 dB SPL", 0.14, "%", .atMost(5)),
    limit(.soundAmplifier, "", "Distortion and noise, 1600 Hz at 65 dB SPL", 0.16, "%", .atMost(5)),
    limit(.soundAmplifier, "", "Distortion and noise at greatest output", 0.15, "%", .atMost(5)),
    limit(.soundAmplifier, "5.2", "Third-octave peak", 12.2, "dB", .atMost(12)),
    limit(.soundAmplifier, "", "Output for digital silence", -200, "dB FS", .atMost(-68)),
    limit(.soundAmplifier, "", "Maximum output", 121.5, "dB SPL", .atMost(120), .memory),
    limit(.tolerance, "", "Response less stated, 2000 to 5000 Hz", -12.3, "dB", -6...6, .memory),
    limit(.tolerance, "", "Equivalent input noise less stated", -0.57, "dB", .atMost(3), .memory),
    limit(.fitting, "", "Compression ratio over stated ratio", 1.04, "", 0.8...1.2, .own),
    limit(.fitting, "", "Gain less target, speech noise of 50 dB SPL", -11.3, "dB", -5...5, .memory),
    limit(.fitting, "", "Gain less target, speech noise of 65 dB SPL", -1.33, "dB", -5...5, .memory),
  ]

  @Test("real names of limits, their sources, numbers and bounds are whole: a limit keeps its frequency")
  func realNames() {
    var table = Self.table(isMet: false)
    table.title = "Bisgaard N3"
    table.limits = Self.widest
    let pages = VerificationDrawing(table).pages()
    let texts = pages.flatMap(\.labels).map(\.text)
    #expect(!texts.contains { $0.contains("…") })
    for limit in table.limits {
      for text in [limit.source, limit.first.name, limit.value(.right), limit.bound, limit.known] {
        #expect(texts.contains(text), "\(text)")
      }
    }
    for page in pages { #expect(Layout.clipped(page) == [] && Layout.overlapping(page) == []) }
  }

  @Test("thirty-two limits stand on one page, and the document has a page for tables and one for curves")
  func pages() throws {
    let folder = TemporaryFolder()
    let path = folder.file("report.pdf")
    let pages = VerificationDrawing(Self.table()).pages()
    try pages[0].write(to: path, followedBy: Array(pages.dropFirst()))
    #expect(try Poppler.information(path, "Pages") == "2")
    let text = try Poppler.text(path)
    #expect(text.contains("limit 31 met") && text.contains("OSPL90") && text.contains("Left ear"))
  }

  @Test(
    "what cannot be judged is open on the page, and a limit that was read nowhere is marked and explained")
  func openLimit() throws {
    var table = Self.table(limits: 2)
    for index in table.limits[1].findings.indices {
      table.limits[1].findings[index].measured = nil
      table.limits[1].findings[index].withoutFigure = .notJudged
      table.limits[1].findings[index].knowledge = .memory
    }
    let pages = VerificationDrawing(table).pages()
    let texts = pages.flatMap(\.labels).map(\.text)
    #expect(texts.contains("open") && texts.contains("* from memory"))
    #expect(texts.contains(VerificationTable.origin))
    #expect(Layout.clipped(pages[0]) == [] && Layout.overlapping(pages[0]) == [])
  }

  @Test("every limit is on some page, however many there are")
  func manyLimits() throws {
    let pages = VerificationDrawing(Self.table(limits: 150)).pages()
    let texts = Set(pages.flatMap(\.labels).map(\.text))
    for index in 0..<150 { #expect(texts.contains("limit \(index) met")) }
  }
}
