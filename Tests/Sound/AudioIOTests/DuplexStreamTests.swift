import AudioIO
import AudioIOTesting
import Testing

@Suite("Duplex stream") struct DuplexStreamTests {
  @Test("what is heard lags the room by exactly the silence at the start", arguments: [2, 3, 4])
  func latencyIsPrefill(periods: Int) throws {
    let rig = FakeRig()
    var loop = LoopProgram(rig, request: StreamRequest(period: 64, periods: periods))
    try loop.stream.open()
    #expect(loop.run(blocks: 200) == 200)
    #expect(loop.events == [])
    #expect(Set(loop.latencies) == [64 * periods])
    let heard = rig.heardLatencies()
    #expect(heard.count > 190 * 64)
    // The room's frames and the converter's are whole numbers; the times between are rounded doubles.
    #expect(heard.allSatisfy { abs($0 - Double(64 * periods)) < 0.01 })
    #expect(rig.beginsSilently(frames: 64 * periods))
  }

  @Test("the device that plays is claimed, and none is opened while another aid plays on it")
  func claimed() throws {
    let rig = FakeRig()
    rig.isClaimed = true
    var loop = LoopProgram(rig)
    #expect(throws: PCMOpenError.busy(name: "fake", holders: [])) { try loop.stream.open() }
    #expect(rig.claims == [.playback])
    #expect(loop.stream.playbackFormat == nil)
    rig.isClaimed = false
    try loop.stream.open()
    #expect(loop.run(blocks: 20) == 20)
  }

  @Test("both channels keep their side")
  func channelsKeepSides() throws {
    let rig = FakeRig()
    var loop = LoopProgram(rig)
    try loop.stream.open()
    loop.run(blocks: 20)
    #expect(rig.heardLeft.contains { $0 > 0 } && !rig.heardLeft.contains { $0 < 0 })
    #expect(rig.heardRight.contains { $0 < 0 } && !rig.heardRight.contains { $0 > 0 })
  }

  @Test("a microphone with one channel is heard in both ears")
  func monoFeedsBoth() throws {
    let rig = FakeRig()
    rig.captureChannels = 1
    var loop = LoopProgram(rig)
    try loop.stream.open()
    #expect(loop.stream.captureFormat?.channels == 1)
    loop.run(blocks: 20)
    #expect(rig.heardLeft == rig.heardRight && rig.heardLeft.contains { $0 > 0 })
  }

  @Test("of a device with eight channels two are used and six are silent")
  func manyChannels() throws {
    let rig = FakeRig()
    rig.offer.channels = 8...8
    var loop = LoopProgram(rig)
    try loop.stream.open()
    #expect(loop.stream.playbackFormat?.channels == 8)
    #expect(loop.run(blocks: 50) == 50)
    #expect(rig.heardLatencies().allSatisfy { abs($0 - 192) < 0.01 })
  }

  @Test("devices that start one after the other get the same latency", arguments: [0, 0.3, 1.0, 2.2, 3.4])
  func unlinkedStart(periods: Double) throws {
    let rig = FakeRig()
    rig.isLinkable = false
    rig.startDuration = periods * 64 / 44_100
    var loop = LoopProgram(rig)
    try loop.stream.open()
    #expect(loop.run(blocks: 200) == 200)
    let isLinked = loop.stream.isLinked
    #expect(!isLinked)
    // Less than half a period of the distance between the two starts stays.
    let distance = (periods - periods.rounded()) * 64
    #expect(rig.heardLatencies().allSatisfy { abs($0 - 192 - distance) < 1.01 })
  }

  @Test("a larger buffer than asked for costs no latency", arguments: [true, false])
  func largerBuffer(isLinkable: Bool) throws {
    let rig = FakeRig()
    rig.isLinkable = isLinkable
    rig.startDuration = isLinkable ? 0 : 2 * 64 / 44_100
    rig.offer.buffer = 1024...65_536
    var loop = LoopProgram(rig)
    try loop.stream.open()
    #expect(loop.run(blocks: 100) == 100)
    #expect(loop.events == [])
    #expect(rig.heardLatencies().allSatisfy { abs($0 - 192) < 0.01 })
  }

