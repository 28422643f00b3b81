import AudioIO
import AudioIOTesting
import Testing

@Suite("Two clocks") struct RateMatchingTests {
  /// A rig with two crystals and the loop over it, running for so many seconds.
  func loop(
    capture: Double = 0, playback: Double, burst: Int = 1, seconds: Double, periods: Int = 3
  ) throws -> LoopProgram {
    let rig = FakeRig(recordingCapacity: 1 << 12)
    rig.sharesClock = false
    rig.isLinkable = false
    rig.setDrift(.capture, capture)
    rig.setDrift(.playback, playback)
    rig.setGranularity(.playback, burst)
    var loop = LoopProgram(rig, request: StreamRequest(periods: periods))
    try loop.stream.open()
    loop.run(blocks: Int(seconds * 44_100 / 64))
    return loop
  }

  @Test(
    "a drift is held for a minute without an xrun, and told in parts per million",
    arguments: [-300, -37, 0, 5, 300.0], [1, 44])
  func holdsDrift(partsPerMillion: Double, burst: Int) throws {
    let loop = try self.loop(playback: partsPerMillion, burst: burst, seconds: 60)
    #expect(loop.events == [])
    let drift = loop.stream.drift.partsPerMillion
    let told = try #require(drift)
    // Pointers that move by 44 frames (USB, 1 ms) leave a few parts per million of ripple.
    #expect(abs(told - partsPerMillion) < 10)
    // 192 frames of silence and half a filter of 39; a block is resampled to a whole number of frames, and
    // a burst is half ahead and half behind.
    let settled = loop.latencies.suffix(10_000)
    let target = 192 + 20
    // On the way: 300 ppm are 13 frames a second, and the widest loop takes a third of a second to notice.
    #expect(loop.latencies.allSatisfy { abs($0 - target) <= 8 + burst })
    #expect(settled.allSatisfy { abs($0 - target) <= 3 + burst })
    let mean = Double(settled.reduce(0, +)) / Double(settled.count)
    #expect(abs(mean - Double(target)) < 2.5)
  }

  @Test("two clocks that are both wrong differ by the difference")
  func bothWrong() throws {
    let loop = try self.loop(capture: 100, playback: -150, seconds: 30)
    #expect(loop.events == [])
    let drift = loop.stream.drift.partsPerMillion
    #expect(abs(try #require(drift) + 250) < 10)
  }

  @Test("a drift that jumps by 300 ppm is followed without an xrun", arguments: [1, 44])
  func followsStep(burst: Int) throws {
    var loop = try self.loop(playback: -150, burst: burst, seconds: 30)
    loop.rig.setDrift(.playback, 150)
    loop.run(blocks: 20 * 44_100 / 64)
    #expect(loop.events == [])
    // The narrow loop lets 300 ppm run for half a second or so before it widens: less than a third of a block.
    #expect(loop.latencies.allSatisfy { abs($0 - 212) <= 20 + burst })
    let drift = loop.stream.drift.partsPerMillion
    #expect(abs(try #require(drift) - 150) < 10)
  }

  /// USB earphones that are plugged in again begin so: their delay is half a block off, and more than the loop may correct at once.
  @Test(
    "a delay that begins off is not taken for a drift, which is not told before the loop has settled for 3 s"
  )
  func beginsOff() throws {
    let rig = FakeRig(recordingCapacity: 1 << 12)
    rig.sharesClock = false
    rig.isLinkable = false
    rig.leftover = 60
    var loop = LoopProgram(rig, request: StreamRequest(period: 128, periods: 8))
    try loop.stream.open()
    loop.run(blocks: 3 * 44_100 / 128)
    let early = loop.stream.drift
    #expect(early == .settling)
    #expect(loop.latencies.contains { $0 > 8 * 128 + 20 + 40 })
    var told: [Double] = []
    for _ in 0..<100 {
      loop.run(blocks: 34)
      if let partsPerMillion = loop.stream.drift.partsPerMillion { told.append(partsPerMillion) }
    }
    // Settled within two seconds more, of ten.
    #expect(told.count > 80)
    #expect(told.allSatisfy { abs($0) < 10 })
  }

  @Test("two periods are enough")
  func twoPeriods() throws {
    let loop = try self.loop(playback: 300, seconds: 20, periods: 2)
    #expect(loop.events == [])
  }

  @Test("devices that take long to start begin at the latency they keep")
  func slowStart() throws {
    let rig = FakeRig()
    rig.sharesClock = false
    rig.isLinkable = false
    rig.startDuration = 3 * 64 / 44_100
    var loop = LoopProgram(rig)
    try loop.stream.open()
    loop.run(blocks: 2000)
    #expect(loop.events == [])
    #expect(loop.latencies.allSatisfy { abs($0 - 212) <= 4 })
  }

  @Test("a drift beyond half a per cent is not a clock's: the stream restarts, and says why")
  func refusesAbsurdDrift() throws {
    let loop = try self.loop(playback: -9000, seconds: 5)
    #expect(loop.restarts.contains(.outOfStep))
  }

  @Test("after a restart the drift is still known")
  func remembersDrift() throws {
    var loop = try self.loop(playback: 200, seconds: 20)
    loop.rig.advance(0.1)
    loop.run(blocks: 100)
    #expect(loop.restarts.count == 1)
    let drift = loop.stream.drift.partsPerMillion
    #expect(abs(try #require(drift) - 200) < 20)
    #expect(loop.rig.beginsSilently(frames: 192))
  }

  @Test("impulses are heard when the measured latency says")
  func impulses() throws {
    let rig = FakeRig()
    rig.sharesClock = false
    rig.isLinkable = false
    rig.source = { frame, _ in frame % 1024 == 0 ? 0.5 : 0 }
    var loop = LoopProgram(rig)
    try loop.stream.open()
    loop.run(blocks: 2000)
    let told = Double(try #require(loop.latencies.last))
    let run = try #require(rig.runs.first)
    // The highest sample near each impulse; the first second is left to the loop to settle.
    var heard = 0
    for start in stride(from: 44_100, to: rig.heardLeft.count - 1024, by: 1024) {
      let window = rig.heardLeft[start..<start + 1024]
      let peak = try #require(window.indices.max { abs(window[$0]) < abs(window[$1]) })
      guard abs(rig.heardLeft[peak]) > 0.2 else { continue }
      let heardAt = run.time * 44_100 + Double(peak - run.index)
      let latency = heardAt.truncatingRemainder(dividingBy: 1024)
      // The peak of a resampled impulse lies within half a frame of it, and the fill within 1.5.
      #expect(abs(latency - told) < 3)
      heard += 1
    }
    #expect(heard > 50)
  }

  @Test(
    "clocks are told apart by the devices, or as configured",
    arguments: [
      (true, ClockPairing.automatic, false), (false, .automatic, true), (false, .shared, false),
      (true, .separate, true),
    ])
  func pairing(sharesClock: Bool, pairing: ClockPairing, matched: Bool) throws {
    let rig = FakeRig()
    rig.sharesClock = sharesClock
    var loop = LoopProgram(rig, pairing: pairing)
    try loop.stream.open()
    let drift = loop.stream.drift
    #expect((drift != .shared) == matched)
    #expect(loop.run(blocks: 50) == 50)
  }
}
