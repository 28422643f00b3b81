import Acoustics
import AudioIO
import AudioIOTesting
import Testing

@testable import Engine
@testable import EngineTesting

/// Every fault at every call: sound returns from silence, processed, with the latency it had.
@Suite("Recovery from every fault") struct FaultRecoveryTests {
  /// One case of the table.
  struct Line: Sendable, CustomStringConvertible {
    var direction: StreamDirection
    var call: PCMCall
    var effect: ScriptedFault.Effect
    var isLinkable = true

    var description: String { "\(effect) at \(direction) \(call)\(isLinkable ? "" : ", not linked")" }

    /// The fault, when the line is one.
    var fault: PCMFault? { if case .fail(let fault) = effect { fault } else { nil } }
  }

  static let faults: [PCMFault] = [
    .again, .xrun, .suspended, .inputOutput, .gone, .badState, .interrupted, PCMFault(errno: 22),
  ]

  /// All faults at all calls that are ever made: capture is read, playback written, and capture links and,
  /// once linked, starts both.
  static let failures: [Line] = StreamDirection.allCases.flatMap { direction in
    [true, false].flatMap { isLinkable in
      PCMCall.allCases.filter { call in
        switch (direction, call) {
        case (.capture, .write), (.playback, .read), (.playback, .link), (.capture, .silence): false
        case (.playback, .start): !isLinkable
        default: true
        }
      }.flatMap { call in
        faults.map { Line(direction: direction, call: call, effect: .fail($0), isLinkable: isLinkable) }
      }
    }
  }

  static let oddities: [Line] = StreamDirection.allCases.flatMap { direction in
    let states: [PCMState] = [.invalid, .open, .setup, .prepared, .xrun, .draining, .paused, .suspended]
    return states.map { Line(direction: direction, call: .state, effect: .say($0)) }
      + [
        Line(direction: direction, call: .poll, effect: .wakeIdly),
        Line(direction: direction, call: .poll, effect: .freeze),
        Line(direction: direction, call: .available, effect: .freeze),
        Line(direction: direction, call: direction == .capture ? .read : .write, effect: .shorten(7)),
        Line(direction: direction, call: direction == .capture ? .read : .write, effect: .shorten(0)),
      ]
  }

  /// Blocks of sound before the fault: 0.17 s, full sound is reached after 0.05 s.
  static let blocksBefore = 120
  /// Blocks of sound after it.
  static let blocksAfter = 150

  /// Plays one line of the table and returns what happened.
  static func play(_ line: Line, times: Int = 1) throws -> LiveBench {
    let bench = try LiveBench()
    let rig = bench.rig
    rig.isLinkable = line.isLinkable
    let scripted = ScriptedFault(line.direction, line.call, times: times, line.effect)
    if [.link, .silence].contains(line.call) {
      rig.schedule(scripted)
    } else {
      bench.before(block: blocksBefore) {
        rig.schedule(scripted)
        // These calls belong to a restart, so there is one.
        switch line.call {
        case .prepare, .start, .drop: rig.schedule(ScriptedFault(.capture, .read, .fail(.xrun)))
        case .resume: rig.sleep(10)
        default: break
        }
      }
    }
    // A device that is gone comes back by the third attempt.
    bench.beforeOpening { attempt in
      if attempt > 2 { rig.replug() }
    }
    bench.run(until: blocksBefore + blocksAfter)
    return bench
  }

  @Test("after one failure at any call sound returns, and the failure is counted", arguments: failures)
  func failure(line: Line) throws {
    let bench = try Self.play(line)
    Self.expectSoundReturned(bench)
    Self.expectCounted(line, bench)
  }

  @Test(
    "after odd states, idle wake-ups, standstill and short transfers sound returns", arguments: oddities)
  func oddity(line: Line) throws {
    let bench = try Self.play(line)
    Self.expectSoundReturned(bench)
  }

