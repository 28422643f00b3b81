import Acoustics
import Fitting
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// Everything that can be wrong with a setting is found before it is built, and named.
@Suite("What a chain's setting may be") struct ChainParametersTests {
  static func build(
    dynamics: Dynamics = Dynamics(), bands: BandLayout = .standard,
    _ change: (inout EarFitting) throws -> Void
  ) throws {
    var ear = ChainRig.ear(try ChainRig.flat(10, bands: bands))
    try change(&ear)
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    let good = ChainRig.ear(try ChainRig.flat(10, bands: bands))
    // Either ear may be the wrong one.
    for ears in [Binaural(left: ear, right: good), Binaural(left: good, right: ear)] {
      _ = try ChainParameters(ears, dynamics: dynamics, bands: bands, geometry: geometry)
    }
  }

  static func level(_ decibels: Double) -> SoundPressureLevel { SoundPressureLevel(decibels) }

  @Test("the limits of every range are accepted")
  func limits() throws {
    for attack in [0.005, 2] {
      for release in [0.02, 10] {
        for link in [0.0, 1] {
          try Self.build(dynamics: Dynamics(attack: attack, release: release, binauralLink: link)) { ear in
            ear.outputLimit = Self.level(60)
            ear.bandLimits[0] = Self.level(120)
            ear.inputAtFullScale = Self.level(180)
            ear.outputAtFullScale[3] = Self.level(60)
            ear.curves[2] = try GainCurve(linear: 80)
          }
        }
      }
    }
  }

  @Test("times out of range are refused by name", arguments: [0.004_9, 2.1, -1, 0, .infinity])
  func attack(_ time: Double) {
    #expect(throws: ChainError.outOfRange(.time, name: "attack", found: time, range: Dynamics.attackRange))
    {
      try Self.build(dynamics: Dynamics(attack: time, release: 0.1)) { _ in }
    }
  }

