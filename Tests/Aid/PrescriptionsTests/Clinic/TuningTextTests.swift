import Acoustics
import Base
import Fitting
import Testing

@testable import Prescriptions

@Suite("Typed fine tuning") struct TuningTextTests {
  @Test("one change holds for all levels, three are for 50, 65 and 80 dB SPL")
  func reads() throws {
    let tuning = try TuningText.tuning(["both:500:+2/0/-3", "right:2000:+3"])
    let levels = SpeechLevels(soft: 2.0, ordinary: 0, loud: -3)
    #expect(tuning.left.points == [.init(frequency: 500, changes: levels)])
    #expect(
      tuning.right.points == [
        .init(frequency: 500, changes: levels), .init(frequency: 2000, changes: SpeechLevels(all: 3)),
      ])
  }

  @Test(
    "what cannot be read, is out of range or given twice is refused",
    arguments: [
      ["right:2000"], ["up:2000:3"], ["right:x:3"], ["right:2000:"], ["right:2000:1/2"], ["right:2000:16"],
      ["right:50:3"], ["right:2000:3", "both:2000:1"],
    ])
  func refuses(texts: [String]) throws {
    let failure = try #require(throws: Failure.self) { try TuningText.tuning(texts) }
    #expect(failure.exitStatus == .usage)
  }
}

@Suite("Typed range") struct RangeTextTests {
  @Test("two numbers with two points between them")
  func reads() { #expect(RangeText("-10..5.5")?.range == -10...5.5) }

  @Test("anything else is none", arguments: ["", "5", "5..-5", "-10...5", "a..b", "..", "1..", "-10 .. 5"])
  func refuses(text: String) { #expect(RangeText(text) == nil) }
}
