import Acoustics
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Rise from silence and fall to it") struct RampTests {
  static func rig(rise: Double = 0.3, open: Bool = true) throws -> ChainRig {
    var rig = try ChainRig(Binaural(both: ChainRig.ear(try ChainRig.flat(0))), rise: rise)
    if !open { rig.chain.close() }
    return rig
  }

  /// Instantaneous amplitude of what comes out for a 1 kHz tone, relative to what goes in.
  static func envelope(_ rig: inout ChainRig, seconds: Double) -> [Double] {
    let tone = Signal.tone(1000, level: 90, count: rig.count(seconds))
    let output = rig.run(tone).left
    return Measure.envelope(output, frequency: 1000).map { $0 / Signal.amplitude(90) }
  }

  @Test("a chain that was not opened is silent and says so")
  func closed() throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    let ears = Binaural(both: ChainRig.ear(try ChainRig.flat(0)))
    let parameters = try ChainParameters(ears, dynamics: Dynamics(), bands: .standard, geometry: geometry)
    let chain = try LimitedChain(geometry: geometry, bands: .standard, parameters: parameters)
    let isSilent = chain.isSilent
    #expect(isSilent)
    var rig = try Self.rig(open: false)
    let output = rig.run(Signal.tone(1000, level: 90, count: rig.count(0.2)))
    #expect(output.left.allSatisfy { $0 == 0 })
  }

  @Test("sound rises from silence without a step down and is full after the rise")
  func rises() throws {
    var rig = try Self.rig(rise: 0.3)
    let envelope = Self.envelope(&rig, seconds: 0.5)
    #expect(envelope[0] < 1e-6)
    let isSilent = rig.chain.isSilent
    #expect(!isSilent)
    // Half-way the raised cosine is at one half.
    #expect(abs(envelope[Int(0.15 * 44_100)] - 0.5) < 0.02)
    let steps = zip(envelope.dropFirst(), envelope).map { $0 - $1 }
    // The steepest step of 3x² − 2x³ is 1.5 of the mean one; an envelope read from two samples of a rising
    // tone errs by as much again.
    #expect(steps.allSatisfy { $0 > -2 / (0.3 * 44_100) && $0 < 4 / (0.3 * 44_100) })
    #expect(envelope[Int(0.301 * 44_100)...].allSatisfy { abs($0 - 1) < 0.001 })
  }

  @Test("a rise shorter than 0.05 s is not granted")
  func shortestRise() throws {
    var rig = try Self.rig(rise: 0)
    let envelope = Self.envelope(&rig, seconds: 0.1)
    #expect(envelope[Int(0.024 * 44_100)] < 0.5)
    #expect(abs(envelope[Int(0.051 * 44_100)] - 1) < 0.001)
  }

  @Test("closing falls to exact silence within 20 ms, without a click")
  func falls() throws {
    var rig = try Self.rig(rise: 0.05)
    _ = Self.envelope(&rig, seconds: 0.2)
    rig.chain.close()
    let tone = Signal.tone(1000, level: 90, count: rig.count(0.1))
    let output = rig.run(tone).left
    let fallen = Int(0.02 * 44_100) + 1
    #expect(output[fallen...].allSatisfy { $0 == 0 })
    let isSilent = rig.chain.isSilent
    #expect(isSilent)
    let amplitude = Float(Signal.amplitude(90))
    // No step is larger than the tone's own steepest, 2πf/fs, and the ramp's.
    let steepest = Double(amplitude) * (2 * .pi * 1000 / 44_100 + 1.5 / (0.02 * 44_100))
    let steps = (1..<output.count).map { output[$0] - output[$0 - 1] }
    #expect(Double(Measure.peak(steps)) <= steepest * 1.01)
  }

  @Test("opening again half-way down rises from where the sound is")
  func reopens() throws {
    var rig = try Self.rig(rise: 0.05)
    _ = Self.envelope(&rig, seconds: 0.2)
    rig.chain.close()
    let down = Self.envelope(&rig, seconds: 0.0087)
    rig.chain.open()
    let up = Self.envelope(&rig, seconds: 0.1)
    let last = try #require(down.dropLast(64).last)
    #expect(last > 0.2 && last < 0.9)
    #expect(up[100] > 0.2 && up[100] < 0.95)
    #expect(abs(up[Int(0.06 * 44_100)] - 1) < 0.001)
  }

  @Test("a restart is silent at once, forgets the sound before it and rises again")
  func restarts() throws {
    var rig = try Self.rig(rise: 0.05)
    _ = Self.envelope(&rig, seconds: 0.2)
    rig.chain.restart()
    // What went before the restart must not be heard after it: silence in, silence out.
    let quiet = rig.run(Signal.silence(64 * 4)).left
    #expect(quiet.allSatisfy { $0 == 0 })
    rig.chain.restart()
    let envelope = Self.envelope(&rig, seconds: 0.1)
    #expect(envelope[0] < 1e-5)
    #expect(abs(envelope[Int(0.052 * 44_100)] - 1) < 0.001)
  }

  @Test("a restart of a closed chain stays silent")
  func restartsClosed() throws {
    var rig = try Self.rig(open: false)
    rig.chain.restart()
    #expect(rig.run(Signal.tone(1000, level: 90, count: rig.count(0.3))).left.allSatisfy { $0 == 0 })
    let isSilent = rig.chain.isSilent
    #expect(isSilent)
  }

  @Test("gain after a restart begins low and is released upwards, never the other way")
  func startsLow() throws {
    let ear = ChainRig.ear(try ChainRig.compressive(3, gain: 40))
    var rig = try ChainRig(Binaural(both: ear), dynamics: Dynamics(attack: 0.005, release: 0.2))
    var last: Float = -100
    let tone = Signal.tone(1000, level: 50, count: 64 * 200)
    for start in stride(from: 0, to: tone.count, by: 64) {
      _ = rig.run(Array(tone[start..<start + 64]))
      let gain = rig.chain.meters.left.insertionGain[5]
      #expect(gain >= last - 0.05)
      last = gain
    }
    // 40 dB at the knee of 40 dB SPL, 10 dB above it two thirds less: 33.3 dB, approached within the
    // release.
    #expect(last > 25 && last < 34)
  }

  @Test("the rise is as slow when the limiter is at work: a loud sound does not jump to the limit")
  func risesBelowTheLimiter() throws {
    let loud = ChainRig.ear(try ChainRig.flat(40), limit: 80)
    var rig = try ChainRig(Binaural(both: loud), rise: 2)
    let output = rig.run(Signal.tone(1000, level: 100, count: rig.count(1))).left
    let peak = Signal.amplitude(80)
    for (n, sample) in output.enumerated() {
      let x = Double(n + 1) / (2 * 44_100)
      // The limit's own peak times 3x² − 2x³; x is added up in Float, 44,100 roundings of up to 3e-8 each.
      #expect(abs(Double(sample)) <= peak * x * x * (3 - 2 * x) * 1.003)
    }
  }

  @Test("a lifted limit lets go of a sound at 100 dB per second, a lowered one holds it at once")
  func liftedLimit() throws {
    let curves = try ChainRig.flat(40)
    var rig = try ChainRig(Binaural(both: ChainRig.ear(curves, limit: 70)))
    _ = rig.run(Signal.tone(1000, level: 80, count: rig.count(0.5)))
    rig.chain.retarget(to: try rig.parameters(Binaural(both: ChainRig.ear(curves, limit: 115))))
    let rising = rig.run(Signal.tone(1000, level: 80, count: rig.count(0.6))).left
    for n in rising.indices {
      // Half a hop of grace: the limit moves in steps of one.
      let allowed = 70 + 100 * (Double(n) / 44_100 + 64 / 44_100)
      #expect(abs(Double(rising[n])) <= Signal.amplitude(allowed) * 1.001)
    }
    #expect(abs(Double(rising.suffix(2000).map(abs).max() ?? 0) / Signal.amplitude(115) - 1) < 0.1)
    rig.chain.retarget(to: try rig.parameters(Binaural(both: ChainRig.ear(curves, limit: 70))))
    let lowered = rig.run(Signal.tone(1000, level: 80, count: rig.count(0.2))).left
    #expect(lowered.allSatisfy { abs(Double($0)) <= Signal.amplitude(70) * 1.001 })
  }
}
