import Testing

@testable import Base

@Suite("Spelling") struct SpellingTests {
  @Test(
    "distances are those of optimal string alignment",
    arguments: [
      ("", "", 0), ("abc", "", 3), ("kitten", "sitting", 3), ("period", "peroid", 1), ("CA", "ABC", 3),
      ("Rate", "rate", 0),
    ])
  func distances(a: String, b: String, distance: Int) {
    #expect(Spelling.distance(a, b) == distance)
    #expect(Spelling.distance(b, a) == distance)
  }

  @Test("the nearest candidate is offered, and nothing when all are far")
  func nearest() {
    let keys = ["capture", "playback", "period", "periods", "rate"]
    #expect(Spelling.nearest(to: "peroid", among: keys) == "period")
    #expect(Spelling.nearest(to: "perods", among: keys) == "periods")
    #expect(Spelling.nearest(to: "capture_", among: keys) == "capture")
    #expect(Spelling.nearest(to: "volume", among: keys) == nil)
    #expect(Spelling.nearest(to: "x", among: ["y"]) == nil)
    #expect(Spelling.nearest(to: "maximum_output", among: ["maximum-output"]) == "maximum-output")
  }
}
