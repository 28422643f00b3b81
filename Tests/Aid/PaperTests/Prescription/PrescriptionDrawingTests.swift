import Acoustics
import Testing

@testable import Paper

@Suite("Prescription drawing") struct PrescriptionDrawingTests {
  private func drawing(isVerified: Bool = true) throws -> PrescriptionDrawing {
    let content = try SampleSheet.content()
    return PrescriptionDrawing(
      title: content.patientName, lines: ["No. 1042", content.environment, content.targetSource],
      verdict: isVerified ? "Verified: signed by Lindenhof" : "NOT VERIFIED: signed by an unknown key",
      isVerified: isVerified, audiograms: content.audiograms, targets: content.targets)
  }

  @Test("no label is clipped and none covers another, with long texts and with nothing at all")
  func labels() throws {
    let long = String(repeating: "words without end ", count: 30)
    let drawings = [
      try drawing(), try drawing(isVerified: false),
      PrescriptionDrawing(
        title: long, lines: [long, long], verdict: long, isVerified: false,
        audiograms: Binaural(both: try Audiogram(air: [1000: 20, 16_000: 80])),
        targets: Binaural(both: [SampleSheet.point(16_000, soft: 70, ordinary: 60, loud: 50)])),
      PrescriptionDrawing(
        title: "", lines: [], verdict: "", isVerified: true, audiograms: Binaural(both: nil),
        targets: Binaural(both: [])),
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
    var drawing = try drawing()
    drawing = PrescriptionDrawing(
      title: "", lines: [], verdict: "", isVerified: true, audiograms: Binaural(both: nil),
      targets: Binaural(
        left: [], right: [SampleSheet.point(1000, soft: 25, ordinary: 15, loud: 5)]))
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
