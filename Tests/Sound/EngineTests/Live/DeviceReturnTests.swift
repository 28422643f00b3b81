import Acoustics
import AudioIO
import Base
import Fitting
import HearingDSP
import Realtime
import Testing

@testable import AudioIOTesting
@testable import Engine
@testable import EngineTesting

/// Devices that fail for ever, vanish, are taken or do not fit.
@Suite("Waiting for devices, and faults") struct DeviceReturnTests {
  /// A call that carries sound, failing until the devices are opened for the fourth time.
  static let lasting: [FaultRecoveryTests.Line] = [PCMFault.xrun, .suspended, .inputOutput, .badState]
    .flatMap {
      fault in
      [
        (StreamDirection.capture, PCMCall.read), (.capture, .available), (.playback, .write),
        (.playback, .state),
        (.capture, .prepare),
      ].map { FaultRecoveryTests.Line(direction: $0.0, call: $0.1, effect: .fail(fault)) }
    }

  @Test(
    "a failure that lasts: given up, tried again, and sound returns when the device works",
    arguments: lasting)
  func lastingFailure(line: FaultRecoveryTests.Line) throws {
    let bench = try LiveBench()
    let rig = bench.rig
    bench.before(block: 120) {
      rig.schedule(ScriptedFault(line.direction, line.call, times: .max, line.effect))
      if line.call == .prepare { rig.schedule(ScriptedFault(.capture, .read, .fail(.xrun))) }
    }
    bench.beforeOpening { if $0 == 4 { rig.clearScript() } }
    bench.run(until: 270)
    FaultRecoveryTests.expectSoundReturned(bench)
    #expect(bench.attempts.count == 4)
    #expect(bench.losses.count == 3)
    #expect(bench.state.reading.load().lastFault == bench.losses.last)
  }

