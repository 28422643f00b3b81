import Acoustics
import Base
import Testing

@testable import Prescriptions

@Suite("Typed thresholds") struct ThresholdTextTests {
  @Test("frequency, colon, level; marks for bone, masked and not heard")
  func reads() throws {
    let audiogram = try ThresholdText.audiogram(
      "250:20, 500:22.5 4000:>110 2000:55m b1000:-5", at: "--left")
    let expected: [Audiogram.Point] = [
      .init(frequency: 250, threshold: HearingLevel(20)),
      .init(frequency: 500, threshold: HearingLevel(22.5)),
      .init(frequency: 4000, threshold: HearingLevel(110), hasResponse: false),
      .init(frequency: 2000, threshold: HearingLevel(55), isMasked: true),
      .init(frequency: 1000, threshold: HearingLevel(-5), conduction: .bone),
    ]
    #expect(audiogram == (try Audiogram(points: expected)))
  }

  @Test("nothing typed is an ear that was not tested")
  func empty() throws { #expect(try ThresholdText.audiogram("  ", at: "--left").points.isEmpty) }

  @Test(
    "a point that cannot be read is named, with what was expected",
    arguments: [
      "250", "250:", ":20", "250:x", "250:20:3", "0x10:20", "1e3:20", "250:nan", "250:--5", "250:2,0,5",
    ])
  func refuses(text: String) throws {
    let failure = try #require(throws: Failure.self) { try ThresholdText.audiogram(text, at: "--left") }
    #expect(failure.exitStatus == .badData)
    #expect(failure.subject == "--left")
  }

  @Test("a level outside the dial of an audiometer is refused", arguments: ["250:121", "250:-11", "50:20"])
  func outside(text: String) throws {
    let failure = try #require(throws: Failure.self) { try ThresholdText.audiogram(text, at: "--right") }
    #expect(failure.expected != nil)
  }
}
