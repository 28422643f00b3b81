import Acoustics
import AudioIO
import CAllocationProbe
import Realtime
import Testing

@testable import AudioIOTesting
@testable import Engine

/// What the audio thread of a feedback test does between two blocks, counted by the allocation probe; under
/// RealtimeSanitizer its own work and the chain's run inside scopes, so that a blocking call there ends the program.
@Suite("Real-time safety of the feedback loop") struct FeedbackRealtimeSafetyTests {
  @Test(
    "silence, two orders, an order broken off by a restart and one of noise alone: no heap call and no lock",
    arguments: [ClockPairing.shared, .separate])
  func scripted(pairing: ClockPairing) throws {
    let script = try CountedScript()
    let board = FeedbackBoard(rate: LiveBench.rate, periods: 1)
    var phases: [FeedbackBoard.Phase] = []
    func order(_ order: FeedbackBoard.Order) {
      phases.append(board.phase.load(ordering: .acquiring))
      board.order = order
      board.phase.store(.ordered, ordering: .releasing)
    }
    // 50 ms of silence are the warm-up; an order of 3000 frames, 4410 of settling and a fall of 882 ends within 10 000.
    script.at(2205) { script.begin() }
    script.at(4000) { order(.init(ear: .left, factor: 0.05, settling: 4410, frames: 3000)) }
    script.at(14_000) { order(.init(ear: .right, factor: 0.05, settling: 4410, frames: 3000)) }
    script.at(24_000) { order(.init(ear: .right, factor: 0.05, settling: 4410, frames: 3000)) }
    script.at(26_000) { script.rig.schedule(ScriptedFault(.capture, .read, .fail(.xrun))) }
    var isBroken = false
    script.at(40_000) {
      isBroken = board.isBroken
      order(.init(ear: .left, factor: 0, settling: 0, frames: 3000))
    }
    script.at(50_000) {
      phases.append(board.phase.load(ordering: .acquiring))
      script.end()
      script.stop.request()
    }
    let settings = AidSettings(
      hearing: HearingSettings(audiograms: Binaural(both: StandardAudiogram.n3.audiogram)),
      captureName: "fake", playbackName: "fake", ramp: LiveBench.rise)
    var loop = FeedbackLoop(stream: script.stream(pairing), board: board, settings: settings)
    loop.run(until: script.stop)

    #expect(allocation_probe_is_active() == LiveRealtimeSafetyTests.isCounting)
    #expect(phases == [.ready, .ready, .ready, .ready, .ready] && isBroken && !board.isBroken)
    #expect(board.phase.load(ordering: .acquiring) == .ended)
    #expect(board.notice.withLock { $0.fault } == nil)
    #expect(board.latency.load(ordering: .relaxed) > 0)
    // The last order recorded the room's tone of 0.05 and sent nothing.
    let recording = board.recording()
    #expect(recording.sent == Array(repeating: 0, count: 3000))
    #expect(abs(LiveBench.amplitude(of: recording.left[...]) - 0.05) < 0.001)
    #expect(script.counts.allocations == 0)
    #expect(script.counts.frees == 0)
    #expect(script.counts.locks == 0)
  }
}
