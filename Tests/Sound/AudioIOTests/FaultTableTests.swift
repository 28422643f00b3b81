import AudioIO
import AudioIOTesting
import Testing

/// Every fault, at every call, of either direction: sound comes back as it was, or the stream says that it is
/// lost, within bounds.
@Suite("Fault table") struct FaultTableTests {
  static let faults: [PCMFault] = [
    .again, .xrun, .suspended, .inputOutput, .gone, .badState, .busy, .interrupted, PCMFault(errno: 22),
  ]

  /// One case of the table.
  struct Line: Sendable, CustomStringConvertible {
    var direction: StreamDirection
    var call: PCMCall
    var fault: PCMFault
    var wiring: Wiring
    var description: String { "\(fault) at \(direction) \(call), \(wiring)" }
    /// Frames from room to ear: the silence, and half a resampler's filter where there is one.
    var latency: Int { wiring == .twoClocks ? 192 + 20 : 192 }
    /// Whole frames of a resampled block come and go by one.
    var tolerance: Int { wiring == .twoClocks ? 2 : 0 }

    func holds(_ latencies: [Int]) -> Bool {
      latencies.allSatisfy { abs($0 - latency) <= tolerance }
    }
  }

  /// How the two devices belong together.
  enum Wiring: Sendable, CaseIterable { case linked, notLinked, twoClocks }

  static let table: [Line] = StreamDirection.allCases.flatMap { direction in
    PCMCall.allCases.flatMap { call in
      faults.flatMap { fault in
        Wiring.allCases.map { Line(direction: direction, call: call, fault: fault, wiring: $0) }
      }
    }
  }

  /// A rig on which the line's call will really be made: some belong to a restart, so there is one.
  func begin(_ line: Line, times: Int) throws -> LoopProgram {
    let rig = FakeRig()
    rig.isLinkable = line.wiring == .linked
    rig.sharesClock = line.wiring != .twoClocks
    var loop = LoopProgram(rig)
    let isOfOpening = [.link, .silence].contains(line.call)
    if isOfOpening { rig.schedule(ScriptedFault(line.direction, line.call, .fail(line.fault))) }
    try loop.stream.open()
    loop.run(blocks: 20)
    switch line.call {
    case .prepare, .start, .drop: rig.schedule(ScriptedFault(.capture, .read, .fail(.xrun)))
    case .resume: rig.sleep(10)
    default: break
    }
    if !isOfOpening {
      rig.schedule(ScriptedFault(line.direction, line.call, after: 2, times: times, .fail(line.fault)))
      // Calls of a restart happen once: the third would never come.
      if [.prepare, .start, .drop, .resume].contains(line.call) {
        rig.clearScript()
        if line.call != .resume { rig.schedule(ScriptedFault(.capture, .read, .fail(.xrun))) }
        rig.schedule(ScriptedFault(line.direction, line.call, times: times, .fail(line.fault)))
      }
    }
    return loop
  }

  @Test("one fault: sound returns with the same latency, or a vanished device is lost", arguments: table)
  func once(line: Line) throws {
    var loop = try begin(line, times: 1)
    let rig = loop.rig
    let began = rig.time
    loop.run(blocks: 100)
    if let loss = loop.loss {
      guard case .device(.gone, _, _) = loss else {
        Issue.record("lost by \(loss)")
        return
      }
      #expect(line.fault == .gone)
    } else {
      #expect(!loop.latencies.isEmpty && line.holds(loop.latencies))
      // A ramp is not heard as it was after a resampling filter: impulses are tested elsewhere.
      if line.wiring != .twoClocks {
        let lastLatency = try #require(rig.heardLatencies().last)
        #expect(abs(lastLatency - 192) < 0.01)
      }
    }
    #expect(rig.beginsSilently(frames: 192))
    // 100 blocks are 0.15 s; a device may take 10 ms a time to wake, and an attempt 50 ms.
    #expect(rig.time - began < 1)
  }

