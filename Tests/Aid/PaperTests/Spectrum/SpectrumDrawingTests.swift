import Acoustics
import Base
import Glibc
import Testing

@testable import Laboratory
@testable import Paper

@Suite("Spectrum drawing") struct SpectrumDrawingTests {
  private static func drawing(bands count: Int, remarks: [String] = []) -> SpectrumDrawing {
    let centres = (0..<count).map { 125 * exp2(6.6 * Double($0) / Double(max(count - 1, 1))) }
    func curve(_ level: Double) -> [CurvePoint] { centres.map { CurvePoint(x: $0, y: level) } }
    var curves = SpectrumDrawing.Curves()
    (curves.input, curves.output) = (curve(50), curve(70))
    (curves.target, curves.applied) = (curve(20), curve(19))
    curves.columns = [("Hz", centres)]
    let names = ["dB SPL in", "target", "applied", "prescription", "volume and tone", "other parts"]
    for (index, name) in names.enumerated() {
      curves.columns.append((name, centres.indices.map { Double(-$0) - 0.1 * Double(index) }))
    }
    return SpectrumDrawing(
      title: "Spectrum of the running aid", note: "1.0 s", remarks: remarks, ears: Binaural(both: curves))
  }

  private static let remarks = [
    "0.4 s of 1.0 s are left out: silence.", "Not the same all the time: scene.",
  ]

  @Test(
    "a row for each band that a configuration can have is on the page, and none covers another or the foot")
  func rows() {
    for count in [1, 6, 20, 40] {
      let picture = Self.drawing(bands: count, remarks: Self.remarks).picture()
      #expect(Layout.clipped(picture) == [])
      #expect(Layout.overlapping(picture) == [])
      let texts = picture.labels.map(\.text)
      for row in 0..<count {
        let number = NumberText.fixed(Double(-row) - 0.5)
        #expect(texts.filter { $0 == number }.count >= 2, "\(number) of \(count)")
      }
    }
  }

  @Test("twenty bands have the size that they always had")
  func twenty() {
    let picture = Self.drawing(bands: 20, remarks: Self.remarks).picture()
    let places = picture.labels.filter { $0.style.size == 6.5 }.map(\.place.y)
    // Seven columns of both ears, in lines of 11.5 points.
    #expect(places.count == 20 * 7 * 2)
    #expect(places.min() == 566 + 11.5 && places.max() == 566 + 20 * 11.5)
  }
}
