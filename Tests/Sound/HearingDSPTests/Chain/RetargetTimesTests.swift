import Acoustics
import Fitting
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Change to other times and another link") struct RetargetTimesTests {
  static let transition = 0.5
  /// Band of the tone, 1 kHz.
  static let band = BandLayout.standard.centres.firstIndex(of: 1000) ?? 0

  static func parameters(_ rig: borrowing ChainRig, _ dynamics: Dynamics) throws -> ChainParameters {
    var treatment = Treatment()
    treatment.transition = transition
    return try ChainParameters(
      Binaural(both: ChainRig.ear(try ChainRig.compressive(2))), dynamics: dynamics, treatment: treatment,
      bands: rig.bands, geometry: rig.geometry)
  }

  static func rig(_ dynamics: Dynamics) throws -> ChainRig {
    try ChainRig(Binaural(both: ChainRig.ear(try ChainRig.compressive(2))), dynamics: dynamics)
  }

  /// Insertion gain of the right ear's band after each block of a tone, dB. Multiples of 0.64 s are whole periods, so
  /// that the tone runs on over calls.
  static func course(_ rig: inout ChainRig, left: Double, right: Double, seconds: Double) -> [Double] {
    let count = rig.count(seconds)
    let (one, other) = (
      Signal.tone(1000, level: left, count: count), Signal.tone(1000, level: right, count: count)
    )
    return stride(from: 0, to: count, by: 64).map { start in
      _ = rig.run(Array(one[start..<start + 64]), Array(other[start..<start + 64]))
      return Double(rig.chain.meters.right.insertionGain[band])
    }
  }

  static func greatestStep(_ course: [Double]) -> Double {
    zip(course, course.dropFirst()).map { abs($1 - $0) }.max() ?? .infinity
  }

  @Test(
    "a link moves the softer ear's gain over the whole transition: 20 dB between the ears, ratio 2, 10 dB")
  func link() throws {
    var rig = try Self.rig(Dynamics())
    let before = try #require(Self.course(&rig, left: 70, right: 50, seconds: 1.28).last)
    rig.chain.retarget(to: try Self.parameters(rig, Dynamics(binauralLink: 1)))
    let course = Self.course(&rig, left: 70, right: 50, seconds: 1.28)
    #expect(abs(before - (course.last ?? 0) - 10) < 0.2)
    // 10 dB over 0.5 s are 0.029 dB per hop, at most half as much again where the way is steepest.
    #expect(Self.greatestStep([before] + course) < 0.05)
    rig.chain.retarget(to: try Self.parameters(rig, Dynamics()))
    let back = Self.course(&rig, left: 70, right: 50, seconds: 1.28)
    #expect(abs((back.last ?? 0) - before) < 0.2)
    #expect(Self.greatestStep(back) < 0.05)
  }

  @Test("a quick release in place of a slow one lets go over the whole transition")
  func release() throws {
    var rig = try Self.rig(Dynamics(release: 10))
    _ = Self.course(&rig, left: 90, right: 90, seconds: 1.28)
    let before = try #require(Self.course(&rig, left: 55, right: 55, seconds: 0.64).last)
    rig.chain.retarget(to: try Self.parameters(rig, Dynamics(release: 0.05)))
    let course = Self.course(&rig, left: 55, right: 55, seconds: 1.28)
    // 20 dB up to 40 dB SPL, 2:1 above: 12.5 dB at 55 dB SPL.
    #expect(before < 4 && abs((course.last ?? 0) - 12.5) < 0.5)
    // At most 17.5 dB over 0.5 s, half as much again where the way is steepest.
    #expect(Self.greatestStep([before] + course) < 0.08)
  }
}