  @Test("release times out of range are refused by name", arguments: [0.019, 10.1, -1, 0, .infinity])
  func release(_ time: Double) {
    #expect(
      throws: ChainError.outOfRange(.time, name: "release", found: time, range: Dynamics.releaseRange)
    ) {
      try Self.build(dynamics: Dynamics(attack: 0.01, release: time)) { _ in }
    }
  }

  @Test("a link outside 0...1 is refused", arguments: [-0.01, 1.01, .infinity])
  func link(_ share: Double) {
    #expect(throws: ChainError.outOfRange(.share, name: "binaural link", found: share, range: 0...1)) {
      try Self.build(dynamics: Dynamics(binauralLink: share)) { _ in }
    }
  }

  @Test("what is no number is refused wherever it stands")
  func notANumber() {
    #expect(throws: ChainError.self) { try Self.build(dynamics: Dynamics(attack: .nan)) { _ in } }
    #expect(throws: ChainError.self) { try Self.build(dynamics: Dynamics(release: .nan)) { _ in } }
    #expect(throws: ChainError.self) { try Self.build(dynamics: Dynamics(binauralLink: .nan)) { _ in } }
    #expect(throws: ChainError.self) { try Self.build { $0.outputLimit = Self.level(.nan) } }
    #expect(throws: ChainError.self) { try Self.build { $0.bandLimits[4] = Self.level(.nan) } }
    #expect(throws: ChainError.self) { try Self.build { $0.inputAtFullScale = Self.level(.nan) } }
    #expect(throws: ChainError.self) { try Self.build { $0.outputAtFullScale[19] = Self.level(.nan) } }
  }

  @Test("a row with a band too few or too many is refused with both numbers")
  func counts() {
    #expect(throws: ChainError.curveCount(found: 19, expected: 20)) {
      try Self.build { $0.curves.removeLast() }
    }
    #expect(throws: ChainError.curveCount(found: 21, expected: 20)) {
      try Self.build { $0.bandLimits.append(Self.level(100)) }
    }
    #expect(throws: ChainError.curveCount(found: 0, expected: 20)) {
      try Self.build { $0.outputAtFullScale = [] }
    }
  }

  @Test("gain above the ceiling is refused by band, at a knot, in silence and at the loudest input")
  func gains() {
    let error = ChainError.gainOutOfRange(band: 7, limit: 80)
    #expect(throws: error) { try Self.build { $0.curves[7] = try GainCurve(linear: 80.1) } }
    let knot = GainCurve.Knot(level: Self.level(50), gain: 40)
    // 40 dB at 50 dB SPL and a dB more for each dB down: 150 dB at −60 dB SPL.
    #expect(throws: error) {
      try Self.build { $0.curves[7] = try GainCurve(knots: [knot], slopeBelow: -1) }
    }
    // And a dB more for each dB up: 122 dB at 132 dB SPL, 12 dB above full scale.
    #expect(throws: error) { try Self.build { $0.curves[7] = try GainCurve(knots: [knot], slopeAbove: 1) } }
    #expect(throws: Never.self) {
      try Self.build { $0.curves[7] = try GainCurve(knots: [knot], slopeAbove: 0.4) }
    }
  }

  @Test("a curve too steep for single precision is refused by band and slope")
  func slopes() throws {
    let knot = GainCurve.Knot(level: Self.level(50), gain: 40)
    #expect(throws: ChainError.slopeTooSteep(band: 2, found: -1e300, limit: 100)) {
      try Self.build { $0.curves[2] = try GainCurve(knots: [knot], slopeAbove: -1e300) }
    }
    #expect(throws: ChainError.slopeTooSteep(band: 2, found: 101, limit: 100)) {
      try Self.build { $0.curves[2] = try GainCurve(knots: [knot], slopeBelow: 101) }
    }
    // 40 dB within 0.25 dB, numbers that binary fractions hold exactly.
    let near = GainCurve.Knot(level: Self.level(50.25), gain: 0)
    #expect(throws: ChainError.slopeTooSteep(band: 2, found: -160, limit: 100)) {
      try Self.build { $0.curves[2] = try GainCurve(knots: [knot, near]) }
    }
  }

  @Test("limits outside 60...120 dB SPL are refused", arguments: [59.9, 120.1, -.infinity, .infinity])
  func outputLimits(_ level: Double) {
    let error = ChainError.outOfRange(
      .level, name: "output limit", found: level, range: EarFitting.outputLimits)
    #expect(throws: error) { try Self.build { $0.outputLimit = Self.level(level) } }
    #expect(throws: error) { try Self.build { $0.bandLimits[11] = Self.level(level) } }
  }

  @Test(
    "full-scale levels outside 60...180 dB SPL are refused by side", arguments: [59.9, 180.1, .infinity])
  func fullScale(_ level: Double) {
    let range = EarFitting.fullScales
    #expect(throws: ChainError.outOfRange(.level, name: "input at full scale", found: level, range: range))
    {
      try Self.build { $0.inputAtFullScale = Self.level(level) }
    }
    #expect(throws: ChainError.outOfRange(.level, name: "output at full scale", found: level, range: range))
    {
      try Self.build { $0.outputAtFullScale[0] = Self.level(level) }
    }
  }

  /// A setting for 20 bands at 44.1 kHz and 64 frames.
  static func setting() throws -> ChainParameters {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    let ear = ChainRig.ear(try ChainRig.flat(0))
    return try ChainParameters(
      Binaural(both: ear), dynamics: Dynamics(), bands: .standard, geometry: geometry)
  }

  @Test("a chain of other bands does not take a setting: that is a mistake in the program")
  func otherBands() async {
    await #expect(processExitsWith: .failure) {
      let bands = try BandLayout(centres: (1...20).map { Double($0 * 400) })
      let setting = try Self.setting()
      _ = try LimitedChain(geometry: setting.tables.left.geometry, bands: bands, parameters: setting)
    }
  }

  @Test("a chain of another rate or block takes a setting neither at first nor later")
  func otherSizes() async {
    await #expect(processExitsWith: .failure) {
      let geometry = try ChainGeometry(sampleRate: 48_000, blockFrames: 64)
      _ = try LimitedChain(geometry: geometry, bands: .standard, parameters: try Self.setting())
    }
    await #expect(processExitsWith: .failure) {
      var rig = try ChainRig(Binaural(both: ChainRig.ear(try ChainRig.flat(0))), frames: 128)
      rig.chain.retarget(to: try Self.setting())
    }
  }
}
