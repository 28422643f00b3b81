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

/// Devices that are granted and lost again, before a second of sound.
@Suite("Devices that break off") struct BreakingOffTests {
  @Test(
    "sound of less than a second proves nothing; devices that lose it break off until there was a second of it"
  )
  func unproven() throws {
    let bench = try LiveBench()
    let rig = bench.rig
    var told: [[Bool]] = []
    func look() {
      told.append([bench.state.isUnproven, bench.state.isBreakingOff.load(ordering: .acquiring)])
    }
    bench.beforeOpening { _ in rig.replug() }
    bench.before(block: 100) {
      look()
      rig.unplug()
    }
    bench.before(block: 200, look)
    // 1 s is 689 blocks, looked at every 34.
    bench.before(block: 860, look)
    bench.run(until: 900)
    #expect(told == [[true, false], [true, true], [false, false]])
  }

  @Test("of devices that break off again and again the first reason is told, however the next ones differ")
  func breaksOffAgain() throws {
    let bench = try LiveBench()
    let rig = bench.rig
    bench.beforeOpening { _ in rig.replug() }
    bench.before(block: 50) { rig.schedule(ScriptedFault(.capture, .read, .fail(.gone))) }
    bench.before(block: 80) { rig.schedule(ScriptedFault(.playback, .write, .fail(.gone))) }
    bench.run(until: 150)
    #expect(
      bench.losses.map(\.description) == ["capture read: device gone", "playback write: device gone"])
    let waiting = AidState.waitingForDevice(
      reason: "the sound device stopped working (capture read: device gone)")
    #expect(Array(bench.closings.prefix(2)) == [waiting, waiting])
  }

  @Test("of devices that are lost again and again before their first block the first reason is told too")
  func breaksOffBeforeSound() throws {
    let bench = try LiveBench()
    let rig = bench.rig
    bench.beforeOpening {
      rig.replug()
      switch $0 {
      case 1, 3: rig.schedule(ScriptedFault(.capture, .start, .fail(.gone)))
      // The silence of the start.
      case 2: rig.schedule(ScriptedFault(.playback, .write, .fail(.gone)))
      default: break
      }
    }
    bench.run(until: 100)
    #expect(
      bench.losses.map(\.description)
        == ["capture start: device gone", "playback write: device gone", "capture start: device gone"])
    let waiting = AidState.waitingForDevice(
      reason: "the sound device stopped working (capture start: device gone)")
    #expect(Array(bench.closings.prefix(3)) == [waiting, waiting, waiting])
  }

  @Test("the first reason is that of the breaking off, not that of a loss after a second of sound")
  func breaksOffAfterLoss() throws {
    let bench = try LiveBench()
    let rig = bench.rig
    // 1 s is 689 blocks, looked at every 34.
    bench.before(block: 800) { rig.schedule(ScriptedFault(.capture, .read, .fail(.gone))) }
    bench.before(block: 803) { rig.schedule(ScriptedFault(.playback, .write, .fail(.gone))) }
    var told: [String?] = []
    bench.beforeOpening { _ in
      told.append(bench.state.breakingOff)
      rig.replug()
    }
    bench.run(until: 850)
    let first = "the sound device stopped working (capture read: device gone)"
    let second = "the sound device stopped working (playback write: device gone)"
    #expect(
      Array(bench.closings.prefix(2))
        == [.waitingForDevice(reason: first), .waitingForDevice(reason: second)])
    #expect(told == [nil, nil, second])
  }

  @Test("devices that break off and cannot be opened for a moment go on breaking off, by the first reason")
  func breaksOffAndIsBusy() throws {
    let bench = try LiveBench()
    let rig = bench.rig
    let busy = PCMOpenError.busy(name: "fake", holders: [])
    bench.before(block: 50) { rig.schedule(ScriptedFault(.capture, .read, .fail(.gone))) }
    bench.before(block: 80) { rig.schedule(ScriptedFault(.playback, .write, .fail(.gone))) }
    var told: [String?] = []
    bench.beforeOpening {
      told.append(bench.state.breakingOff)
      rig.replug()
      rig.openError = [2, 4].contains($0) ? busy : nil
    }
    bench.before(block: 60) { told.append(bench.state.breakingOff) }
    bench.run(until: 100)
    #expect(bench.attempts.count == 5 && bench.losses.count == 2)
    let reason = "the sound device stopped working (capture read: device gone)"
    #expect(told == [nil, reason, reason, reason, reason, reason])
  }

  @Test(
    "devices that broke off and are away for longer than any wait, or give way to others, do not count as breaking off",
    arguments: [false, true])
  func breakingOffEnds(areOthers: Bool) throws {
    let bench = try LiveBench()
    let rig = bench.rig
    // Of a card that is not there an attempt is made after each pause, of a millisecond at least.
    bench.longestWait = areOthers ? 60 : 0.001
    bench.before(block: 50) { rig.unplug() }
    var told: [Bool] = []
    bench.beforeOpening {
      told.append(bench.state.breakingOff != nil)
      if $0 == 4 { rig.replug() }
    }
    bench.beforeChoosing { if $0 == 4, areOthers { rig.name = "other" } }
    bench.run(until: 100)
    try #require(told.count == 4)
    #expect(told[0] == false && told[3] == false)
    // Where it has been away for so long depends on the machine.
    if areOthers { #expect(told[1] && told[2]) }
  }
}
