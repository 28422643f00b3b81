import Acoustics
import Base
import Fitting
import Testing

@testable import Prescriptions

@Suite("Typed frequency lowering") struct LoweringTextTests {
  @Test("a text of ear, cutoff and ratio is the frequency lowering of that ear, or of both")
  func reads() throws {
    let found = try LoweringText.lowering(["right:2000:2", "left:3000:1.5"])
    #expect(found.right == (try FrequencyLowering(cutoff: 2000, ratio: 2)))
    #expect(found.left == (try FrequencyLowering(cutoff: 3000, ratio: 1.5)))
    #expect(try LoweringText.lowering(["right:2000:2"]).left == nil)
    #expect(try LoweringText.lowering([]) == Binaural(both: nil))
    let both = try LoweringText.lowering(["both:2000:2"])
    #expect(both.left == both.right && both.left != nil)
  }

  @Test(
    "what cannot be read, is out of range or given twice is refused, with what was expected",
    arguments: [
      ["right:2000"], ["up:2000:2"], ["right:x:2"], ["right:2000:"], ["right:1400:2"], ["right:2000:5"],
      ["right:2000:2:1"], ["right:nan:2"], ["right:2000:2", "both:2000:2"], [""],
    ])
  func refuses(texts: [String]) throws {
    let failure = try #require(throws: Failure.self) { try LoweringText.lowering(texts) }
    #expect(failure.exitStatus == .usage)
    #expect(failure.message.contains("expected"))
  }
}

@Suite("Typed tinnitus sound") struct TinnitusSoundTextTests {
  @Test("ear, shape, pitch and width where it has them, level")
  func reads() throws {
    let found = try TinnitusSoundText.sounds(["left:notched:6000:0.5:45", "right:band:4000:1:30.5"])
    #expect(
      found.left
        == (try TinnitusSound(shape: .notched(pitch: 6000, width: 0.5), level: SoundPressureLevel(45))))
    #expect(
      found.right
        == (try TinnitusSound(shape: .band(pitch: 4000, width: 1), level: SoundPressureLevel(30.5))))
    let both = try TinnitusSoundText.sounds(["both:broadband:40"])
    #expect(both == Binaural(both: try TinnitusSound(shape: .broadband, level: SoundPressureLevel(40))))
    #expect(try TinnitusSoundText.sounds([]) == Binaural(both: nil))
  }

  @Test("a new one is 72 dB SPL at most, which is what is expected of a louder one")
  func loudest() throws {
    let loudest = try TinnitusSoundText.sounds(["left:broadband:72"]).left
    #expect(loudest?.level == SoundPressureLevel(72))
    let failure = try #require(throws: Failure.self) { try TinnitusSoundText.sounds(["left:broadband:75"]) }
    #expect(failure.message.contains("10 to 72 dB SPL"))
  }

  @Test(
    "what cannot be read, is out of range or given twice is refused, with what was expected",
    arguments: [
      ["left:broadband"], ["left:broadband:40:2"], ["left:notched:6000:45"], ["left:pink:40"],
      ["up:broadband:40"], ["left:broadband:x"], ["left:broadband:76"], ["left:broadband:72.1"],
      ["left:broadband:9.9"], ["left:band:100:1:40"],
      ["left:band:6000:3:40"], ["left:broadband:40", "both:broadband:30"], ["left"], [""],
      ["left:broadband:"],
    ])
  func refuses(texts: [String]) throws {
    let failure = try #require(throws: Failure.self) { try TinnitusSoundText.sounds(texts) }
    #expect(failure.exitStatus == .usage)
    #expect(failure.message.contains("expected"))
  }
}
