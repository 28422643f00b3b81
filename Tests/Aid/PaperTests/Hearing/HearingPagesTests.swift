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
    "the figures have the threshold found with noise in the other ear, not the one that it may have heard")
  func masked() throws {
    let left = try Audiogram(points: [
      Audiogram.Point(frequency: 1000, threshold: HearingLevel(61)),
      Audiogram.Point(frequency: 1000, threshold: HearingLevel(93), isMasked: true, hasResponse: false),
    ])
    let page = HearingTestPage(
      Binaural(left: left, right: try audiograms.right), subtitle: "2026-11-26 17:00, HDA 200", notes: []
    ).picture()
    let texts = page.labels.map(\.text)
    #expect(texts.contains("> 93") && !texts.contains("61"))
  }

  @Test("a threshold at the softest tone of the device stands as its level or below, of its ear alone")
  func floors() throws {
    let page = HearingTestPage(
      try audiograms, floors: Binaural(left: [250], right: [250, 8000]), subtitle: "", notes: []
    ).picture()
    let texts = page.labels.map(\.text)
    for figure in ["≤ 15", "≤ 10", "≤ 55", "20"] { #expect(texts.contains(figure), "\(figure)") }
    // The right ear has 10 dB HL at 500 Hz too, and 55 at 8000 Hz alone.
    #expect(texts.contains("10") && !texts.contains("55") && isWithin(page))
  }

  @Test("every note stays whole and on the page, however many there are")
  func notes() throws {
    let sentence =
      "The left ear heard even the softest tone of this device, up to 26 dB HL, at 250, 500, 1000, 2000 Hz: it may "
      + "hear better there, so make no prescription from these thresholds; a device format of 24 bits reaches lower."
    for count in [1, 4, 12] {
      let notes = (1...count).map { "\($0). \(sentence)" }
      let page = HearingTestPage(try audiograms, subtitle: "", notes: notes).picture()
      let words = page.labels.map(\.text).joined(separator: " ")
      for note in notes { #expect(words.contains(note)) }
      #expect(isWithin(page))
      try show(page, "hearing-test-notes-\(count)")
    }
  }

  // 11.2, 12.5, 14 and 16 kHz are of extended high-frequency audiometry (ISO 389-5); more stand between them.
  private static let manyFrequencies: [[Double]] = [
    [
      125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 5000, 6000, 8000, 9000, 10_000, 11_200, 12_500,
      14_000, 16_000,
    ],
    (0..<24).map { 10_000 + Double($0) * 250 },
  ]

  @Test("no figure is shortened, however many frequencies were tested", arguments: manyFrequencies)
  func figures(frequencies: [Double]) throws {
    let ear = try Audiogram(
      points: frequencies.map {
        Audiogram.Point(frequency: $0, threshold: HearingLevel(110), hasResponse: false)
      })
    let page = HearingTestPage(Binaural(left: ear, right: ear), subtitle: "", notes: ["The last sentence."])
      .picture()
    let texts = page.labels.map(\.text)
    for frequency in frequencies {
      #expect(texts.contains("\(Int(frequency))"), "\(frequency)")
    }
    #expect(texts.filter { $0 == "> 110" }.count == 2 * frequencies.count)
    #expect(!texts.contains { $0.contains("…") })
    #expect(isWithin(page))
    try show(page, "hearing-test-\(frequencies.count)")
  }

  private typealias Course = MatchHistoryPage.Course

  private func rows(_ values: [String]) -> [(day: String, value: String)] {
    values.enumerated().map { ("2026-11-\(10 + $0) 09:00", $1) }
  }

  private func points(_ values: [Double]) -> [(day: Double, value: Double)] {
    values.enumerated().map { (Double($0) * 0.9, $1) }
  }

  @Test(
    "every kind of match has its course and its figures, three courses to a page; mean and spread are drawn where there are several"
  )
  func history() throws {
    let levels = [30.0, 34, 31, 36, 33, 35, 32]
    let pages = MatchHistoryPage([
      Course(
        ear: .right, title: "Loudness, right ear, 1000 Hz", scale: .hearingLevel,
        lines: [.init("", points(levels))], spread: (30.6, 33.5, 36.4), deviation: "2.9 dB",
        rows: rows(levels.map { "\($0.shortText) dB HL" })),
      Course(
        ear: .left, title: "Pitch, left ear", scale: .frequency,
        lines: [.init("", points([3800, 4200, 4000]))], spread: (3775, 4000, 4238),
        deviation: "0.1 octaves",
        rows: rows(["3800 Hz", "4200 Hz", "4000 Hz, octave in doubt"])),
      Course(
        ear: .left, title: "Bandwidth, left ear, 4000 Hz", scale: .likeness,
        lines: [
          .init("tone", points([80, 85, 78])), .init("narrow noise", points([40, 35, 50])),
          .init("broad noise", points([10, 12, 5])),
        ],
        rows: rows(Array(repeating: "tone 80, narrow noise 40, broad noise 10", count: 3))),
      Course(
        ear: .left, title: "Masking level, left ear, broad noise", scale: .hearingLevel,
        lines: [.init("", points([45, 43]))], rows: rows(["45 dB HL", "43 dB HL"])),
      Course(
        ear: .right, title: "Residual inhibition, right ear, broad noise", scale: .loudness,
        lines: [.init("", points([40, 120, 0]))],
        rows: rows(["partial, least 40 %", "rebound, least 120 %", "complete, least 0 %"])),
    ]).pages()
    #expect(pages.count == 2 && pages.allSatisfy(isWithin))
    let texts = pages.flatMap { $0.labels.map(\.text) }
    for words in [
      "Loudness, right ear, 1000 Hz, test–retest standard deviation 2.9 dB (dashed)", "31 dB HL",
      "Pitch / Hz", "4k",
      "4000 Hz, octave in doubt", "narrow noise", "Likeness", "Masking level, left ear, broad noise",
      "43 dB HL",
      "Loudness / %", "complete, least 0 %", "2026-11-12 09:00", "Page 2 of 2",
    ] {
      #expect(texts.contains(words), "\(words)")
    }
    // A sign for each value: 7, 3, 9, 2 and 3, and three in the key of the bandwidth.
    #expect(pages.map(\.symbols.count) == [7 + 3 + 9 + 3, 2 + 3])
    for (index, page) in pages.enumerated() { try show(page, "matches-\(index + 1)") }
  }

  @Test(
    "a course of one match has no spread; one of many shows the newest figures, and says how many there are"
  )
  func lengths() throws {
    let one = MatchHistoryPage([
      Course(
        ear: .left, title: "Pitch, left ear", scale: .frequency, lines: [.init("", [(2, 15_800)])],
        rows: rows(["15800 Hz"]))
    ]).pages()
    #expect(one.count == 1 && one[0].symbols.count == 1 && isWithin(one[0]))
    let values = (0..<60).map { 30 + Double($0 % 7) }
    let many = MatchHistoryPage([
      Course(
        ear: .left, title: "Loudness, left ear, 1000 Hz", scale: .hearingLevel,
        lines: [.init("", points(values))],
        rows: rows((0..<60).map { "match \($0)" }))
    ]).pages()
    let texts = many[0].labels.map(\.text)
    #expect(texts.contains("match 59") && !texts.contains("match 35") && texts.contains("match 36"))
    #expect(texts.contains("The newest 24 of 60; all of them: auricle match history"))
    #expect(many[0].symbols.count == 60 && isWithin(many[0]))
    try show(many[0], "matches-many")
    // Values that no record should have, and none at all, are no fault.
    for values in [[], [.nan], [-1e300, 1e300]] as [[Double]] {
      for scale in [Course.Scale.hearingLevel, .frequency, .likeness, .loudness] {
        let course = Course(
          ear: .left, title: "x", scale: scale, lines: [.init("", points(values))], rows: rows([]))
        #expect(isWithin(MatchHistoryPage([course]).pages()[0]))
      }
    }
    #expect(MatchHistoryPage([]).pages()[0].labels.map(\.text).contains("There are none yet."))
  }

  @Test(
    "a title too long for one line has its deviation below it, whole; nothing leaves the frame or covers another"
  )
  func longTitles() throws {
    let values = (0..<60).map { 30 + Double($0 % 7) }
    // Longest names of loudness and masking after a new calibration, and a name of earphones of somebody else's.
    let titles = [
      "Loudness, right ear, 1000 Hz, HDA 200 of 2026-02-28",
      "Masking level, right ear, narrow noise, 4000 Hz, Sennheiser HD 650, Scarlett 2i2 from 2026-02-28 on",
      "Loudness, right ear, 1000 Hz, " + String(repeating: "earphones ", count: 30),
    ]
    let page = MatchHistoryPage(
      titles.map { title in
        Course(
          ear: .right, title: title, scale: .hearingLevel,
          lines: ["tone", "narrow noise", "broad noise"].map { .init($0, points(values)) },
          spread: (28, 33, 38), deviation: "2.1 dB", rows: rows(values.map { "\($0.shortText) dB HL" }))
      }
    ).pages()[0]
    #expect(Layout.clipped(page) == [])
    let words = page.labels.filter { $0.style.size > 7 && !$0.isUpright }
    let metrics = TextMetrics()
    for label in words {
      let bounds = label.bounds(metrics)
      #expect(bounds.maxX <= SheetPage.right + 0.01, "\(label.text)")
    }
    let texts = page.labels.map(\.text)
    #expect(texts.filter { $0 == "Test–retest standard deviation 2.1 dB (dashed)" }.count == 3)
    #expect(texts.contains(titles[0]))
    // Titles, keys, deviations, figures and the notes below them.
    let styles = [TextStyle.heading, Legend.style, .note, SheetPage.caption]
    let lines = page.labels.filter { styles.contains($0.style) }
    for (index, label) in lines.enumerated() {
      let bounds = label.bounds(metrics)
      for other in lines.dropFirst(index + 1) {
        let covers = bounds.overlaps(other.bounds(metrics))
        #expect(!covers, "\(label.text) | \(other.text)")
      }
    }
    try show(page, "matches-long-titles")
  }

  @Test("matches of a year and of many years after the first have their places on the axis of days")
  func years() throws {
    func page(_ days: [Double]) -> Picture {
      MatchHistoryPage([
        Course(
          ear: .right, title: "Loudness, right ear, 1000 Hz", scale: .hearingLevel,
          lines: [.init("", days.map { (day: $0, value: 30) })], rows: rows([]))
      ]).pages()[0]
    }
    let places = page([0, 300, 3000]).symbols.map(\.centre.x)
    try #require(places.count == 3)
    // Of ten parts of the way the first; a linear axis, exact up to rounding.
    #expect(abs((places[1] - places[0]) / (places[2] - places[0]) - 0.1) < 1e-9)
    // Of 4000 days the last 3650 are shown, ten years.
    #expect(page([0, 300, 400, 4000]).symbols.count == 2)
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
