import Acoustics
import Base
import Glibc
import Testing

@testable import Paper

/// Pages of hearing tests and matches: what is drawn also stands in figures.
@Suite("Pages of hearing tests and matches") struct HearingPagesTests {
  private func isWithin(_ picture: Picture) -> Bool {
    picture.labels.allSatisfy { 0...picture.width ~= $0.place.x && 0...picture.height ~= $0.place.y }
  }

  private var audiograms: Binaural<Audiogram> {
    get throws {
      func ear(_ levels: [(Double, Double, Bool)]) throws -> Audiogram {
        try Audiogram(
          points: levels.map {
            Audiogram.Point(frequency: $0.0, threshold: HearingLevel($0.1), hasResponse: $0.2)
          })
      }
      return Binaural(
        left: try ear([
          (250, 15, true), (500, 20, true), (1000, 25, true), (2000, 40, true), (4000, 62, true),
          (8000, 90, false),
        ]),
        right: try ear([
          (250, 10, true), (500, 10, true), (1000, 15, true), (2000, 22, true), (4000, 47, true),
          (8000, 55, true),
        ]))
    }
  }

  @Test(
    "a hearing test's page has the audiogram and every threshold in figures, the one without a response as more than its level"
  )
  func hearingTest() throws {
    let page = HearingTestPage(
      try audiograms, subtitle: "2026-11-26 17:00, HDA 200, calibration verified",
      notes: ["The left ear's first tone came out 10 dB elsewhere when it was tested again."]
    ).picture()
    let texts = page.labels.map(\.text)
    for figure in ["62", "47", "> 90", "8000", "250"] { #expect(texts.contains(figure)) }
    #expect(texts.contains { $0.hasPrefix("The left ear's first tone") })
    #expect(page.symbols.count >= 12 && isWithin(page))
    try show(page, "hearing-test")
  }

  @Test(
    "matches over days have their mean, their spread and their figures; of one match there is no spread")
  func history() throws {
    let levels = [30.0, 34, 31, 36, 33, 35, 32]
    let page = MatchHistoryPage([
      MatchHistoryPage.Course(
        ear: .right, title: "Right ear, 1000 Hz",
        points: levels.enumerated().map { (Double($0) * 0.9, $1) }, mean: 33.5,
        deviation: 2.9, rows: levels.enumerated().map { ("2026-11-2\($0) 09:00", "\($1.shortText) dB HL") }),
      MatchHistoryPage.Course(
        ear: .left, title: "Left ear, 4000 Hz", points: [(2, 55)], mean: nil, deviation: nil,
        rows: [("2026-11-22 09:00", "55 dB HL")]),
    ]).picture()
    let texts = page.labels.map(\.text)
    #expect(texts.contains { $0.contains("Right ear, 1000 Hz, test–retest standard deviation 2.9 dB") })
    #expect(texts.contains("Left ear, 4000 Hz"))
    #expect(texts.contains { $0.contains("34 dB HL") } && texts.contains { $0.contains("55 dB HL") })
    #expect(isWithin(page))
    try show(page, "matches")
    // Nothing to draw is no fault.
    #expect(!MatchHistoryPage([]).picture().labels.isEmpty)
  }

  @Test("a pitch profile has every tone's mean and ratings in figures")
  func likeness() throws {
    let tones = (0..<13).map { index in
      let frequency = 500 * exp2(Double(index) / 3)
      let mean = 90 * exp(-0.5 * Double((index - 9) * (index - 9)) / 6)
      return LikenessPage.Tone(
        frequency: frequency, mean: mean, ratings: [max(0, mean - 8), mean, min(100, mean + 7)])
    }
    let page = LikenessPage(
      .left, tones, subtitle: "2026-11-26 17:00, left ear, pitch 4000 Hz",
      notes: ["The peak lies at the end of the tones."]
    ).picture()
    let texts = page.labels.map(\.text)
    #expect(texts.contains("4000") && texts.contains("90") && texts.contains("82   90   97"))
    #expect(isWithin(page))
    try show(page, "likeness")
  }

  /// Writes a page where AURICLE_PICTURES names a folder, to be looked at.
  private func show(_ page: Picture, _ name: String) throws {
    guard let folder = ProcessEnvironment.variables["AURICLE_PICTURES"] else { return }
    try page.write(to: "\(folder)/\(name).png", pixelWidth: 1000)
  }
}