  @Test("a fault for ever: lost within bounds, and well again after closing and opening", arguments: table)
  func forever(line: Line) throws {
    var loop = try begin(line, times: .max)
    let rig = loop.rig
    let began = rig.time
    loop.run(blocks: 100)
    #expect(rig.beginsSilently(frames: 192))
    // Three attempts, each at most three stalls of 0.1 s, or 200 tries of 10 ms to wake two devices.
    #expect(rig.time - began < 8)
    if loop.loss == nil { #expect(line.holds(loop.latencies)) }

    loop.stream.close()
    rig.clearScript()
    rig.replug()
    try loop.stream.open()
    loop.events = []
    loop.latencies = []
    #expect(loop.run(blocks: 50) == 50)
    #expect(line.holds(loop.latencies))
    #expect(rig.beginsSilently(frames: 192))
  }

  @Test(
    "calls that carry sound: a fault for ever is always lost",
    arguments: table.filter {
      let carries =
        [.state, .available].contains($0.call) || $0.call == ($0.direction == .capture ? .read : .write)
      return carries && ![.again, .interrupted].contains($0.fault)
    })
  func alwaysLost(line: Line) throws {
    var loop = try begin(line, times: .max)
    loop.run(blocks: 100)
    #expect(loop.loss != nil)
  }

  @Test("a device that never has anything to give is lost, not waited for for ever")
  func neverReady() throws {
    let rig = FakeRig()
    var loop = LoopProgram(rig)
    try loop.stream.open()
    loop.run(blocks: 20)
    rig.schedule(ScriptedFault(.capture, .read, times: .max, .fail(.again)))
    loop.run(blocks: 20)
    // Playback runs empty meanwhile, and says so.
    #expect(loop.loss == .device(.xrun, during: .poll, .playback) || loop.loss == .stalled)
  }

  @Test("short transfers are completed", arguments: [1, 7, 63])
  func shortTransfers(frames: Int) throws {
    let rig = FakeRig()
    var loop = LoopProgram(rig)
    try loop.stream.open()
    rig.schedule(ScriptedFault(.capture, .read, after: 10, times: 20, .shorten(frames)))
    rig.schedule(ScriptedFault(.playback, .write, after: 10, times: 20, .shorten(frames)))
    #expect(loop.run(blocks: 200) == 200)
    #expect(loop.stream.counters.shortTransfers > 0)
    if loop.events.isEmpty { #expect(Set(loop.latencies) == [192]) }
    #expect(abs(try #require(rig.heardLatencies().last) - 192) < 0.01)
  }

  @Test("a device that says it is disconnected is lost")
  func disconnected() throws {
    let rig = FakeRig()
    var loop = LoopProgram(rig)
    try loop.stream.open()
    loop.run(blocks: 20)
    rig.schedule(ScriptedFault(.playback, .state, .say(.disconnected)))
    loop.run(blocks: 20)
    #expect(loop.loss == .device(.gone, during: .state, .playback))
  }

  @Test("a negative state for ever is a lost device")
  func negativeState() throws {
    let rig = FakeRig()
    var loop = LoopProgram(rig)
    try loop.stream.open()
    loop.run(blocks: 20)
    rig.schedule(ScriptedFault(.playback, .state, times: .max, .say(.invalid)))
    loop.run(blocks: 20)
    #expect(loop.loss == .device(.badState, during: .state, .playback))
  }

  @Test(
    "a state that a running stream cannot be in restarts it",
    arguments: [PCMState.open, .setup, .prepared, .draining, .paused, .invalid])
  func wrongState(state: PCMState) throws {
    let rig = FakeRig()
    var loop = LoopProgram(rig)
    try loop.stream.open()
    loop.run(blocks: 20)
    rig.schedule(ScriptedFault(.capture, .state, .say(state)))
    loop.run(blocks: 50)
    #expect(loop.restarts == [.device(.badState, during: .state, .capture)])
    #expect(Set(loop.latencies) == [192])
  }
}
