import AudioIO
import AudioIOTesting
import Testing

/// Devices that are not linked, of which one or both move late: behind a sound server that works in cycles, or a radio that
/// sleeps.
@Suite("Devices that move late") struct LateStartTests {
  /// A loop over devices that move so many frames after each start, opened.
  ///
  /// - Parameter longest: Frames of the longest buffer that the devices have; nil: as many as are asked for.
  func loop(
    capture: Int = 0, playback: Int = 0, twoClocks: Bool = false, request: StreamRequest = StreamRequest(),
    longest: Int? = nil
  ) throws -> LoopProgram {
    let rig = FakeRig()
    if let longest { rig.offer.buffer = 32...longest }
    rig.isLinkable = false
    rig.sharesClock = !twoClocks
    rig.setStartLag(.capture, capture)
    rig.setStartLag(.playback, playback)
    var loop = LoopProgram(rig, request: request)
    try loop.stream.open()
    return loop
  }

  /// Nothing but waits, and all of them before the first sound.
  func expectUndisturbed(
    _ loop: borrowing LoopProgram, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let (restarts, loss, counters) = (loop.restarts, loop.loss, loop.stream.counters)
    #expect(restarts == [] && loss == nil, sourceLocation: sourceLocation)
    #expect(counters.restarts == 0 && counters.underruns == 0, sourceLocation: sourceLocation)
    #expect(counters.overruns == 0 && counters.stalls == 0, sourceLocation: sourceLocation)
    // No sound was there to be lost.
    #expect(counters.lostTime == 0, sourceLocation: sourceLocation)
  }

  /// Distance that stays of devices that begin so many frames apart: less than half a period.
  func rest(_ frames: Int, period: Int = 64) -> Double {
    let distance = Double(frames)
    return distance - (distance / Double(period)).rounded() * Double(period)
  }

  // The silence of the start lasts 192 frames: capture's first period comes before, with its end, and after. 100 ms and 1.5 s.
  @Test(
    "playback waits for capture that moves late, and the latency is the silence of the start",
    arguments: [64, 128, 160, 220, 4410, 66_150])
  func lateCapture(frames: Int) throws {
    var loop = try self.loop(capture: frames)
    let written = loop.run(blocks: 200)
    #expect(written == 200)
    expectUndisturbed(loop)
    let heard = loop.rig.heardLatencies()
    #expect(heard.count > 190 * 64 && heard.allSatisfy { abs($0 - 192) < 1.01 })
    #expect(loop.rig.beginsSilently(frames: 192))
  }

  @Test(
    "what capture records before playback moves is thrown away, and the latency is that of devices that start one after the other",
    arguments: [882, 17_640, 66_150])
  func latePlayback(frames: Int) throws {
    var loop = try self.loop(playback: frames)
    let written = loop.run(blocks: 200)
    #expect(written == 200)
    expectUndisturbed(loop)
    let heard = loop.rig.heardLatencies()
    #expect(heard.count > 190 * 64 && heard.allSatisfy { abs($0 - 192 - rest(frames)) < 1.01 })
    #expect(loop.rig.beginsSilently(frames: 192))
  }

  // At once, by less than half a period, by more, and by far.
  @Test(
    "a capture buffer of two periods keeps the first block, and does not run over where playback is late",
    arguments: [1, 20, 40, 17_640])
  func shortBuffer(frames: Int) throws {
    let request = StreamRequest(period: 64, periods: 2)
    var loop = try self.loop(playback: frames, request: request, longest: 128)
    let granted = loop.stream.captureFormat?.buffer
    #expect(granted == 128)
    let written = loop.run(blocks: 200)
    #expect(written == 200)
    expectUndisturbed(loop)
    let heard = loop.rig.heardLatencies()
    #expect(heard.count > 190 * 64 && heard.allSatisfy { abs($0 - 128 - rest(frames)) < 1.01 })
    #expect(loop.rig.beginsSilently(frames: 128))
  }

  @Test("the same with the longest block", arguments: [(4410, 0), (0, 17_640)])
  func longBlocks(capture: Int, playback: Int) throws {
    let request = StreamRequest(period: 1024, periods: 3)
    var loop = try self.loop(capture: capture, playback: playback, request: request)
    let written = loop.run(blocks: 50)
    #expect(written == 50)
    expectUndisturbed(loop)
    let latency = 3072 + rest(playback, period: 1024)
    let heard = loop.rig.heardLatencies()
    #expect(!heard.isEmpty && heard.allSatisfy { abs($0 - latency) < 1.01 })
  }

