import Acoustics
import AudioIO
import CAllocationProbe
import Fitting
import HearingDSP
import Realtime
import Testing

@testable import AudioIOTesting
@testable import Engine
@testable import EngineTesting

/// What the audio thread does while a procedure has it, counted by the allocation probe; under
/// RealtimeSanitizer its own work runs inside scopes, so that a blocking call there ends the program.
@Suite("Real-time safety of a procedure") struct FeedbackRealtimeSafetyTests {
  @Test(
    "from the aid to a procedure and back, with takes of one ear and of both, broken off by a restart and by control, while the microphones are heard: no heap call and no lock",
    arguments: [ClockPairing.shared, .separate])
  func scripted(pairing: ClockPairing) throws {
    let script = try CountedScript()
    let state = LoopState()
    let wake = try WakeSignal()
    let sound = PeriodicSound([1, -0.5, 0.25, -0.25])
    let limits = OutputLimits.lowest
    var takes: [Take] = []
    func play(_ score: Take.Score) {
      takes.append(Take(score, of: sound, limits: limits, wake: wake))
      state.takes.publish(takes[takes.count - 1])
    }
    // 50 ms of the aid are the warm-up; a take of 3000 frames, 4410 of settling and a fall of 882 ends
    // within 10 000.
    script.at(4500) { script.begin() }
    script.at(6000) { state.wanted.store(.procedure, ordering: .releasing) }
    script.at(10_000) { play(.init(ear: .left, factor: 0.05, settling: 4410, frames: 3000)) }
    script.at(20_000) { play(.init(ear: .right, factor: 0.05, settling: 4410, frames: 3000)) }
    script.at(30_000) { play(.init(ear: .right, factor: 0.05, settling: 4410, frames: 3000)) }
    script.at(32_000) { script.rig.schedule(ScriptedFault(.capture, .read, .fail(.xrun))) }
    script.at(46_000) { play(.init(ear: .left, factor: 0, settling: 0, frames: 3000)) }
    // Both ears, with a rise of its own, stopped by control; the microphones are handed on meanwhile.
    let presented = Take(
      .init(ear: .left, factor: 1, settling: 0, frames: 9000, isRecorded: false), of: sound,
      opposite: sound,
      limits: limits, rise: OutputSafety.shortestRise, wake: wake)
    script.at(50_000) {
      state.microphones.begin()
      state.takes.publish(presented)
    }
    script.at(54_000) { presented.stop() }
    var playing: [LoopState.Part] = []
    script.at(56_000) {
      playing.append(state.playing.load(ordering: .acquiring))
      state.wanted.store(.aid, ordering: .releasing)
    }
    script.at(62_000) {
      playing.append(state.playing.load(ordering: .acquiring))
      script.end()
      script.stop.request()
    }
    var loop = AudioLoop(
      stream: script.stream(pairing), settings: { CountedScript.settings }, state: state)
    loop.run(until: script.stop)

    #expect(allocation_probe_is_active() == LiveRealtimeSafetyTests.isCounting)
    #expect(playing == [.procedure, .aid])
    #expect(takes.map(\.phase) == [.done, .done, .brokenOff, .done])
    #expect(state.state == .stopped)
    #expect(presented.phase == .brokenOff && (3500...5500).contains(presented.played))
    #expect(state.microphones.take().count > 4000)
    #expect(try #require(state.reading.load().believedLatency) > 0)
    // The last take recorded the room's tone of 0.05 and played nothing.
    let recording = takes[3].recording()
    #expect(recording.sent == Array(repeating: 0, count: 3000))
    #expect(abs(LiveBench.amplitude(of: recording.heard.left[...]) - 0.05) < 0.001)
    // The first one played within the limits it brought, 60 dB below full scale.
    let sent = takes[0].recording().sent
    #expect(sent.contains { $0 != 0 } && sent.allSatisfy { abs($0) <= 0.001_000_1 })
    #expect(script.counts.allocations == 0)
    #expect(script.counts.frees == 0)
    #expect(script.counts.locks == 0)
  }
}
