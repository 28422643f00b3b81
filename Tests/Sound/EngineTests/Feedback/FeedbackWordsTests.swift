import Acoustics
import Testing

@testable import Engine

@Suite("Words of a feedback test without a result")
struct FeedbackWordsTests {
  @Test(
    "name ear, level and frequency that were found, in the units of the field",
    arguments: [
      (
        FeedbackFault.tooNoisy(.left, frequencies: [250, 3000], level: 61.6),
        "noise of 62 dB SPL at the left microphone, which hides feedback at 250, 3000 Hz"
      ),
      (
        .nothingHeard(.right, level: 50.4, noise: 58.5),
        "noise of 59 dB SPL at the right microphone, which hides a test of 50 dB SPL"
      ),
      (
        .nothingHeard(.right, level: 70, noise: 40),
        "that nothing of 70 dB SPL comes back clearly at the right microphone"
      ),
      (
        .moved(.left, frequency: 2000.4, difference: 6.2),
        "that the left earpiece moved: 6 dB between two runs at 2000 Hz"
      ),
      (.delayMoved(by: 0.0016), "that the devices' own delay moved by 1.6 ms during the test"),
      (
        .limitTooLow(.right, limit: 45), "an output limit of 45 dB SPL at the right ear"
      ),
    ])
  func finding(fault: FeedbackFault, words: String) {
    #expect(fault.description == words)
  }

  @Test("say what to do, where a person can do something")
  func remedy() {
    let ownActs: [FeedbackFault] = [.cancelled, .muted, .stopped]
    for fault in ownActs { #expect(fault.remedy == nil && fault.expectation == nil) }
    let others: [FeedbackFault] = [
      .dropOuts, .microphoneSilent(.left), .microphoneOverloaded(.left, level: 80),
      .limitTooLow(.left, limit: 40), .nothingHeard(.left, level: 60, noise: 20),
      .nothingHeard(.left, level: 60, noise: 70), .tooNoisy(.left, frequencies: [500], level: 60),
      .moved(.left, frequency: 500, difference: 4), .delayMoved(by: 0.001),
    ]
    for fault in others { #expect(fault.remedy?.isEmpty == false && fault.expectation?.isEmpty == false) }
  }
}
