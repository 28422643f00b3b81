import Acoustics
import Laboratory
import Testing

@testable import Paper

@Suite("Rendering report drawing") struct RenderingReportDrawingTests {
  /// A page whose numbers are at the edge of sense.
  private static func extreme() -> RenderingReport {
    var report = SampleReport.report
    report.inputName = String(repeating: "a very long name of a recording ", count: 20) + ".wav"
    report.audiogramName = String(repeating: "someone ", count: 60)
    report.calibration = String(repeating: "none ", count: 90)
    report.duration = 86_400
    report.ears = report.ears.map { ear in
      var ear = ear
      ear.achievedGain = ear.achievedGain.map { CurvePoint(x: $0.x, y: -67) }
      ear.output = ear.output.map { CurvePoint(x: $0.x, y: 139) }
      ear.inputCourse = [0, 40_000, 86_400].map { CurvePoint(x: $0, y: -.infinity) }
      ear.inputLevel = -.infinity
      return ear
    }
    return report
  }

  private static func silent() -> RenderingReport {
    var report = SampleReport.report
    report.duration = 0
    report.sampleRate = .nan
    report.ears = Binaural(both: EarRendering())
    return report
  }

  @Test(
    "no label is clipped and none covers another: speech, extreme numbers and names, nothing at all",
    arguments: [SampleReport.report, extreme(), silent()])
  func labels(report: RenderingReport) throws {
    let picture = report.picture()
    #expect(Layout.clipped(picture) == [])
    #expect(Layout.overlapping(picture) == [])
    // Cairo must not have failed on an odd coordinate either.
    #expect(try !picture.encoded(as: .pdf).isEmpty)
  }

  @Test("the page names the program that was heard, and says that the target is the rule's alone")
  func program() {
    var report = SampleReport.report
    func words(_ report: RenderingReport) -> [String] {
      report.picture().labels.map(\.text)
    }
    #expect(!words(report).contains { $0.contains("program") })
    report.programName = "music"
    let picture = report.picture()
    #expect(words(report).contains { $0.contains(", program music, ") })
    #expect(words(report).contains { $0.contains("the program may take away") })
    #expect(Layout.clipped(picture) == [])
    #expect(Layout.overlapping(picture) == [])
  }

  @Test("the page is A4")
  func page() {
    let picture = SampleReport.report.picture()
    // ISO 216: 210 mm × 297 mm, at 72 points per 25.4 mm; the nearest point.
    let points = 72 / 25.4
    #expect(picture.width == (210 * points).rounded())
    #expect(picture.height == (297 * points).rounded())
  }

  @Test("the right ear stands on the left, with circles; the left ear on the right, with crosses")
  func sides() throws {
    let picture = SampleReport.report.picture()
    let middle = picture.width / 2
    #expect(
      picture.symbols.allSatisfy { $0.centre.x < middle ? $0.marker == .circle : $0.marker == .cross })
    #expect(
      picture.symbols.allSatisfy { $0.colour == ($0.marker == .circle ? Colour.ear(.right) : .ear(.left)) })
    let names = picture.labels.filter { $0.text == "Right ear" || $0.text == "Left ear" }
    #expect(names.map(\.text) == ["Right ear", "Left ear"])
    #expect(names[0].place.x < middle && names[1].place.x > middle)
  }

  @Test("a measured gain stands at its frequency and level, and a missing one nowhere")
  func gainMarkers() throws {
    var report = SampleReport.report
    report.ears = Binaural(both: EarRendering())
    report.ears.left.achievedGain = [
      CurvePoint(x: 1000, y: 15), CurvePoint(x: 2000, y: .nan),
    ]
    let frame = RenderingReport.frame(
      .left, top: RenderingReport.gainTop, height: RenderingReport.gainHeight)
    let inside = report.picture().symbols.filter { $0.centre.y > frame.minY && $0.centre.y < frame.maxY }
    #expect(inside.count == 1)
    let centre = try #require(inside.first?.centre)
    // The axis runs from 0 to 30 dB, so 15 dB lie half way; 1000 Hz lie at log(1000/88)/log(11300/88) =
    // 0.50058.
    #expect(abs(centre.y - frame.midY) < 1e-9)
    #expect(abs(centre.x - (frame.minX + 0.50058 * frame.width)) < 0.01)
  }

  @Test("both ears share the scales, which hold every value shown")
  func scales() {
    // Bisgaard S2 reaches 95 dB HL, half of which is 47.5 dB; the lowest target is 2 dB.
    #expect(SampleReport.report.gainRange == 0...50)
    #expect(SampleReport.report.bandLevelRange.upperBound == 120)
  }

  @Test("silence and nonsense do not stretch an axis")
  func range() {
    let range = Axis.range([-.infinity, .nan, 1e9, -900, 55], step: 20, least: 40...80, span: 100)
    #expect(range == 40...80)
    // −120 dB is finite, but more than the span below.
    #expect(Axis.range([-120, 95], step: 20, least: 40...80, span: 100) == 0...100)
    // A value on the edge gets room above it.
    #expect(Axis.range([100], step: 20, least: 40...80, span: 100) == 40...120)
  }

  @Test("a figure's name is whole beside an audiogram up to 8 kHz and one up to 16 kHz")
  func figures() throws {
    var report = SampleReport.report
    report.ears.left.audiogram = try Audiogram(air: [1000: 20, 16_000: 80])
    let picture = report.picture()
    #expect(picture.labels.contains { $0.text == "16k" })
    #expect(picture.labels.count { $0.text == "Loudest output, Fast" } == 2)
    #expect(Layout.overlapping(picture) == [])
  }

  @Test("silence is called silence", arguments: [(-Double.infinity, "silence"), (65.04, "65.0 dB SPL")])
  func silence(level: Double, text: String) {
    var report = SampleReport.report
    report.ears.left.inputLevel = level
    let figure = report.figures(.left).first { $0.name == "Input level" }
    #expect(figure?.value == text)
  }

  @Test(
    "time is counted in seconds, from five minutes on in minutes", arguments: [(299.0, "s"), (300, "min")])
  func time(duration: Double, unit: String) {
    var report = SampleReport.report
    report.duration = duration
    let picture = report.picture()
    #expect(picture.labels.count { $0.text == "Time / " + unit } == 2)
  }

  @Test("a list that is empty has no entry in the key")
  func key() {
    var report = SampleReport.report
    report.ears = report.ears.map { ear in
      var ear = ear
      ear.outputLimit = []
      return ear
    }
    func entries(_ report: RenderingReport) -> Int {
      report.picture().labels.count { $0.text == "limit" }
    }
    #expect(entries(SampleReport.report) == 2)
    #expect(entries(report) == 0)
  }
}
