import Acoustics
import Testing

@testable import Procedures
@testable import Service

@Suite("Octave bands of the room") struct RoomBandsTests {
  @Test(
    "a room 12 dB above the limits of uncovered ears lets thresholds be found from 12 dB HL up, and says where lower ones were found"
  )
  func caution() throws {
    // ANSI S3.1-1999, ears not covered, 250 to 8000 Hz, by TabSINT (docs/sources.md): 13 dB at 1 kHz, 11 at 4 kHz.
    let room = RoomBands(
      [1000: SoundPressureLevel(25), 4000: SoundPressureLevel(11)], beside: .uncovered,
      [1000, 4000, 16_000])
    #expect(room.verdicts.map(\.frequency) == [1000, 4000])
    #expect(room.verdicts.map(\.lowest) == [HearingLevel(12), HearingLevel(0)])
    // Nobody has told the microphone's own noise.
    #expect(room.verdicts.allSatisfy { !$0.isVerified })
    func threshold(_ level: Double) -> HearingTestSummary.Threshold {
      HearingTestSummary.Threshold(
        ear: .left, frequency: 1000, level: HearingLevel(level), hasResponse: true, isAtFloor: false,
        toneCount: 9,
        interval: nil, noise: nil, isInsufficientlyMasked: false)
    }
    #expect(room.caution([threshold(10)])?.contains("1000 Hz below 12 dB HL") == true)
    #expect(room.caution([threshold(12)]) == nil)
  }
}
