import Acoustics
import AudioIO
import Glibc
import Realtime
import Testing

@testable import AudioIOTesting
@testable import Engine
@testable import EngineTesting

/// Sound comes from silence and goes to silence, never by a step.
@Suite("Rise and fall of the sound") struct RiseAndFallTests {
  /// Greatest difference of neighbouring samples: the 1 kHz sine's steepest slope, and the steepest ramp's,
  /// which is 1.5 times its mean. 2 % more for the gain window's accuracy.
  static func steepest(_ ear: Ear, gain: Double = -20) -> Float {
    let amplitude = Double(LiveBench.amplitude[ear]) * pow(10, gain / 20)
    return Float(
      1.02 * amplitude * (2 * sin(.pi * 1000 / LiveBench.rate) + 1.5 / Double(LiveBench.fallFrames)))
  }

  /// Greatest difference of neighbouring samples.
  static func greatestStep(_ samples: ArraySlice<Float>) -> Float {
    zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0
  }

  @Test(
    "start: three periods of exact silence, then the ramp; stop: the sound falls and nothing of it is cut")
  func startAndStop() throws {
    let bench = try LiveBench()
    bench.run(until: 200)
    FaultRecoveryTests.expectSoundReturned(bench)
    #expect(!bench.rig.capture.isOpen && !bench.rig.playback.isOpen)
    for ear in Ear.allCases {
      let heard = bench.heard(ear)
      #expect(Self.greatestStep(heard[...]) < Self.steepest(ear))
      // The last that is heard is silence, and all that was made before it was heard.
      #expect(heard.suffix(LiveBench.period).allSatisfy { $0 == 0 })
      let written = ear == .left ? bench.rig.writtenLeft : bench.rig.writtenRight
      #expect(written.count { $0 != 0 } == heard.count { $0 != 0 })
    }
  }

  @Test(
    "a latency that is put right while sound flows is faded out and rises again, without a step and without unprocessed sound",
    arguments: [-1, 1])
  func correction(periods: Int) throws {
    let bench = try LiveBench()
    bench.rig.captureLag = Double(-periods * LiveBench.period) / LiveBench.rate
    bench.run(until: 400)
    #expect(bench.restarts == [.misaligned(periods: periods)])
    #expect(bench.latencies.last == LiveBench.prefill)
    for ear in Ear.allCases {
      let heard = bench.heard(ear)
      // The sine's slope, and that of a fade over one block.
      let amplitude = LiveBench.amplitude[ear] * LiveBench.factor
      #expect(Self.greatestStep(heard[...]) < Self.steepest(ear) + amplitude / Float(LiveBench.period))
      #expect(heard.allSatisfy { abs($0) <= 1.01 * amplitude })
      let end = heard.count - 2 * LiveBench.fallFrames
      #expect(abs(LiveBench.amplitude(of: heard[end - 4410..<end]) / Double(amplitude) - 1) < 0.01)
    }
    #expect(bench.state.reading.load().counters.corrections == 1)
  }

  @Test("a longer rise takes its time")
  func longRise() throws {
    let bench = try LiveBench { $0.ramp = 0.5 }
    bench.run(until: 500)
    let heard = bench.rig.heardLeft
    let full = Double(LiveBench.amplitude.left * LiveBench.factor)
    // Half of the way, 0.25 s, is half of the sound: 3/4 − 2/8.
    let half = LiveBench.prefill + 11_025
    #expect(abs(LiveBench.amplitude(of: heard[half - 441..<half + 441]) / full - 0.5) < 0.02)
    #expect(abs(LiveBench.amplitude(of: heard[24_000..<28_410]) / full - 1) < 0.01)
  }

