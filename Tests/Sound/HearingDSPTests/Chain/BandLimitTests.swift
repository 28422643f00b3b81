import Acoustics
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// How quickly a band's own limit takes hold: it goes by the power of ``LevelMemory/exposureTime``, so that it holds what
/// lasts and leaves short peaks to the limit of all bands together.
@Suite("Band limit in time") struct BandLimitTests {
  static let gain = 30.0
  static let limit = 90.0
  /// Above the limit by 10 dB after the gain.
  static let level = 70.0

  /// Half a second of silence, then a tone of 1 kHz; what comes out from its beginning on.
  static func output(bandLimit: Double, frames: Int) throws -> [Float] {
    let curves = try ChainRig.flat(gain)
    var rig = try ChainRig(Binaural(both: ChainRig.ear(curves, limit: 98, bandLimit: bandLimit)))
    let start = rig.count(0.5)
    let sound = Signal.tone(1000, level: level, count: frames)
    return Array(rig.run(Signal.silence(start) + sound + Signal.silence(64 * 20)).left[start...])
  }

  @Test("a tone 10 dB above it is held within 0.5 dB after 2.4 times its time constant")
  func lasting() throws {
    let output = try Self.output(bandLimit: Self.limit, frames: 64 * 690)
    // The average has risen to 1 − e^−t/τ of the tone's power, and the gain is what it leaves: 0.4 dB too much at 2.4 τ
    // = 84 ms, and half an analysis window, 6 ms, until the level itself is read.
    let settled = Int((2.4 * LevelMemory.exposureTime + 0.006) * 44_100)
    #expect(Measure.greatestLevel(Array(output[settled...(64 * 680)]), over: 0.01) <= Self.limit + 0.5)
  }

  @Test("until then the limit of all bands together holds it")
  func meanwhile() throws {
    let output = try Self.output(bandLimit: Self.limit, frames: 64 * 690)
    #expect(Double(Measure.peak(output)) <= Signal.amplitude(98) * 1.000_001)
    #expect(Measure.greatestLevel(output, over: 0.01) <= 98.5)
  }

  @Test("of a tone of 3 ms at 10 dB above it nothing is taken")
  func short() throws {
    // 1 − e^−3/35 of its power is 10.9 dB below it.
    let frames = Int(0.003 * 44_100)
    let held = try Self.output(bandLimit: Self.limit, frames: frames)
    let free = try Self.output(bandLimit: 120, frames: frames)
    let residual = zip(held, free).map { $0 - $1 }
    #expect(Measure.level(of: residual[...]) - Measure.level(of: free[...]) < -40)
  }
}
