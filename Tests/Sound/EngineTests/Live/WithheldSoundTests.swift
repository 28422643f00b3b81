import Acoustics
import AudioIO
import Testing

@testable import AudioIOTesting
@testable import Engine
@testable import EngineTesting

/// Earphones that are pulled out of their jack while sound flows, and plugged in again.
@Suite("Sound without earphones") struct WithheldSoundTests {
  static let pulled = [CardJack(name: "Headphone", isPlugged: false)]
  static let plugged = [CardJack(name: "Headphone", isPlugged: true)]

  @Test(
    "a pulled plug: silent within 20 ms and the latency, also while a mute is taken back; plugged in: the sound rises from silence"
  )
  func pull() throws {
    let bench = try LiveBench()
    var (pulledAt, pluggedAt) = (0, 0)
    bench.before(block: 120) {
      pulledAt = bench.rig.heardLeft.count
      bench.state.note(Self.pulled)
    }
    bench.before(block: 160) { bench.state.isMuted.store(true, ordering: .relaxed) }
    bench.before(block: 180) { bench.state.isMuted.store(false, ordering: .relaxed) }
    bench.before(block: 220) {
      pluggedAt = bench.rig.heardLeft.count
      bench.state.note(Self.plugged)
    }
    bench.run(until: 380)
    FaultRecoveryTests.expectSoundReturned(bench)
    for ear in Ear.allCases {
      let heard = bench.heard(ear)
      #expect(RiseAndFallTests.greatestStep(heard[...]) < RiseAndFallTests.steepest(ear))
      // As of a mute: 20 ms of ramp, what was in the buffer, and the block that was on its way.
      let silentFrom = pulledAt + LiveBench.fallFrames + LiveBench.prefill + LiveBench.period
      #expect(heard[silentFrom..<pluggedAt + LiveBench.prefill].allSatisfy { $0 == 0 })
      let full = LiveBench.amplitude[ear] * LiveBench.factor
      for n in pluggedAt..<pluggedAt + LiveBench.riseFrames {
        #expect(abs(heard[n]) <= 1.01 * full * LiveBench.riseFactor(n - pluggedAt + 1) + 1e-7)
      }
    }
  }

  @Test("without a plug at the start nothing is heard at all")
  func start() throws {
    let bench = try LiveBench()
    bench.state.note(Self.pulled)
    bench.run(until: 200)
    #expect(bench.rig.heardLeft.allSatisfy { $0 == 0 } && bench.rig.heardRight.allSatisfy { $0 == 0 })
  }

  @Test(
    "the reason names the jack; one that does not answer changes nothing; no jack, and one that is to be ignored, withhold nothing"
  )
  func reason() throws {
    let aid = try LiveBench().aid()
    aid.note(Self.pulled)
    #expect(try #require(aid.withheld).contains("(Headphone)"))
    aid.note(nil)
    #expect(aid.withheld != nil)
    aid.note([])
    #expect(aid.withheld == nil)
    aid.loop.heedsJack.store(false, ordering: .relaxed)
    aid.note(Self.pulled)
    #expect(aid.withheld == nil)
  }

  @Test("closed devices withhold nothing: the next test is not refused for a plug that may be in by then")
  func closed() throws {
    let bench = try LiveBench()
    bench.before(block: 100) { bench.state.note(Self.pulled) }
    bench.run(until: 200)
    let isWithheld = bench.state.isWithheld.load(ordering: .acquiring)
    #expect(bench.state.withheld == nil && !isWithheld)
  }

  @Test("a plug that is pulled for a moment ends a procedure as well")
  func moment() throws {
    let room = ProcedureEndTests.room()
    let aid = room.aid()
    let (fault, _) = try ProcedureEndTests.test(room, aid) { _, aid in
      aid.note(Self.pulled)
      aid.note(Self.plugged)
    }
    guard case .device(let reason)? = fault else {
      Issue.record("ended by \(String(describing: fault))")
      return
    }
    #expect(reason.contains("for a moment"))
    aid.stop()
  }

  @Test("a procedure ends with the reason, and its sound falls to silence")
  func procedure() throws {
    let room = ProcedureEndTests.room()
    let aid = room.aid()
    let (fault, frame) = try ProcedureEndTests.test(room, aid) { _, aid in aid.note(Self.pulled) }
    guard case .device(let reason)? = fault else {
      Issue.record("ended by \(String(describing: fault))")
      return
    }
    #expect(reason.contains("Headphone"))
    try ProcedureEndTests.expectSilence(room, after: frame)
    aid.stop()
  }
}
