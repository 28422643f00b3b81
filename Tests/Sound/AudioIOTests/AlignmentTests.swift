import AudioIO
import AudioIOTesting
import Testing

/// The latency after a start, a recovery or a driver's leap is the one that was asked for, by the sound itself.
@Suite("Alignment of both devices") struct AlignmentTests {
  /// Blocks after which a latency is put right: a window of 128, where a restart falls into one two, and what the correction takes.
  static let settled = 300

  /// Frames between room and ear at the end.
  func latency(_ rig: FakeRig) throws -> Double { try #require(rig.heardLatencies().last) }

  @Test(
    "linked devices of which one starts periods late get the latency of two that start together",
    arguments: [-2, -1, 1, 2])
  func lateStart(periods: Int) throws {
    let rig = FakeRig()
    rig.captureLag = Double(periods * 64) / 44_100
    var loop = LoopProgram(rig, request: StreamRequest(periods: 4))
    try loop.stream.open()
    loop.run(blocks: Self.settled)
    #expect(abs(try latency(rig) - 256) < 1.01)
    // Capture that begins late has recorded less than is right.
    #expect(loop.restarts == [.misaligned(periods: -periods)])
    #expect(loop.latencies.last == 256)
    #expect(loop.stream.counters.corrections == 1 && loop.stream.counters.underruns == 0)
  }

  @Test("less than half a period is left as it is", arguments: [-0.4, 0.4])
  func smallDistance(periods: Double) throws {
    let rig = FakeRig()
    rig.captureLag = periods * 64 / 44_100
    var loop = LoopProgram(rig)
    try loop.stream.open()
    loop.run(blocks: Self.settled)
    #expect(loop.events == [])
  }

  @Test("a card that keeps one start's silence too many loses it again")
  func leftover() throws {
    let rig = FakeRig()
    rig.offer.buffer = 1024...65_536
    var loop = LoopProgram(rig)
    try loop.stream.open()
    loop.run(blocks: Self.settled)
    #expect(loop.events == [])
    rig.leftover = 192
    rig.advance(0.1)
    loop.run(blocks: Self.settled)
    #expect(abs(try latency(rig) - 192) < 0.01)
    #expect(loop.restarts.last == .misaligned(periods: 3))
  }

  @Test("a leap that no driver reports is noticed", arguments: [true, false])
  func leap(isLinkable: Bool) throws {
    let rig = FakeRig()
    rig.isLinkable = isLinkable
    var loop = LoopProgram(rig)
    try loop.stream.open()
    loop.run(blocks: Self.settled)
    // 201 turns of the playback buffer and 8 frames are 100 turns of the capture buffer and 200 frames.
    rig.passUnseen((201 * 192 + 8.5) / 44_100)
    loop.run(blocks: Self.settled)
    #expect(loop.restarts == [.misaligned(periods: 3)])
    #expect(abs(try latency(rig) - 192) < 1.01)
  }

  @Test("fifty underruns of a card that starts otherwise each time leave the latency as it was")
  func fiftyUnderruns() throws {
    let rig = FakeRig(recordingCapacity: 1 << 21)
    var loop = LoopProgram(rig, request: StreamRequest(periods: 4))
    try loop.stream.open()
    loop.run(blocks: Self.settled)
    for n in 0..<50 {
      rig.captureLag = Double([0, 1, -1, 2, -2][n % 5] * 64) / 44_100
      rig.advance(0.1)
      loop.run(blocks: Self.settled)
      #expect(loop.latencies.last == 256)
    }
    #expect(abs(try latency(rig) - 256) < 1.01)
    #expect(loop.stream.counters.underruns == 50 && loop.stream.counters.corrections == 40)
  }

  @Test("devices that are not linked keep the latency of the first start", arguments: 0..<8, [-64, 64])
  func misreadStart(call: Int, frames: Int) throws {
    let rig = FakeRig()
    rig.isLinkable = false
    var loop = LoopProgram(rig)
    try loop.stream.open()
    // A pointer that is read while it moves, at one of the calls of the start.
    rig.schedule(ScriptedFault(.capture, .available, after: call, .misread(by: frames)))
    loop.run(blocks: Self.settled)
    #expect(abs(try latency(rig) - 192) < 0.01)
    #expect(loop.stream.counters.corrections == 0)
  }

  @Test("pointers that are now and then read while they move change nothing")
  func misreadNowAndThen() throws {
    let rig = FakeRig()
    var loop = LoopProgram(rig)
    try loop.stream.open()
    for n in 0..<60 {
      rig.schedule(
        ScriptedFault(n % 2 == 0 ? .capture : .playback, .available, after: 83 * n, .misread(by: 64)))
    }
    loop.run(blocks: 2000)
    #expect(loop.stream.counters.corrections == 0)
    #expect(rig.heardLatencies().allSatisfy { abs($0 - 192) < 0.01 })
  }

  @Test("frames that a driver takes ahead of playing them are no missing latency")
  func takenAhead() throws {
    let rig = FakeRig()
    rig.takenAhead = 100
    var loop = LoopProgram(rig, request: StreamRequest(periods: 4))
    try loop.stream.open()
    loop.run(blocks: Self.settled)
    #expect(loop.events == [])
    #expect(abs(try latency(rig) - 256) < 0.01)
    // Later starts are compared with the frames that they leave in the buffer.
    rig.captureLag = 64 / 44_100
    rig.advance(0.1)
    loop.run(blocks: Self.settled)
    #expect(loop.restarts.last == .misaligned(periods: -1))
    #expect(abs(try latency(rig) - 256) < 1.01)
  }

  @Test("a device that leaps again and again is put right three times a minute")
  func leapsAgain() throws {
    let rig = FakeRig(recordingCapacity: 1 << 12)
    var loop = LoopProgram(rig)
    try loop.stream.open()
    loop.run(blocks: Self.settled)
    for _ in 0..<4 {
      rig.passUnseen((201 * 192 + 8.5) / 44_100)
      loop.run(blocks: Self.settled)
    }
    #expect(loop.stream.counters.corrections == 3)
    #expect(loop.latencies.last == 2 * 192)
    // A minute of blocks, and one window.
    loop.run(blocks: 60 * 44_100 / 64 + Self.settled)
    #expect(loop.stream.counters.corrections == 4)
    #expect(loop.latencies.last == 192)
  }

  @Test("no more corrections than the limit")
  func bounded() throws {
    let rig = FakeRig()
    rig.captureLag = 64 / 44_100
    var loop = LoopProgram(rig)
    loop.stream.limits.corrections = 0
    try loop.stream.open()
    loop.run(blocks: Self.settled)
    #expect(loop.events == [])
    #expect(abs(try latency(rig) - 128) < 1.01)
  }
}
