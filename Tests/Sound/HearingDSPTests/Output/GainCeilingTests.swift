import Acoustics
import Fitting
import Glibc
import Realtime
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Ceilings of the gain") struct GainCeilingTests {
  static let bands = BandLayout.standard

  /// An ear with the same curve in all bands; full scale of microphone and earphone in dB SPL.
  static func ear(
    _ curve: GainCurve, limit: Double = 120, bandLimit: Double = 120, input: Double = 120,
    output: Double = 110
  ) -> EarFitting {
    let count = bands.count
    return EarFitting(
      curves: [GainCurve](repeating: curve, count: count),
      bandLimits: [SoundPressureLevel](repeating: SoundPressureLevel(bandLimit), count: count),
      outputLimit: SoundPressureLevel(limit), inputAtFullScale: SoundPressureLevel(input),
      outputAtFullScale: [SoundPressureLevel](repeating: SoundPressureLevel(output), count: count))
  }

  /// Gains of one ear by itself.
  final class Rig {
    let geometry: ChainGeometry
    var gain: EarGain
    var relief: Buffer
    var power: Buffer

    init(_ ear: EarFitting) throws {
      geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
      let table = try EarTable(ear, dynamics: Dynamics(), bands: bands, geometry: geometry)
      gain = EarGain(table, geometry: geometry)
      relief = AlignedBuffer(count: table.stride)
      power = AlignedBuffer(count: table.stride)
    }

    func retarget(to ear: EarFitting) throws {
      gain.retarget(
        to: try EarTable(ear, dynamics: Dynamics(), bands: bands, geometry: geometry), relief: relief)
    }

    /// Hops of sound with a level in each band, dB SPL.
    func run(_ level: Double, relief attenuation: Float = 0, progress: Float = 1, hops: Int = 800) {
      for band in 0..<power.count {
        // A sine at full scale, 120 dB SPL, has the mean square 1/2.
        power[band] = Float(0.5 * pow(10, (level - 120) / 10))
        relief[band] = attenuation
      }
      for _ in 0..<hops {
        gain.processPower(power)
        // As two ears that are not linked.
        for band in 0..<gain.level.count { gain.formerLevel[band] = gain.level[band] }
        gain.processGains(relief: relief, progress: progress)
      }
    }

    /// Insertion gain and digital gain, dB, and what the band's limit takes, in every band.
    var found: [(insertion: Float, digital: Float, limiting: Float)] {
      (0..<bands.count).map {
        (gain.insertionGain[$0], gain.nepers[$0] / Decibel.nepers, gain.limiting[$0])
      }
    }
  }

  static func expect(
    _ rig: Rig, from first: Int = 0, insertion: Float, digital: Float, limiting: Float = 0,
    within tolerance: Float = 1e-3,
    at location: SourceLocation = #_sourceLocation
  ) {
    for (band, found) in rig.found.enumerated().dropFirst(first) {
      #expect(
        abs(found.insertion - insertion) <= tolerance && abs(found.digital - digital) <= tolerance
          && abs(found.limiting - limiting) <= tolerance, "band \(band): \(found)", sourceLocation: location
      )
    }
  }

  @Test("digital gain is insertion gain, less what is relieved, and microphone less earphone")
  func digital() throws {
    let rig = try Rig(Self.ear(try GainCurve(linear: 30)))
    rig.run(40)
    Self.expect(rig, insertion: 30, digital: 40)
    rig.run(40, relief: 5)
    Self.expect(rig, insertion: 25, digital: 35)
  }

  @Test("a band is held at its own limit, one that repeats the output limit 0.8 dB above it")
  func bandLimit() throws {
    let linear = try GainCurve(linear: 60)
    for (limit, bandLimit, expected) in [
      (120.0, 90.0, 90.0), (100, 100, 100.8), (100, 110, 100.8), (110, 109.5, 109.5),
    ] {
      let rig = try Rig(Self.ear(linear, limit: limit, bandLimit: bandLimit))
      rig.run(80)
      let level = Float(expected - 80)
      // Neighbours that are as loud are not counted for the limit, within a tenth of a dB; the first band, which has none below it, reads up
      // to 3 dB more.
      Self.expect(rig, from: 1, insertion: level, digital: level + 10, limiting: 60 - level, within: 0.1)
    }
    #expect(EarTable.limit(of: Self.ear(linear, limit: 100, bandLimit: 100), 0) == 100.8)
    #expect(EarTable.limit(of: Self.ear(linear, limit: 100, bandLimit: 99.9), 7) == 99.9)
  }

  // A coupler hears its response besides the gain; of a microphone it is part of the level that is read.
  @Test("a band's limit is less by the coupler's response, and more by the microphone's")
  func bandLimitResponses() throws {
    let count = Self.bands.count
    var ear = Self.ear(try GainCurve(linear: 0), limit: 110, bandLimit: 100)
    ear.couplerResponse = (0..<count).map { Double($0) }
    #expect(EarTable.limit(of: ear, 5) == 95)
    ear.microphoneResponse = [Double](repeating: 3, count: count)
    #expect(EarTable.limit(of: ear, 5) == 98)
  }

  @Test("digital gains stay within −120 and 120 dB")
  func digitalRange() throws {
    for (gain, input, output, expected) in [
      (Float(30), 180.0, 60.0, Float(120)), (0.5, 180, 60, 120), (-0.5, 180, 60, 119.5),
      (-50, 60, 180, -120), (0.5, 60, 180, -119.5),
    ] {
      let rig = try Rig(
        Self.ear(
          try GainCurve(linear: Double(gain)), limit: 60, bandLimit: 60, input: input, output: output))
      // Silence, which no limit holds.
      rig.run(-100)
      for found in rig.found { #expect(abs(found.digital - expected) < 1e-3, "\(gain): \(found)") }
    }
  }

  @Test("on the way to another setting a share of what the former one gave more is left")
  func transition() throws {
    let rig = try Rig(Self.ear(try GainCurve(linear: 79)))
    rig.run(30)
    let knots = [GainCurve.Knot(level: SoundPressureLevel(40), gain: 60)]
    try rig.retarget(to: Self.ear(try GainCurve(knots: knots, slopeAbove: -1)))
    for (progress, expected) in [(Float(0), Float(79)), (0.5, 69.5), (0.9, 61.9), (1, 60)] {
      rig.run(30, progress: progress)
      Self.expect(rig, insertion: expected, digital: expected + 10)
    }
  }

  @Test(
    "where the level has fallen since, the gain lies between both settings' at the level that there is now")
  func transitionLevel() throws {
    for former in [34.0, 41.7] {
      let rig = try Rig(Self.ear(try GainCurve(linear: former)))
      rig.run(79)
      try rig.retarget(to: Self.ear(try Self.falling()))
      // At 79 dB SPL the new setting gives 21 dB.
      rig.run(79, progress: 0, hops: 1)
      // The first band reads up to 3 dB more for its limit of 120 dB SPL.
      Self.expect(rig, from: 1, insertion: Float(former), digital: Float(former) + 10, within: 0.01)
      // In silence it gives 60.
      for (progress, expected) in [(Float(0), former), (0.5, (former + 60) / 2)] {
        rig.run(0, progress: progress)
        Self.expect(
          rig, from: 1, insertion: Float(expected), digital: Float(expected) + 10, within: 0.01)
      }
    }
  }

  @Test(
    "changed in the midst of a way, no sound gets more than was in force or either setting gives, and louder sound dB by dB less of it",
    arguments: [(0.0, Float(79)), (30, 79), (40, 69), (50, 60)])
  func transitionInTransition(level: Double, expected: Float) throws {
    let rig = try Rig(Self.ear(try GainCurve(linear: 79)))
    rig.run(30)
    // At the beginning of the way to 60 dB it is another one again: 19 dB above those are in force.
    for gain in [60.0, 20] {
      try rig.retarget(to: Self.ear(try GainCurve(linear: gain)))
      rig.run(30, progress: 0, hops: 1)
    }
    Self.expect(rig, from: 1, insertion: 79, digital: 89, within: 0.01)
    rig.run(level, progress: 0)
    Self.expect(rig, from: 1, insertion: expected, digital: expected + 10, within: 0.01)
  }

  @Test(
    "a microphone of another calibration reads other levels: the gain goes on from the one in force, and by the levels that it read"
  )
  func transitionOfMicrophones() throws {
    let rig = try Rig(Self.ear(try Self.falling()))
    rig.run(79)
    // The same sound is read 10 dB softer, and as much less digital gain belongs to an insertion gain.
    try rig.retarget(to: Self.ear(try Self.falling(), input: 110))
    rig.run(79, progress: 0, hops: 1)
    Self.expect(rig, insertion: 31, digital: 31, within: 0.01)
    // In silence the former setting gives 60 dB, 70 digital.
    rig.run(0, progress: 0)
    Self.expect(rig, insertion: 70, digital: 70, within: 0.01)
  }

  // Gain in force beyond a compressive setting belongs to the level at that moment. (Level then, gain in force; level now, gain.)
  @Test(
    "changed in the midst of a way to compression, louder sound gets the setting's own gain soon, and softer sound no more than was in force",
    arguments: [
      // 79 dB are 19 above the setting's 60. 15 dB louder 4 of them are left above its 55; 20 dB louder none above its 50.
      (30.0, 79.0, 45.0, 59.0), (30, 79, 50, 50),
      // 60 dB are 10 above the setting's 50. 10 dB softer it gives 60 itself.
      (50, 60, 40, 60),
    ])
  func transitionToCompression(level: Double, inForce: Double, next: Double, expected: Float) throws {
    let rig = try Rig(Self.ear(try GainCurve(linear: inForce)))
    rig.run(level)
    for curve in [try Self.falling(), try GainCurve(linear: 20)] {
      try rig.retarget(to: Self.ear(curve))
      rig.run(level, progress: 0, hops: 1)
    }
    Self.expect(rig, from: 1, insertion: Float(inForce), digital: Float(inForce) + 10, within: 0.01)
    rig.run(next, progress: 0)
    Self.expect(rig, from: 1, insertion: expected, digital: expected + 10, within: 0.01)
  }

  @Test(
    "half a dB more than the setting before is gone in louder sound, half a dB less stays",
    arguments: [(59.5, Float(59.5)), (60.5, 60)])
  func smallDifference(setting: Double, expected: Float) throws {
    let rig = try Rig(Self.ear(try GainCurve(linear: 60)))
    rig.run(30)
    for gain in [setting, 20] {
      try rig.retarget(to: Self.ear(try GainCurve(linear: gain)))
      rig.run(30, progress: 0, hops: 1)
    }
    rig.run(50, progress: 0)
    Self.expect(rig, from: 1, insertion: expected, digital: expected + 10, within: 0.01)
  }

  /// 60 dB up to 40 dB SPL, and 1 dB less for every dB above.
  static func falling() throws -> GainCurve {
    try GainCurve(knots: [GainCurve.Knot(level: SoundPressureLevel(40), gain: 60)], slopeAbove: -1)
  }
}
