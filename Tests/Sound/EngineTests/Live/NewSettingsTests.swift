import Acoustics
import Fitting
import Glibc
import HearingDSP
import Synchronization
import Testing

@testable import AudioIOTesting
@testable import Engine
@testable import EngineTesting

/// Settings that arrive while sound flows, or while it is about to.
@Suite("New settings") struct NewSettingsTests {
  /// An aid whose sound is changed before block 150 by `change`, and which is stopped at block 900.
  struct Change {
    let bench: LiveBench
    let aid: HearingAid
    /// Where in what was heard the change was asked for.
    let index: Int
  }

  static func play(_ change: @escaping (HearingAid) throws -> Void) throws -> Change {
    let bench = try LiveBench()
    let aid = bench.aid()
    var index = 0
    var isDone = false
    bench.before(block: 150) {
      index = bench.rig.heardLeft.count
      // Control's call, made between two blocks so that its moment is known.
      do { try change(aid) } catch { Issue.record(error) }
    }
    bench.before(block: 900) {
      bench.stop.request()
      isDone = true
    }
    try aid.start()
    #expect(eventually { aid.state == .stopped })
    aid.stop()
    #expect(isDone)
    return Change(bench: bench, aid: aid, index: index)
  }

  /// Level of the left ear's tone in a stretch, dB below the room's.
  static func gain(_ samples: ArraySlice<Float>) -> Double {
    20 * log10(LiveBench.amplitude(of: samples) / Double(LiveBench.amplitude.left))
  }

  @Test("are heard within a second, without a step")
  func retargeted() throws {
    let change = try Self.play { aid in
      let isAtOnce = try aid.apply(LiveBench.hearing(gain: -10))
      #expect(isAtOnce)
    }
    let heard = change.bench.rig.heardLeft
    let second = change.index + 44_100 / 2
    #expect(abs(Self.gain(heard[change.index - 4410..<change.index]) + 20) < 0.1)
    // In half a second already.
    #expect(abs(Self.gain(heard[second - 4410..<second]) + 10) < 0.1)
    #expect(RiseAndFallTests.greatestStep(heard[...]) < RiseAndFallTests.steepest(.left, gain: -10))
    #expect(change.bench.rig.runs.count == 1)
  }

  @Test("a hundred in a row end at the last")
  func manyInARow() throws {
    let change = try Self.play { aid in
      for gain in stride(from: -30.0, through: -10.2, by: 0.2) {
        try aid.apply(LiveBench.hearing(gain: gain))
      }
      try aid.apply(LiveBench.hearing(gain: -15))
    }
    let heard = change.bench.rig.heardLeft
    #expect(abs(Self.gain(heard[change.index + 22_050..<change.index + 26_460]) + 15) < 0.1)
    #expect(RiseAndFallTests.greatestStep(heard[...]) < RiseAndFallTests.steepest(.left, gain: -10))
  }

