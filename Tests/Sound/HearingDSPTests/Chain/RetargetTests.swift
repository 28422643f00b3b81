import Acoustics
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Change from one prescription to another") struct RetargetTests {
  static let frequency = 500.0
  static let level = 60.0

  static func rig(gain: Double) throws -> ChainRig {
    var rig = try ChainRig(Binaural(both: ChainRig.ear(try ChainRig.flat(gain))))
    _ = rig.run(Signal.tone(frequency, level: level, count: rig.count(0.5)))
    return rig
  }

  static func ears(_ gain: Double, limit: Double = 120) throws -> Binaural<EarFitting> {
    Binaural(both: ChainRig.ear(try ChainRig.flat(gain), limit: limit))
  }

  /// A tone that runs on over calls, in whole periods per call: 441 samples are five periods of 500 Hz.
  static func tone(_ rig: borrowing ChainRig, periods: Int = 64) -> [Float] {
    Signal.tone(frequency, level: level, count: 441 * periods)
  }

  /// Gain of each block's tone, dB, from its envelope, over the frames run.
  static func gains(_ output: [Float]) -> [Double] {
    Measure.envelope(output, frequency: frequency).map {
      20 * log10(max($0, 1e-9) / Signal.amplitude(level))
    }
  }

  @Test("the new gain is reached within 0.1 s, and stays")
  func reaches() throws {
    for (from, to) in [(0.0, 40.0), (40, 0), (-30, 30)] {
      var rig = try Self.rig(gain: from)
      rig.chain.retarget(to: try rig.parameters(Self.ears(to)))
      let output = rig.run(Self.tone(rig)).left
      let gains = Self.gains(output)
      #expect(gains[Int(0.11 * 44_100)..<25_000].allSatisfy { abs($0 - to) < 0.3 })
    }
  }

  @Test("on the way gain moves steadily in dB and never beyond either end")
  func steadily() throws {
    var rig = try Self.rig(gain: 0)
    rig.chain.retarget(to: try rig.parameters(Self.ears(40)))
    var last = 0.0
    for block in 0..<80 {
      _ = rig.run(Array(Self.tone(rig)[block * 64..<block * 64 + 64]))
      let gain = Double(rig.chain.meters.left.insertionGain[3])
      #expect(gain >= last - 0.01 && gain <= 40.01)
      // 40 dB in 0.1 s is 0.58 dB per hop on average; 3p² − 2p³ is 1.5 times as steep in its middle.
      #expect(gain - last <= 0.88)
      last = gain
    }
    #expect(abs(last - 40) < 0.01)
  }

  @Test("a change in the midst of another starts from the gain in force, without a step")
  func interrupted() throws {
    var rig = try Self.rig(gain: 0)
    rig.chain.retarget(to: try rig.parameters(Self.ears(40)))
    _ = rig.run(Signal.tone(Self.frequency, level: Self.level, count: 64 * 30))
    let midway = Double(rig.chain.meters.left.insertionGain[3])
    #expect(midway > 10 && midway < 30)
    rig.chain.retarget(to: try rig.parameters(Self.ears(-20)))
    _ = rig.run(Signal.tone(Self.frequency, level: Self.level, count: 64))
    let next = Double(rig.chain.meters.left.insertionGain[3])
    // From about 17 dB to −20 dB in 69 hops.
    #expect(abs(next - midway) < 0.7, "\(midway) → \(next)")
    _ = rig.run(Signal.tone(Self.frequency, level: Self.level, count: 64 * 75))
    #expect(abs(Double(rig.chain.meters.left.insertionGain[3]) + 20) < 0.01)
  }

  @Test("a change between two very different prescriptions makes no click")
  func clickless() throws {
    let n7 = try NALRPCompressive(compressionRatio: 1, expansionRatio: 1)
      .curves(for: StandardAudiogram.n7.audiogram, bands: .standard)
    var rig = try Self.rig(gain: -20)
    rig.chain.retarget(to: try rig.parameters(Binaural(both: ChainRig.ear(n7))))
    // 40 dB SPL, so that N7's gain stays below the limit.
    let input = Signal.tone(Self.frequency, level: 40, count: 64 * 200)
    let output = rig.run(input).left
    // The third difference weighs high frequencies, where a click is and a 500 Hz tone is not. The
    // strongest window has corners of its own where hops meet; what counts is that the way to it has none
    // much sharper.
    var differences = output.map { Double($0) }
    for _ in 0..<3 { differences = zip(differences.dropFirst(), differences).map { $0 - $1 } }
    let onTheWay = differences[0..<64 * 80].reduce(0) { max($0, abs($1)) }
    let afterwards = differences[(64 * 100)...].reduce(0) { max($0, abs($1)) }
    #expect(onTheWay < 1.2 * afterwards, "\(onTheWay / afterwards)")
    // And the way between two flat gains, whose windows have no corners, has none at all.
    rig = try Self.rig(gain: -20)
    rig.chain.retarget(to: try rig.parameters(Self.ears(30)))
    let flat = rig.run(Signal.tone(Self.frequency, level: 60, count: 64 * 100)).left
    differences = flat.map { Double($0) }
    for _ in 0..<3 { differences = zip(differences.dropFirst(), differences).map { $0 - $1 } }
    // The third difference of a tone of amplitude A is A·(2 sin(ω/2))³; the gain moves in lines over each
    // hop, whose corners of a few hundredths per hop add as much again.
    let amplitude = Signal.amplitude(90)
    let own = amplitude * pow(2 * sin(.pi * Self.frequency / 44_100), 3)
    #expect(differences.reduce(0) { max($0, abs($1)) } < 4 * own)
  }

  /// Greatest and least gain of the 500 Hz band on a way of 1.5 s that begins at one level, after the sound has changed to another.
  static func gains(
    from old: [GainCurve], to new: [GainCurve], at first: Double, then second: Double
  ) throws -> ClosedRange<Double> {
    var rig = try ChainRig(Binaural(both: ChainRig.ear(old)))
    _ = rig.run(Signal.tone(frequency, level: first, count: rig.count(2)))
    var treatment = Treatment.plain
    treatment.transition = 1.5
    rig.chain.retarget(
      to: try ChainParameters(
        Binaural(both: ChainRig.ear(new)), dynamics: Dynamics(), treatment: treatment, bands: rig.bands,
        geometry: rig.geometry))
    _ = rig.run(Signal.tone(frequency, level: first, count: 64 * 69))
    // 50 ms: ten times the attack of 5 ms.
    _ = rig.run(Signal.tone(frequency, level: second, count: 64 * 35))
    var (least, greatest) = (Double.infinity, -Double.infinity)
    for _ in 0..<1000 {
      _ = rig.run(Signal.tone(frequency, level: second, count: 64))
      let gain = Double(rig.chain.meters.left.insertionGain[3])
      (least, greatest) = (min(least, gain), max(greatest, gain))
    }
    return least...greatest
  }

  static func curve(_ knots: [(level: Double, gain: Double)], above: Double) throws -> [GainCurve] {
    let curve = try GainCurve(
      knots: knots.map { GainCurve.Knot(level: SoundPressureLevel($0.level), gain: $0.gain) },
      slopeAbove: above)
    return BandLayout.standard.centres.map { _ in curve }
  }

  @Test(
    "begun in a pause, a way to a linear setting gives loud sound no more than the larger of both: 10 and 20 dB"
  )
  func begunInPause() throws {
    // 40 dB of gain at 40 dB SPL, 10 at 80.
    let gains = try Self.gains(
      from: Self.curve([(40, 40)], above: -0.75), to: ChainRig.flat(20), at: 40, then: 80)
    // A block of 64 samples holds 0.7 periods of the tone, by which the level read moves some tenths of a dB.
    #expect(gains.lowerBound > 9 && gains.upperBound < 20.5, "\(gains)")
  }

  @Test(
    "turned down while speech is loud, no softer sound gets more than the 25 dB at which both settings are held"
  )
  func heldBelowFeedback() throws {
    // 45, 30 and 20 dB at 40, 65 and 80 dB SPL, and the same less 20, both held to 25 dB.
    let old = try Self.curve([(72.5, 25), (80, 20)], above: -2.0 / 3)
    let new = try Self.curve([(40, 25), (65, 10), (80, 0)], above: -2.0 / 3)
    let gains = try Self.gains(from: old, to: new, at: 65, then: 40)
    #expect(gains.upperBound < 25.1, "\(gains)")
  }

  @Test("a lower output limit holds at once, and sound never exceeds it on the way")
  func lowerLimit() throws {
    var rig = try Self.rig(gain: 40)
    rig.chain.retarget(to: try rig.parameters(Self.ears(40, limit: 80)))
    let output = rig.run(Self.tone(rig)).left
    #expect(Double(Measure.peak(output)) <= Signal.amplitude(80) * 1.000_001)
    // The first 10 ms hold the fall itself.
    #expect(Measure.greatestLevel(output, over: 0.01) <= 80.5)
  }

  @Test("another calibration of the microphone moves gain smoothly too")
  func recalibrated() throws {
    var rig = try Self.rig(gain: 20)
    var ears = try Self.ears(20)
    ears.left.inputAtFullScale = SoundPressureLevel(110)
    ears.right.inputAtFullScale = SoundPressureLevel(110)
    rig.chain.retarget(to: try rig.parameters(ears))
    let output = rig.run(Self.tone(rig)).left
    let gains = Self.gains(output)
    // The same samples now mean 10 dB less sound: so do those that go out.
    #expect(abs(gains[20_000] - 10) < 0.2)
    #expect(abs(gains[64] - 20) < 0.7)
  }

  @Test("changing a hundred times a second is safe and ends at the last setting")
  func storm() throws {
    var rig = try Self.rig(gain: 0)
    let settings = try [0.0, 60, -40, 30, 80].map { try rig.parameters(Self.ears($0, limit: 90)) }
    let tone = Self.tone(rig)
    var start = 0
    for index in 0..<200 {
      rig.chain.retarget(to: settings[index % settings.count])
      let output = rig.run(Array(tone[start % 20_000..<start % 20_000 + 64 * 7])).left
      #expect(Measure.isFinite(output) && Double(Measure.peak(output)) <= Signal.amplitude(120) * 1.000_001)
      start += 64 * 7
    }
    rig.chain.retarget(to: try rig.parameters(Self.ears(10)))
    _ = rig.run(Signal.tone(Self.frequency, level: Self.level, count: rig.count(0.5)))
    #expect(abs(rig.chain.meters.left.insertionGain[3] - 10) < 0.01)
  }
}