  @Test("mute: silent within 20 ms and the latency; unmute: rises again")
  func mute() throws {
    let bench = try LiveBench()
    var (mutedAt, unmutedAt) = (0, 0)
    bench.before(block: 120) {
      mutedAt = bench.rig.heardLeft.count
      bench.state.isMuted.store(true, ordering: .relaxed)
    }
    bench.before(block: 220) {
      unmutedAt = bench.rig.heardLeft.count
      bench.state.isMuted.store(false, ordering: .relaxed)
    }
    bench.run(until: 380)
    FaultRecoveryTests.expectSoundReturned(bench)
    for ear in Ear.allCases {
      let heard = bench.heard(ear)
      #expect(Self.greatestStep(heard[...]) < Self.steepest(ear))
      // 20 ms of ramp, what was in the buffer, and the block that was on its way.
      let silentFrom = mutedAt + LiveBench.fallFrames + LiveBench.prefill + LiveBench.period
      #expect(heard[silentFrom..<unmutedAt + LiveBench.prefill].allSatisfy { $0 == 0 })
      #expect(heard[mutedAt..<mutedAt + LiveBench.fallFrames].contains { $0 != 0 })
      let full = LiveBench.amplitude[ear] * LiveBench.factor
      for n in unmutedAt..<unmutedAt + LiveBench.riseFrames {
        #expect(abs(heard[n]) <= 1.01 * full * LiveBench.riseFactor(n - unmutedAt + 1) + 1e-7)
      }
    }
  }

  @Test("a fault while muted does not unmute")
  func mutedFault() throws {
    let bench = try LiveBench()
    bench.state.isMuted.store(true, ordering: .relaxed)
    bench.before(block: 50) { bench.rig.schedule(ScriptedFault(.playback, .write, .fail(.xrun))) }
    bench.before(block: 100) { bench.rig.unplug() }
    bench.beforeOpening { if $0 == 2 { bench.rig.replug() } }
    bench.run(until: 200)
    #expect(bench.restarts.count == 1)
    #expect(bench.losses.count == 1)
    #expect(bench.rig.heardLeft.allSatisfy { $0 == 0 })
    #expect(bench.rig.heardRight.allSatisfy { $0 == 0 })
  }

  @Test("muted stays through stop and start")
  func mutedThroughRestart() throws {
    let bench = try LiveBench()
    let aid = bench.aid()
    aid.mute()
    try aid.start()
    #expect(eventually { aid.state == .muted })
    #expect(eventually { aid.reading.counters.blocks > 100 })
    aid.stop()
    #expect(aid.state == .stopped)
    #expect(aid.isMuted)
    try aid.start()
    #expect(eventually { aid.state == .muted && aid.reading.counters.blocks > 100 })
    #expect(aid.reading.isSilent)
    aid.stop()
    #expect(bench.rig.heardLeft.allSatisfy { $0 == 0 })
    aid.unmute()
    try aid.start()
    #expect(eventually { aid.state == .running && !aid.reading.isSilent })
    // 0 dB FS is 120 dB SPL on both sides: −26 dB FS in, 20 dB less out.
    #expect(eventually { abs(aid.reading.meters.left.outputLevel - (120 - 26.02 - 20)) < 0.5 })
    aid.stop()
  }

  @Test("stop before the rise is over falls from where it is")
  func stopWhileRising() throws {
    let bench = try LiveBench { $0.ramp = 0.5 }
    bench.run(until: 100)
    #expect(Self.greatestStep(bench.rig.heardLeft[...]) < Self.steepest(.left))
    #expect(bench.rig.heardLeft.suffix(LiveBench.period).allSatisfy { $0 == 0 })
    #expect(!bench.rig.playback.isOpen)
  }

  @Test("a device that stands still is not waited for when the aid is stopped")
  func stopFrozen() throws {
    let bench = try LiveBench()
    bench.before(block: 100) {
      bench.rig.freeze()
      bench.stop.request()
    }
    bench.run(until: 10_000)
    #expect(!bench.ranAway)
    #expect(bench.state.state == .stopped)
    #expect(!bench.rig.playback.isOpen)
  }

  @Test("a device that is gone is not waited for when the aid is stopped")
  func stopGone() throws {
    let bench = try LiveBench()
    bench.before(block: 100) {
      bench.rig.unplug()
      bench.stop.request()
    }
    bench.run(until: 10_000)
    #expect(!bench.ranAway)
    #expect(bench.attempts.count == 1)
    #expect(bench.state.state == .stopped)
  }
}