  @Test("that cannot be used are refused with the reason; the former ones keep sounding")
  func refused() throws {
    let change = try Self.play { aid in
      #expect(throws: FittingFailure.chain(.gainOutOfRange(band: 0, limit: 80))) {
        try aid.apply(LiveBench.hearing(gain: 90).calibrated())
      }
      var slow = LiveBench.hearing(gain: -10)
      slow.dynamics.attack = 100
      #expect(
        throws: FittingFailure.chain(
          .outOfRange(.time, name: "attack", found: 100, range: Dynamics.attackRange))
      ) { try aid.apply(slow) }
      var loud = LiveBench.hearing(gain: -10)
      loud.maximumOutput = SoundPressureLevel(140)
      #expect(throws: FittingFailure.self) { try aid.apply(loud) }
      var deaf = LiveBench.hearing(gain: -10)
      deaf.rule = NALR()
      deaf.audiograms?.right = try Audiogram(air: [4000: 40])
      #expect(throws: FittingFailure.rule(.right, .insufficientThresholds(measured: [4000]))) {
        try aid.apply(deaf)
      }
    }
    #expect((change.aid.currentSettings.hearing.rule as? FlatRule)?.gain.left == -20)
    let heard = change.bench.rig.heardLeft
    #expect(abs(Self.gain(heard[change.index + 8820..<change.index + 13_230]) + 20) < 0.1)
    #expect(RiseAndFallTests.greatestStep(heard[...]) < RiseAndFallTests.steepest(.left))
  }

  @Test(
    "with other bands wait for the next start, and later ones with those bands do not disturb the sound")
  func otherBands() throws {
    let few = try BandLayout(centres: [250, 1000, 4000])
    let change = try Self.play { aid in
      var other = LiveBench.hearing(gain: -10)
      other.bands = few
      let isAtOnce = try aid.apply(other)
      other.rule = FlatRule(gain: Binaural(both: -5))
      let isSecondAtOnce = try aid.apply(other)
      #expect(!isAtOnce && !isSecondAtOnce)
    }
    #expect(change.aid.currentSettings.hearing.bands == few)
    let heard = change.bench.rig.heardLeft
    #expect(abs(Self.gain(heard[change.index + 8820..<change.index + 13_230]) + 20) < 0.1)
    #expect(change.bench.rig.runs.count == 1)

    // The next start uses them.
    let from = heard.count
    change.bench.before(block: change.bench.blocks + 300) { change.bench.stop.request() }
    try change.aid.start()
    #expect(eventually { change.aid.state == .stopped })
    let again = change.bench.rig.heardLeft
    #expect(abs(Self.gain(again[from + 8820..<from + 13_230]) + 5) < 0.1)
  }

  @Test("given while stopped are heard from the next start; unusable ones are refused then already")
  func whileStopped() throws {
    let bench = try LiveBench()
    let aid = bench.aid()
    #expect(try aid.apply(LiveBench.hearing(gain: -10)) == false)
    #expect(throws: FittingFailure.self) { try aid.apply(LiveBench.hearing(gain: 90).calibrated()) }
    bench.before(block: 300) { bench.stop.request() }
    try aid.start()
    #expect(eventually { aid.state == .stopped })
    #expect(abs(Self.gain(bench.rig.heardLeft[8820..<13_230]) + 10) < 0.1)
  }

  @Test("given while the devices are being opened are heard, too")
  func whileOpening() throws {
    let bench = try LiveBench()
    let aid = bench.aid()
    bench.beforeOpening { _ in
      do { _ = try aid.apply(LiveBench.hearing(gain: -10)) } catch { Issue.record(error) }
    }
    bench.before(block: 300) { bench.stop.request() }
    try aid.start()
    #expect(eventually { aid.state == .stopped })
    #expect(abs(Self.gain(bench.rig.heardLeft[8820..<13_230]) + 10) < 0.1)
  }

  @Test("given between the loop's look at the settings and the first sound are heard, too")
  func whileBuilding() throws {
    let bench = try LiveBench()
    let looks = Atomic<Int>(0)
    let settings: @Sendable () -> AidSettings = {
      // The first look sees what was; whatever control stored since is there at the second.
      let look = looks.add(1, ordering: .relaxed).oldValue
      return AidSettings(
        hearing: LiveBench.hearing(gain: look == 0 ? -20 : -10), captureName: "fake", playbackName: "fake",
        ramp: LiveBench.rise)
    }
    bench.before(block: 300) { bench.stop.request() }
    bench.run(settings)
    #expect(abs(Self.gain(bench.rig.heardLeft[8820..<13_230]) + 10) < 0.1)
  }

  @Test("survive a device that was lost")
  func afterLoss() throws {
    let bench = try LiveBench()
    let aid = bench.aid()
    bench.before(block: 150) {
      do { _ = try aid.apply(LiveBench.hearing(gain: -10)) } catch { Issue.record(error) }
      bench.rig.unplug()
    }
    bench.beforeOpening { if $0 == 2 { bench.rig.replug() } }
    bench.before(block: 450) { bench.stop.request() }
    try aid.start()
    #expect(eventually { aid.state == .stopped })
    let start = bench.rig.runs[1].index
    #expect(abs(Self.gain(bench.rig.heardLeft[start + 8820..<start + 13_230]) + 10) < 0.1)
  }
}

extension HearingSettings {
  /// The same with both ends measured: 0 dB FS is 120 dB SPL.
  func calibrated() -> HearingSettings {
    var settings = self
    let device = DeviceCalibration(device: "bench", date: nil, status: .verified)
    guard let flat = try? Sensitivity(flat: SoundPressureLevel(120)),
      let microphones = try? InputCalibration(device: device, channels: [flat])
    else { return settings }
    settings.microphones = microphones
    settings.earphones = OutputCalibration(device: device, sensitivity: Binaural(both: flat))
    return settings
  }
}
