import Acoustics
import AudioIO
import AudioIOTesting
import CommonTesting
import Fitting
import Glibc
import HearingDSP
import Testing

@testable import Engine
@testable import EngineTesting

/// Music at 48 kHz into an aid at 44.1 kHz, with clocks apart.
@Suite("Streamed sound and clocks") struct StreamingClockTests {
  static let frequencies: [Double] = [250, 500, 1000, 2000, 4000, 6000]
  /// Amplitude of each: together below full scale.
  static let amplitude: Float = 0.1

  /// Seconds of sound; `make trials` lets it be the half hour of the issue.
  static var seconds: Double {
    getenv("AURICLE_STREAM_SECONDS").flatMap { Double(String(cString: $0)) } ?? 30
  }

  /// Fitted with a linear rule, whose target is one gain for each frequency, and calibrated, so that nothing is held.
  static func hearing() throws -> HearingSettings {
    var hearing = HearingSettings(
      audiograms: Binaural(left: StandardAudiogram.n2.audiogram, right: StandardAudiogram.n3.audiogram))
    hearing.plan = try HearingSettings.plan(by: .nalRP)
    return hearing.calibrated()
  }

  @Test(
    "no drop-out, level and spectrum within 0.5 dB of the target, the delay of the microphones as before",
    arguments: cases([-100.0, 100, 300]))
  func apart(drift: Double) throws {
    let hearing = try Self.hearing()
    let bench = try StreamingBench(drift: drift, hearing: hearing, recordingCapacity: 1 << 16)
    bench.source.source = StreamingBench.tones(Self.frequencies, amplitude: Self.amplitude)
    // Of a long run only the last second is kept.
    let end = StreamingBench.blocks(drift == 100 ? Self.seconds : 30)
    bench.aid.rig.source = { _, _ in 0 }
    bench.aid.before(block: end - StreamingBench.blocks(1.3)) { bench.aid.rig.forgetRecording() }
    var missed: Int64 = -1
    bench.aid.before(block: end - 1) { missed = bench.played.interruptions }
    bench.aid.run(until: end)

    #expect(missed == 0 && bench.reading.losses == 0)
    #expect(bench.mishaps.isEmpty)
    let latencies = Set(bench.aid.latencies)
    #expect(latencies == [LiveBench.prefill], "\(latencies)")
    let found = try #require(bench.reading.drift.partsPerMillion)
    #expect(abs(found - drift) < 20, "\(found)")

    for ear in Ear.allCases {
      let heard = bench.aid.heard(ear).prefix(44_100)
      let fitting = try hearing.fitting(for: ear)
      for frequency in Self.frequencies {
        let band = try #require(hearing.bands.centres.firstIndex(of: frequency))
        let level = SoundPressureLevel(StreamingBench.fullScale + 20 * log10(Double(Self.amplitude)))
        let target = level + fitting.curves[band].gain(at: level) - fitting.outputAtFullScale[band]
        let found = 20 * log10(StreamingBench.amplitude(of: heard, near: frequency))
        #expect(abs(found - target) < 0.5, "\(ear) \(frequency) Hz: \(found) for \(target) dB FS")
      }
    }
  }

  @Test(
    "a device that delivers 4, 8 or 20 ms at once plays without a break, and its drift is told within 100 ppm",
    arguments: cases([0.004, 0.008, 0.02]), [-100.0, 100])
  func inBursts(time: Double, drift: Double) throws {
    let bench = try StreamingBench(drift: drift)
    bench.source.source = StreamingBench.tones([500], amplitude: 0.5)
    bench.source.setGranularity(.capture, Int(time * Double(StreamingBench.rate)))
    // The aid's own card as well: both are of one kernel.
    for side in StreamDirection.allCases { bench.aid.rig.setGranularity(side, 64) }
    let end = StreamingBench.blocks(20)
    bench.aid.rig.source = { _, _ in 0 }
    var missed: Int64 = -1
    bench.aid.before(block: end - 1) { missed = bench.played.interruptions }
    bench.aid.run(until: end)
    #expect(missed == 0 && bench.reading.losses == 0, "\(missed), \(bench.reading.losses)")
    let found = try #require(bench.reading.drift.partsPerMillion)
    #expect(abs(found - drift) < 100, "\(found)")
    // One delivery waits, besides what always does.
    #expect(bench.reading.delay > time && bench.reading.delay < time + 0.025, "\(bench.reading.delay)")
  }

  @Test("a thread that was late once waits for more when sound begins again, and is not late a second time")
  func late() throws {
    let bench = try StreamingBench(drift: 50)
    bench.source.source = StreamingBench.tones([500], amplitude: 0.5)
    bench.aid.rig.source = { _, _ in 0 }
    for second in [5.0, 10, 15] {
      bench.aid.before(block: StreamingBench.blocks(second)) { bench.isHeld = true }
      bench.aid.before(block: StreamingBench.blocks(second + 0.04)) { bench.isHeld = false }
    }
    var missed: [Int64] = []
    for second in [4.0, 9, 19] {
      bench.aid.before(block: StreamingBench.blocks(second)) { missed.append(bench.played.interruptions) }
    }
    bench.aid.run(until: StreamingBench.blocks(20))
    #expect(missed == [0, 1, 1], "\(missed)")
    let found = try #require(bench.reading.drift.partsPerMillion)
    #expect(abs(found - 50) < 20, "\(found)")
  }

  @Test(
    "a clock more than half a percent away, or another rate than said: silent, reported, and the aid goes on",
    arguments: cases([12_000.0, -12_000, 500_000, -400_000]))
  func outOfStep(drift: Double) throws {
    let bench = try StreamingBench(drift: drift)
    bench.source.source = StreamingBench.tones([500], amplitude: 0.5)
    bench.aid.rig.source = { _, _ in 0 }
    var reasons: Set<String> = []
    for block in stride(from: 100, to: StreamingBench.blocks(20), by: 100) {
      bench.aid.before(block: block) {
        if case .waiting(let reason) = bench.reading.state { reasons.insert(reason) }
      }
    }
    bench.aid.run(until: StreamingBench.blocks(20))
    let clock = "its clock differs by more than 0.5 % from the aid's"
    let rate = "it breaks off again and again: its rate is not what it says"
    #expect(!reasons.isEmpty && reasons.isSubset(of: [clock, rate]), "\(reasons)")
    // In pieces for some seconds at most, then silent until it is tried again.
    let levels = StreamingFaultTests.envelope(bench.aid.heard(.left))
    #expect(levels[700..<1000].allSatisfy { $0 < 1e-6 }, "\(reasons)")
    #expect(bench.mishaps.isEmpty && Set(bench.aid.latencies) == [LiveBench.prefill])
  }
}
