import Acoustics
import Fitting
import Prescriptions
import Testing

@testable import Paper

@Suite("Prescription drawing") struct PrescriptionDrawingTests {
  private func verdict(_ isVerified: Bool, words: String) -> PrescriptionReport.Verdict {
    PrescriptionReport.Verdict(isVerified: isVerified, words: words, key: nil)
  }

  private func drawing(isVerified: Bool = true) throws -> PrescriptionDrawing {
    PrescriptionDrawing(
      try SampleSheet.report(),
      verdict: verdict(
        isVerified, words: isVerified ? "signed by Lindenhof" : "signed by an unknown key"))
  }

  /// A report without audiograms, with these targets.
  private func report(_ targets: Binaural<[TargetTable.Point]>) throws -> PrescriptionReport {
    var report = try SampleSheet.report(audiograms: Binaural(both: Audiogram(points: [])))
    report.targets = targets
    return report
  }

  @Test("no label is clipped and none covers another, with long texts and without audiogram or targets")
  func labels() throws {
    let long = String(repeating: "words ", count: 13)
    let name = String(long.dropLast())
    var high = try SampleSheet.report(
      clinic: name, prescriber: name, given: name, family: name, environment: .other(name),
      audiograms: Binaural(both: try Audiogram(air: [1000: 20, 16_000: 80])),
      plan: SampleSheet.plan(source: name))
    high.targets = Binaural(both: [SampleSheet.point(16_000, soft: 70, ordinary: 60, loud: 50)])
    let drawings = [
      try drawing(), try drawing(isVerified: false),
      PrescriptionDrawing(high, verdict: verdict(false, words: String(repeating: long, count: 8))),
      PrescriptionDrawing(try report(Binaural(both: [])), verdict: verdict(true, words: "")),
    ]
    for drawing in drawings {
      let picture = drawing.picture()
      #expect(Layout.clipped(picture) == [])
      #expect(Layout.overlapping(picture) == [])
      #expect(try !picture.encoded(as: .png).isEmpty)
    }
  }

  @Test("the gain for ordinary speech is marked at its frequency and level with the ear's own sign")
  func marks() throws {
    let targets = Binaural(left: [], right: [SampleSheet.point(1000, soft: 25, ordinary: 15, loud: 5)])
    let drawing = PrescriptionDrawing(try report(targets), verdict: verdict(true, words: ""))
    let symbols = drawing.picture().symbols
    #expect(symbols.map(\.marker) == [.circle])
    #expect(symbols.map(\.colour) == [.ear(.right)])
    let frame = drawing.frame(top: PrescriptionDrawing.plotTop, height: PrescriptionDrawing.gainHeight)
    // 0 to 30 dB: 15 dB lie half way. 125/√2 to 8000·√2 Hz are 7 octaves: 1000 Hz lie 3.5 of them in.
    #expect(drawing.gains == 0...30)
    #expect(abs((symbols.first?.centre.x ?? 0) - frame.midX) < 1e-6)
    #expect(abs((symbols.first?.centre.y ?? 0) - frame.midY) < 1e-6)
  }

  @Test("three curves for each ear, told apart by their dashes, on the same scale")
  func curves() throws {
    let drawing = try drawing()
    let plots = drawing.picture().marks.compactMap { mark -> (Rectangle, [Stroke])? in
      guard case .clipped(let frame, let inner) = mark, frame.minX >= PrescriptionDrawing.plotLeft else {
        return nil
      }
      return (frame, inner.compactMap { if case .stroke(_, let stroke) = $0 { stroke } else { nil } })
    }
    let gains = plots.filter { $0.0.height == PrescriptionDrawing.gainHeight }
    #expect(gains.count == 6)
    for ear in Ear.allCases {
      let dashes = gains.flatMap(\.1).filter { $0.colour == .ear(ear) }.map(\.dashes)
      #expect(Set(dashes).count == 3)
    }
    #expect(plots.filter { $0.0.height == PrescriptionDrawing.outputHeight }.count == 2)
  }

  @Test("audible speech stands below, for each ear with thresholds")
  func audibility() throws {
    let ears = Binaural(left: try Audiogram(points: []), right: StandardAudiogram.n3.audiogram)
    let report = try SampleSheet.report(audiograms: ears)
    let labels = PrescriptionDrawing(report, verdict: verdict(true, words: "")).picture().labels
    // N3 unaided; phonometry 3.3.0, as in AudibilityTests.
    let words = "Right ear: audible speech (SII) at 50, 65, 80 dB SPL: 0.08, 0.31, 0.61 without an aid; "
    #expect(labels.filter { $0.text.contains("(SII)") }.map { $0.text.hasPrefix(words) } == [true])
  }

  @Test("what is not verified says so in white on a dark bar")
  func verdict() throws {
    for isVerified in [true, false] {
      let picture = try drawing(isVerified: isVerified).picture()
      let warnings = picture.marks.filter { if case .fill(_, .warning) = $0 { true } else { false } }
      #expect(warnings.count == (isVerified ? 0 : 1))
      let verdict = picture.labels.first { $0.text.contains("signed by") }
      #expect(verdict?.style.colour == (isVerified ? .ink : .paper))
    }
  }
}