  @Test(
    "both may move late, either first",
    arguments: [
      // The distance of both movements.
      (4410, 13_230, 13_230 - 4410),
      // Playback is started anew with capture's first period, and moves as late again.
      (13_230, 4410, 64 + 4410),
    ])
  func both(capture: Int, playback: Int, distance: Int) throws {
    var loop = try self.loop(capture: capture, playback: playback)
    let written = loop.run(blocks: 200)
    #expect(written == 200)
    expectUndisturbed(loop)
    let heard = loop.rig.heardLatencies()
    #expect(!heard.isEmpty && heard.allSatisfy { abs($0 - 192 - rest(distance)) < 1.01 })
  }

  // Of whole periods, so that no distance is left.
  @Test(
    "with two clocks the delay is the target from the first block on",
    arguments: [(4416, 0), (66_176, 0), (0, 896), (0, 17_664), (0, 66_176)])
  func twoClocks(capture: Int, playback: Int) throws {
    var loop = try self.loop(capture: capture, playback: playback, twoClocks: true)
    let written = loop.run(blocks: 2000)
    #expect(written == 2000)
    expectUndisturbed(loop)
    // 192 frames and half the converter's filter of 39; a block is resampled to whole frames.
    #expect(loop.latencies.allSatisfy { abs($0 - 212) <= 4 })
  }

  @Test(
    "a device that never moves is lost after two seconds, which is told as such; opened anew, it sounds",
    arguments: StreamDirection.allCases)
  func neverMoves(direction: StreamDirection) throws {
    var loop = try self.loop()
    let rig = loop.rig
    rig.schedule(ScriptedFault(direction, .start, times: .max, .freeze))
    let written = loop.run(blocks: 50)
    #expect(written == 0)
    #expect(loop.loss == .unmoved && loop.restarts == [])
    #expect("\(StreamFault.unmoved)" == "no sound moves after the start")
    // Looked at ten times a second.
    #expect(rig.time >= 2 && rig.time < 2.2)
    for case .stalled(let after) in loop.events { #expect(after > 0 && after < 2) }
    loop.stream.close()
    rig.clearScript()
    try loop.stream.open()
    loop.events = []
    let more = loop.run(blocks: 50)
    #expect(more == 50)
    #expect(loop.events == [])
  }

  @Test("linked devices that do not move are restarted as before, after three waits")
  func linked() throws {
    let rig = FakeRig()
    for direction in StreamDirection.allCases {
      rig.schedule(ScriptedFault(direction, .available, .freeze))
    }
    var loop = LoopProgram(rig)
    try loop.stream.open()
    let written = loop.run(blocks: 50)
    #expect(written == 50)
    #expect(loop.restarts == [.stalled])
    #expect(rig.time < 0.5)
  }

  @Test("silence until playback moves again is lost time")
  func lostTime() throws {
    var loop = try self.loop()
    let written = loop.run(blocks: 50)
    #expect(written == 50)
    loop.rig.setStartLag(.playback, 17_664)
    loop.rig.advance(0.1)
    let more = loop.run(blocks: 50)
    #expect(more == 50)
    #expect(loop.restarts.count == 1)
    let lost = loop.stream.counters.lostTime
    // To two blocks: of the last one before, and of the one in which both have moved.
    #expect(abs(lost - loop.rig.heardSilence()) <= 2 * 64 / 44_100 + 1e-9)
    #expect(lost > 0.4)
  }

  @Test(
    "playback that runs dry a second time before sound flows is a fault, and three of them end the stream, however late the microphone moves",
    arguments: [4410, 22_050])
  func dryAgain(late frames: Int) throws {
    var loop = try self.loop(capture: frames)
    // Each time it is looked at.
    loop.rig.schedule(ScriptedFault(.playback, .state, times: .max, .fail(.xrun)))
    let written = loop.run(blocks: 50)
    #expect(written == 0)
    #expect(loop.loss == .device(.xrun, during: .state, .playback))
    // Four starts, each as late, and what each waits besides.
    #expect(loop.rig.time < 4 * Double(frames) / 44_100 + 1.6)
  }
}
