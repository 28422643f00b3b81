import AudioIO
import Testing

@testable import AudioIOTesting
@testable import Engine
@testable import EngineTesting

/// The aid as control sees it.
@Suite("HearingAid") struct HearingAidTests {
  @Test("before the first start it is stopped and has nothing to tell")
  func initial() throws {
    let aid = try LiveBench().aid()
    #expect(aid.state == .stopped)
    #expect(aid.devices == nil && aid.scheduling == nil)
    #expect(aid.opens == 0)
    #expect(aid.reading.counters == StreamCounters())
    #expect(aid.reading.isSilent)
    aid.stop()
    aid.renewScheduling()
    #expect(aid.state == .stopped)
  }

  @Test("running, it shows what the devices granted; stopped, nothing is open")
  func devices() throws {
    let bench = try LiveBench()
    let aid = bench.aid()
    try aid.start()
    #expect(aid.state != .stopped)
    #expect(eventually { aid.state == .running && aid.reading.deviceLatency != nil })
    let devices = try #require(aid.devices)
    #expect(devices.period == 64)
    #expect(devices.playback.rate == 44_100 && devices.playback.buffer == 192)
    #expect(aid.reading.deviceLatency == 192)
    #expect(aid.reading.drift == .shared)
    #expect(aid.reading.load.blocks > 0)
    #expect(aid.scheduling != nil)
    aid.stop()
    #expect(aid.devices == nil && aid.scheduling == nil)
    #expect(aid.reading.isSilent)
    #expect(!bench.rig.capture.isOpen && !bench.rig.playback.isOpen)
  }

  @Test("a thread whose work is over has no number and no scheduling, though nobody has joined it yet")
  func workIsOver() throws {
    let aid = HearingAid(
      settings: AidSettings(captureName: "c", playbackName: "p"), work: { _, _, _ in })
    try aid.start()
    #expect(eventually { aid.scheduling == nil && aid.threadNumber == nil })
    aid.renewScheduling()
    aid.stop()
  }

  @Test("starting twice starts once, stopping twice stops once")
  func twice() throws {
    let bench = try LiveBench()
    let aid = bench.aid()
    try aid.start()
    try aid.start()
    #expect(eventually { aid.state == .running })
    #expect(aid.opens == 1)
    aid.stop()
    aid.stop()
    #expect(aid.state == .stopped)
    #expect(bench.attempts.count == 1)
  }

  @Test("ten starts and stops, each as good as the first")
  func repeatedly() throws {
    let bench = try LiveBench()
    let aid = bench.aid()
    for round in 1...10 {
      try aid.start()
      #expect(eventually { aid.state == .running && aid.reading.counters.blocks > 10 })
      #expect(aid.opens == round)
      aid.stop()
      #expect(aid.state == .stopped)
    }
    #expect(Set(bench.latencies) == [LiveBench.prefill])
  }

  @Test("each start counts from zero; the last cause outlives a lost device")
  func readings() throws {
    let bench = try LiveBench()
    let aid = bench.aid()
    bench.before(block: 50) { bench.rig.schedule(ScriptedFault(.playback, .write, .fail(.xrun))) }
    bench.before(block: 100) { bench.rig.unplug() }
    bench.beforeOpening { if $0 == 2 { bench.rig.replug() } }
    try aid.start()
    #expect(eventually { aid.opens == 2 && aid.state == .running && aid.reading.counters.blocks > 150 })
    let reading = aid.reading
    #expect(reading.counters.underruns == 1 && reading.counters.restarts == 1)
    guard case .device(.gone, _, _) = try #require(reading.lastFault) else {
      Issue.record("\(String(describing: reading.lastFault))")
      return
    }
    aid.stop()
    try aid.start()
    #expect(eventually { aid.state == .running && aid.reading.counters.blocks > 0 })
    #expect(aid.reading.counters.underruns == 0)
    #expect(aid.reading.lastFault == nil)
    aid.stop()
  }

  @Test("two devices with clocks of their own: sound rises, and the drift is told")
  func twoClocks() throws {
    let bench = try LiveBench()
    bench.rig.sharesClock = false
    bench.rig.setDrift(.capture, 100)
    bench.run(until: 400)
    #expect(bench.losses.isEmpty && bench.restarts.isEmpty)
    #expect(bench.state.reading.load().drift != .shared)
    let heard = bench.rig.heardLeft
    let full = Double(LiveBench.amplitude.left * LiveBench.factor)
    #expect(abs(LiveBench.amplitude(of: heard[17_640..<22_050]) / full - 1) < 0.02)
    #expect(heard.suffix(LiveBench.period).allSatisfy { $0 == 0 })
  }
}