  @Test("a device that grants a longer period sets the block, and the latency is that many longer blocks")
  func longerPeriod() throws {
    let rig = FakeRig()
    rig.offer.period = 256...4096
    var loop = LoopProgram(rig, request: StreamRequest(period: 64, periods: 3))
    try loop.stream.open()
    #expect(loop.stream.period == 256 && loop.stream.prefill == 768)
    loop.run(blocks: 50)
    #expect(Set(loop.latencies) == [768])
  }

  @Test("a buffer too small for the latency is refused with the figures")
  func smallBuffer() {
    let rig = FakeRig()
    rig.offer.buffer = 32...128
    var loop = LoopProgram(rig)
    #expect(throws: PCMOpenError.bufferRefused(name: "fake", asked: 192, granted: 128)) {
      try loop.stream.open()
    }
    #expect(loop.stream.playbackFormat == nil)
  }

  @Test("a late program costs an xrun, and then sounds as before")
  func lateProgram() throws {
    let rig = FakeRig()
    var loop = LoopProgram(rig)
    try loop.stream.open()
    loop.run(blocks: 50)
    rig.advance(0.1)
    loop.run(blocks: 50)
    #expect(loop.restarts.count == 1)
    guard case .restarted(.device(.xrun, _, _), let lost) = try #require(loop.events.first) else {
      Issue.record("the event is \(loop.events)")
      return
    }
    // As long as it was heard: what the buffer still held went on sounding, and as much silence came before the first
    // block. The last block was written up to a period before the program was late.
    let period = 64 / 44_100 + 1e-9
    #expect(abs(lost - rig.heardSilence()) <= period)
    #expect(abs(lost - 0.1) <= period)
    #expect(Set(loop.latencies) == [192])
    #expect(rig.beginsSilently(frames: 192))
  }

  @Test("a machine that slept wakes up with the same latency", arguments: [true, false])
  func suspend(resumes: Bool) throws {
    let rig = FakeRig()
    rig.resumes = resumes
    var loop = LoopProgram(rig)
    try loop.stream.open()
    loop.run(blocks: 50)
    rig.sleep(3600)
    #expect(loop.run(blocks: 50) == 50)
    #expect(loop.restarts == [.device(.suspended, during: .state, .capture)])
    #expect(loop.stream.counters.suspensions == 1)
    #expect(Set(loop.latencies) == [192])
    #expect(rig.beginsSilently(frames: 192))
  }

  @Test("a device that stops without a word is reported as stalled and then restarted")
  func silentStall() throws {
    let rig = FakeRig()
    var loop = LoopProgram(rig)
    try loop.stream.open()
    loop.run(blocks: 50)
    rig.freeze()
    #expect(loop.run(blocks: 50) == 50)
    #expect(loop.events.count == 3)
    for case .stalled(let after) in loop.events { #expect(after > 0.09 && after < 0.3) }
    #expect(loop.restarts == [.stalled])
    #expect(Set(loop.latencies) == [192])
  }

  @Test("polls that wake without progress do not keep the processor busy")
  func idlePolls() throws {
    let rig = FakeRig()
    var loop = LoopProgram(rig)
    try loop.stream.open()
    loop.run(blocks: 10)
    let before = rig.calls[.poll, default: 0]
    rig.schedule(ScriptedFault(.capture, .poll, times: .max, .wakeIdly))
    loop.run(blocks: 100)
    let polls = rig.calls[.poll, default: 0] - before
    // Five polls at once, then one a millisecond: 1.45 ms make 7 at most.
    #expect(polls <= 100 * 7)
  }

  @Test("an owner's descriptor ends the wait")
  func wake() throws {
    let rig = FakeRig()
    let wake = try #require(WakeDescriptor())
    var stream = DuplexStream(
      capture: rig.device(.capture), playback: rig.device(.playback), clock: rig.clock,
      wakeDescriptor: wake.descriptor)
    try stream.open()
    wake.signal()
    #expect(stream.wait() == .interrupted)
    #expect(stream.wait() == .block)
  }

  @Test("an unplugged device is lost at once, and comes back when it is plugged in and opened again")
  func unplug() throws {
    let rig = FakeRig()
    var loop = LoopProgram(rig)
    try loop.stream.open()
    loop.run(blocks: 50)
    rig.unplug()
    let before = rig.time
    #expect(loop.run(blocks: 50) == 0)
    #expect(loop.loss == .device(.gone, during: .state, .capture))
    #expect(rig.time - before < 0.01)
    #expect(loop.stream.wait() == .lost(.device(.gone, during: .state, .capture)))
    loop.stream.close()
    #expect(throws: PCMOpenError.noSuchDevice(name: "fake", available: [])) { try loop.stream.open() }
    rig.advance(25)
    rig.replug()
    try loop.stream.open()
    #expect(loop.run(blocks: 50) == 50)
    #expect(Set(loop.latencies) == [192])
    #expect(rig.beginsSilently(frames: 192))
    // The buffer's frames were gone with the device: up to the silence at the start was heard less than is counted as sound.
    let lost = loop.stream.counters.lostTime
    #expect(abs(lost - rig.heardSilence()) <= 192 / 44_100 + 1e-9)
    #expect(lost > 25)
    let silentSince = loop.stream.silentSince
    #expect(silentSince == nil)
  }

  @Test(
    "of two linked cards the unplugged one is named, though the kernel calls both unplugged",
    arguments: StreamDirection.allCases)
  func namesTheUnplugged(_ direction: StreamDirection) throws {
    let rig = FakeRig()
    var loop = LoopProgram(rig)
    try loop.stream.open()
    loop.run(blocks: 50)
    rig.unplug(direction)
    #expect(loop.run(blocks: 50) == 0)
    #expect(loop.loss == .device(.gone, during: .state, direction))
  }

  @Test("an xrun that the driver notices only when the machine goes on counts from the last sound")
  func lateNotice() throws {
    let rig = FakeRig()
    var loop = LoopProgram(rig)
    try loop.stream.open()
    loop.run(blocks: 50)
    // 229 turns of the buffer and nearly one more: 1 s, of which the pointer shows 4 ms, and runs over what is left.
    rig.advance(31.5 / 44_100)
    rig.passUnseen((229 * 192 + 191.5) / 44_100)
    loop.run(blocks: 50)
    #expect(loop.restarts.count == 1)
    #expect(abs(loop.stream.counters.lostTime - 1) <= 192 / 44_100)
  }

  @Test("stopped and started again, the sound begins from silence")
  func stopAndGo() throws {
    let rig = FakeRig()
    var loop = LoopProgram(rig)
    try loop.stream.open()
    loop.run(blocks: 50)
    loop.stream.stop()
    rig.advance(1)
    #expect(loop.run(blocks: 50) == 50)
    #expect(loop.events == [])
    #expect(Set(loop.latencies) == [192])
    #expect(rig.beginsSilently(frames: 192))
  }

  @Test("what does not fit full scale is held, counted, and never a non-number")
  func clipping() throws {
    let rig = FakeRig()
    rig.source = { frame, channel in channel == 0 ? 2 : .nan }
    var loop = LoopProgram(rig)
    try loop.stream.open()
    loop.run(blocks: 10)
    #expect(loop.stream.counters.clippedSamples == 2 * 10 * 64)
    #expect(rig.writtenLeft.max() == 1)
    #expect(rig.writtenRight.allSatisfy { $0 == 0 })
  }
}