  @Test(
    "why sound broke off is said before the devices are closed, which a sound server that hangs lets nobody finish",
    arguments: [
      (PCMFault.inputOutput, "the sound device stopped working (capture read: input/output error)"),
      (
        .xrun,
        "the sound device drops out again and again: ask for a longer period or more periods in the configuration, under [device]"
      ),
    ])
  func saidBeforeClosing(_ fault: PCMFault, reason: String) throws {
    let bench = try LiveBench()
    let rig = bench.rig
    bench.before(block: 120) {
      rig.schedule(ScriptedFault(.capture, .read, times: .max, .fail(fault)))
    }
    bench.beforeOpening { if $0 == 2 { rig.clearScript() } }
    bench.run(until: 270)
    #expect(
      bench.closings.first
        == .waitingForDevice(reason: reason))
  }

  @Test("while a device fails the aid waits and says why, and runs again by itself")
  func waitingState() throws {
    let bench = try LiveBench()
    bench.backoff = Backoff(first: 0.05, longest: 0.1)
    let rig = bench.rig
    bench.before(block: 120) {
      rig.schedule(ScriptedFault(.capture, .read, times: .max, .fail(.inputOutput)))
    }
    bench.beforeOpening { if $0 == 3 { rig.clearScript() } }
    let aid = bench.aid()
    try aid.start()
    #expect(
      eventually {
        aid.state
          == .waitingForDevice(
            reason: "the sound device stopped working (capture read: input/output error)")
      })
    // Others can have it meanwhile.
    #expect(eventually { !rig.capture.isOpen && !rig.playback.isOpen })
    #expect(aid.devices == nil)
    #expect(eventually { aid.state == .running && aid.opens == 3 })
    aid.stop()
    #expect(aid.state == .stopped)
  }

  @Test("an unplugged device is waited for; plugged in again, sound returns as it was")
  func replugged() throws {
    let bench = try LiveBench()
    let rig = bench.rig
    bench.before(block: 120) { rig.unplug() }
    bench.beforeOpening { if $0 == 6 { rig.replug() } }
    bench.run(until: 270)
    FaultRecoveryTests.expectSoundReturned(bench)
    #expect(bench.attempts.count == 6)
  }

  @Test("what was counted before a device was lost stands, and goes on being counted, when it is back")
  func counts() throws {
    let bench = try LiveBench()
    let rig = bench.rig
    let tone = rig.source
    bench.before(block: 40) { rig.source = { _, _ in 1 } }
    bench.before(block: 41) { rig.source = tone }
    var before = ChainMeters()
    bench.before(block: 120) {
      before = bench.state.reading.load().meters
      rig.unplug()
    }
    bench.beforeOpening { if $0 == 3 { rig.replug() } }
    bench.run(until: 270)
    let meters = bench.state.reading.load().meters
    #expect(before.left.clippedInput > 0 && meters.left.clippedInput == before.left.clippedInput)
    #expect(meters.right.clippedInput == before.right.clippedInput)
    // 270 blocks in all, of which 150 came after the loss.
    #expect(meters.frames >= 260 * Int64(LiveBench.period))
  }

  @Test("no such device: waiting, and the reason names it")
  func missing() throws {
    let bench = try LiveBench()
    let error = PCMOpenError.noSuchDevice(name: "hw:9", available: ["hw:0"])
    bench.backoff = Backoff(first: 0.05, longest: 0.05)
    bench.rig.openError = error
    bench.beforeOpening { if $0 == 3 { bench.rig.openError = nil } }
    let aid = bench.aid()
    try aid.start()
    let reason = "\(error); the aid waits for it, or uses another by: auricle route use"
    #expect(eventually { aid.state == .waitingForDevice(reason: reason) })
    #expect(eventually { aid.state == .running })
    aid.stop()
  }

  @Test(
    "busy and forbidden devices are waited for",
    arguments: [
      PCMOpenError.busy(name: "hw:0", holders: []), .noPermission(name: "hw:0", node: nil),
      .failed(name: "hw:0", call: "snd_pcm_open", errno: 5),
    ])
  func refusedForNow(error: PCMOpenError) throws {
    let bench = try LiveBench()
    bench.rig.openError = error
    bench.beforeOpening { if $0 == 3 { bench.rig.openError = nil } }
    bench.run(until: 150)
    FaultRecoveryTests.expectSoundReturned(bench)
    #expect(bench.attempts.count == 3)
  }

  @Test("pauses between attempts double up to the longest")
  func pausesGrow() throws {
    let bench = try LiveBench()
    bench.rig.openError = .busy(name: "hw:0", holders: [])
    bench.beforeOpening { if $0 == 7 { bench.rig.openError = nil } }
    bench.run(until: 10)
    let pauses = zip(bench.attempts, bench.attempts.dropFirst()).map { $1 - $0 }
    #expect(pauses.count == 6)
    // Never shorter; how much longer is up to the machine.
    for (pause, least) in zip(pauses, [0.001, 0.002, 0.004, 0.008, 0.008, 0.008]) {
      #expect(pause >= least)
    }
  }

  @Test("after a second of sound the first pause is short again")
  func pausesBeginAnew() throws {
    // Of five attempts a busy machine may delay some.
    var shortest = Double.infinity
    for _ in 0..<5 where shortest >= 0.25 {
      let bench = try LiveBench()
      bench.backoff = Backoff(first: 0.001, longest: 5)
      bench.rig.openError = .busy(name: "hw:0", holders: [])
      bench.beforeOpening {
        if $0 == 9 { bench.rig.openError = nil }
        if $0 == 10 { bench.rig.replug() }
      }
      // 1 s is 689 blocks.
      bench.before(block: 750) { bench.rig.unplug() }
      var unpluggedAt = 0.0
      bench.before(block: 749) { unpluggedAt = SystemTime.monotonic }
      bench.run(until: 800)
      try #require(bench.attempts.count == 10)
      shortest = min(shortest, bench.attempts[9] - unpluggedAt)
    }
    // The pause after eight failures in a row would be 0.256 s.
    #expect(shortest < 0.25)
  }

  @Test("devices that do not move after their start are told as such, and never as running")
  func neverMoves() throws {
    let bench = try LiveBench()
    let rig = bench.rig
    rig.isLinkable = false
    rig.schedule(ScriptedFault(.playback, .start, times: .max, .freeze))
    bench.beforeOpening { if $0 == 3 { rig.clearScript() } }
    var states: [AidState] = []
    bench.beforeEachBlock { states.append(bench.state.state) }
    bench.run(until: 100)
    #expect(bench.attempts.count == 3 && bench.losses == [.unmoved, .unmoved])
    let reason = "the sound device stopped working (no sound moves after the start)"
    let silent = states.prefix { $0 != .running }
    #expect(Set(silent) == [.starting, .waitingForDevice(reason: reason)])
    // In the first opening nothing was known.
    #expect(silent.first == .starting && silent.last == .waitingForDevice(reason: reason))
    #expect(states.last == .running)
  }

  @Test(
    "devices that could not be opened at first and are open now are starting until they move, and missing no longer"
  )
  func opensAndMovesLate() throws {
    let bench = try LiveBench()
    let rig = bench.rig
    rig.isLinkable = false
    // Half a second, as of a radio that wakes.
    rig.setStartLag(.capture, 22_050)
    rig.openError = .busy(name: "fake", holders: [])
    bench.beforeOpening { if $0 == 3 { rig.openError = nil } }
    var states: [AidState] = []
    bench.beforeEachBlock { states.append(bench.state.state) }
    bench.run(until: 100)
    #expect(bench.attempts.count == 3 && bench.losses.isEmpty)
    let silent = states.prefix { $0 != .running }
    #expect(silent.count > 1 && Set(silent) == [.starting])
    #expect(states.last == .running)
  }

  @Test(
    "devices that are open count as being started until their first block, and from it on as those that had one"
  )
  func startTold() throws {
    let bench = try LiveBench()
    let begin = SystemTime.monotonic
    var told: [(opening: Double?, block: Double?)] = []
    for block in 0...1 {
      bench.before(block: block) { told.append((bench.state.openingSince, bench.state.lastBlockTime)) }
    }
    bench.run(until: 20)
    let times = begin...SystemTime.monotonic
    try #require(told.count == 2)
    #expect(told[0].opening.map { times.contains($0) } == true && told[0].block == nil)
    #expect(told[1].opening == nil && told[1].block.map { times.contains($0) } == true)
    #expect(bench.state.openingSince == nil && bench.state.lastBlockTime == nil)
  }

  @Test("since when devices are being opened is told at each attempt, and at no other time")
  func openingTold() throws {
    let bench = try LiveBench()
    let (rig, begin) = (bench.rig, SystemTime.monotonic)
    var told: [Double?] = []
    bench.before(block: 120) {
      told.append(bench.state.openingSince)
      rig.unplug()
    }
    bench.beforeOpening {
      told.append(bench.state.openingSince)
      if $0 == 3 { rig.replug() }
    }
    bench.run(until: 150)
    #expect(bench.state.openingSince == nil)
    // The first opening, sound, and two attempts while the device is waited for.
    try #require(told.count == 4)
    #expect(told[1] == nil)
    let attempts = [told[0], told[2], told[3]].compactMap(\.self)
    try #require(attempts.count == 3)
    for (since, attempt) in zip(attempts, bench.attempts) { #expect((begin...attempt).contains(since)) }
    #expect(attempts[0] < attempts[1] && attempts[1] < attempts[2])
  }

  @Test("since when devices are being closed is told while they are, and at no other time")
  func closingTold() throws {
    let bench = try LiveBench()
    let (rig, begin) = (bench.rig, SystemTime.monotonic)
    var told: [Double?] = []
    bench.before(block: 120) {
      told.append(bench.state.closingSince)
      rig.unplug()
    }
    bench.beforeOpening {
      told.append(bench.state.closingSince)
      if $0 == 3 { rig.replug() }
    }
    bench.run(until: 150)
    // The first opening, sound, and two attempts while the device is waited for.
    #expect(told.count == 4 && told.allSatisfy { $0 == nil })
    #expect(bench.state.closingSince == nil)
    // When the device was lost, and at the end.
    let closings = bench.closingTimes.compactMap(\.self)
    #expect(closings.count == 2 && bench.closingTimes.count == 2)
    #expect(closings.allSatisfy { (begin...SystemTime.monotonic).contains($0) })
  }

  @Test("starting a faulted aid tries again")
  func restartedFault() throws {
    let bench = try LiveBench()
    bench.rig.offer.formats = []
    let aid = bench.aid()
    try aid.start()
    #expect(eventually { if case .faulted = aid.state { true } else { false } })
    bench.rig.offer.formats = SampleFormat.preferred
    try aid.start()
    #expect(eventually { aid.state == .running })
    aid.stop()
  }

  @Test("settings that no chain can be made of are a fault with its reason, and the device is given back")
  func impossibleSettings() throws {
    let bench = try LiveBench {
      $0.hearing.audiograms = Binaural(
        left: StandardAudiogram.n1.audiogram,
        right: (try? Audiogram(air: [4000: 40])) ?? $0.hearing.audiograms!.right)
      $0.hearing.rule = NALR()
    }
    let aid = bench.aid()
    try aid.start()
    #expect(
      eventually {
        if case .faulted(let reason) = aid.state { reason.hasPrefix("right ear:") } else { false }
      })
    #expect(!bench.rig.capture.isOpen && !bench.rig.playback.isOpen)
    #expect(bench.rig.heardLeft.isEmpty)
    aid.stop()
    #expect(aid.state == .stopped)
  }

  @Test("stopping while waiting or faulted does not wait for the pause to end")
  func stopsWhileWaiting() throws {
    let bench = try LiveBench()
    // A day: a stop that waited for its end would never come back.
    bench.backoff = Backoff(first: 86_400, longest: 86_400)
    bench.rig.openError = .busy(name: "hw:0", holders: [])
    let aid = bench.aid()
    try aid.start()
    #expect(eventually { if case .waitingForDevice = aid.state { true } else { false } })
    aid.stop()
    #expect(aid.state == .stopped)
  }
}