  @Test("twenty short transfers in a row are completed without a restart", arguments: [1, 7, 63])
  func shortTransfers(frames: Int) throws {
    for (direction, call) in [(StreamDirection.capture, PCMCall.read), (.playback, .write)] {
      let bench = try Self.play(
        Line(direction: direction, call: call, effect: .shorten(frames)), times: 20)
      Self.expectSoundReturned(bench)
      #expect(bench.state.reading.load().counters.shortTransfers > 0)
      if frames > 1 { #expect(bench.restarts.isEmpty) }
    }
  }

  // MARK: - What must hold

  /// Sound is as it was before: silence first, then the ramp, always processed, the same latency.
  static func expectSoundReturned(
    _ bench: LiveBench, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(!bench.ranAway, sourceLocation: sourceLocation)
    #expect(bench.state.state == .stopped, sourceLocation: sourceLocation)
    #expect(Set(bench.latencies) == [LiveBench.prefill], sourceLocation: sourceLocation)
    for ear in Ear.allCases {
      let heard = bench.heard(ear)
      let full = LiveBench.amplitude[ear] * LiveBench.factor
      for (number, run) in bench.runs.enumerated() {
        let sounding = min(run.lowerBound + LiveBench.prefill, run.upperBound)
        #expect(
          heard[run.lowerBound..<sounding].allSatisfy { $0 == 0 }, "run \(number) begins with silence",
          sourceLocation: sourceLocation)
        // 1 %: the gain window's own accuracy. Nothing louder than the ramp allows is a step or
        // unprocessed.
        let loud = (sounding..<run.upperBound).first {
          let frames = $0 - sounding + 1
          let greatest = (1.01 + LiveBench.offCentre(frames)) * full
          return abs(heard[$0]) > greatest * LiveBench.riseFactor(frames) + 1e-7
        }
        #expect(loud == nil, "run \(number) rises by the ramp", sourceLocation: sourceLocation)
      }
      // Full sound again: the last tenth of a second before the fade.
      let end = heard.count - 2 * LiveBench.fallFrames
      let amplitude = LiveBench.amplitude(of: heard[max(0, end - 4410)..<max(0, end)])
      #expect(abs(amplitude / Double(full) - 1) < 0.01, sourceLocation: sourceLocation)
    }
  }

  /// What happened is told, with its cause.
  static func expectCounted(
    _ line: Line, _ bench: LiveBench, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let reading = bench.state.reading.load()
    let counters = reading.counters
    let expected = line.expected
    #expect(bench.restarts.map(\.description) == expected.restarts, sourceLocation: sourceLocation)
    #expect(bench.losses.map(\.description) == expected.losses, sourceLocation: sourceLocation)
    #expect(
      reading.lastFault?.description == (expected.restarts + expected.losses).last,
      sourceLocation: sourceLocation)
    #expect(counters.restarts == expected.restarts.count, sourceLocation: sourceLocation)
    let causes = expected.restarts + expected.xruns
    #expect(counters.overruns == causes.count { $0 == "overrun" }, sourceLocation: sourceLocation)
    #expect(counters.underruns == causes.count { $0 == "underrun" }, sourceLocation: sourceLocation)
    #expect(
      counters.suspensions == expected.restarts.count { $0.hasSuffix("suspended") }
        + (line.call == .resume && !expected.losses.isEmpty ? 1 : 0),
      sourceLocation: sourceLocation)
    // Restarting takes no virtual time but for waking and pauses; the sleep lasts 10 s, whether the devices are lost after it or not.
    if line.call == .resume {
      #expect(counters.lostTime >= 10 && counters.lostTime < 13, sourceLocation: sourceLocation)
    } else {
      #expect(counters.lostTime < 1, sourceLocation: sourceLocation)
    }
  }
}

extension FaultRecoveryTests.Line {
  /// What the stream must say: causes of restarts, causes of losses, and xruns that ended in a loss.
  var expected: (restarts: [String], losses: [String], xruns: [String]) {
    guard let fault else { return ([], [], []) }
    let own = "\(direction.rawValue) \(call.rawValue): \(fault)"
    switch call {
    case .link, .silence:
      // A card that vanishes while it is opened is found gone at the next call.
      return fault == .gone ? ([], ["capture prepare: device gone"], []) : ([], [], [])
    case .prepare, .start, .drop:
      // They fail within the restart after an overrun, and are tried again.
      return fault == .gone ? ([], [own], ["overrun"]) : (["overrun"], [], [])
    case .resume:
      // A resume that fails is left to prepare; a vanished card is found by drop.
      return fault == .gone
        ? ([], ["playback drop: device gone"], []) : (["capture state: suspended"], [], [])
    case .state:
      // A state tells less than a code: what has no state of its own is a wrong one.
      let seen: PCMFault = [.xrun, .suspended, .gone].contains(fault) ? fault : .badState
      let text = "\(StreamFault.device(seen, during: .state, direction))"
      return fault == .gone ? ([], [text], []) : ([text], [], [])
    case .poll, .read, .write, .available, .delay:
      if [.again, .interrupted].contains(fault) { return ([], [], []) }
      let text = "\(StreamFault.device(fault, during: call, direction))"
      return fault == .gone ? ([], [text], []) : ([text], [], [])
    }
  }
}
