import Acoustics
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Output limits in digits") struct OutputLimitsTests {
  /// An ear whose most sensitive band makes 120 dB SPL at full scale, the others 6 dB less.
  static func ear(limit: Double) throws -> EarFitting {
    var ear = ChainRig.ear(try ChainRig.flat(0), limit: limit)
    ear.outputAtFullScale = ear.outputAtFullScale.enumerated().map {
      $0.offset == 3 ? $0.element : $0.element - 6
    }
    return ear
  }

  @Test(
    "the limit is that of a sine in the most sensitive band: peak and mean square",
    arguments: [60.0, 90, 110, 120])
  func values(limit: Double) throws {
    let limits = try OutputLimits(Binaural(left: Self.ear(limit: limit), right: Self.ear(limit: 60)))
    let peak = pow(10, (limit - 120) / 20)
    // Single precision.
    #expect(abs(Double(limits.ears.left.peak) / peak - 1) < 1e-6)
    #expect(abs(Double(limits.ears.left.power) / (peak * peak / 2) - 1) < 1e-6)
    #expect(abs(limits.levels.left.decibels - (limit - 120)) < 1e-5)
    #expect(abs(limits.levels.right.decibels + 60) < 1e-5)
  }

  @Test("an earphone that is more sensitive between its bands' centres is limited by what it makes there")
  func betweenCentres() throws {
    var ear = try Self.ear(limit: 100)
    ear.loudestAtFullScale = SoundPressureLevel(126)
    #expect(abs(try OutputLimits(Binaural(both: ear)).levels.left.decibels + 26) < 1e-5)
    // Less than at a centre changes nothing.
    ear.loudestAtFullScale = SoundPressureLevel(90)
    #expect(abs(try OutputLimits(Binaural(both: ear)).levels.left.decibels + 20) < 1e-5)
  }

  @Test("an earphone that does not reach the limit is held at full scale")
  func fullScale() throws {
    var ear = try Self.ear(limit: 110)
    ear.outputAtFullScale = ear.outputAtFullScale.map { _ in SoundPressureLevel(100) }
    let limits = try OutputLimits(Binaural(both: ear))
    #expect(limits.ears.left.peak == 1 && limits.ears.left.power == 0.5)
  }

  @Test(
    "a limit below 60 or above 120 dB SPL is refused, and one that is no number",
    arguments: [59.99, 120.01, .nan, -Double.infinity] as [Double])
  func refused(limit: Double) throws {
    let ear = try Self.ear(limit: limit)
    #expect(throws: ChainError.self) { try OutputLimits(Binaural(left: Self.ear(limit: 90), right: ear)) }
    #expect(throws: ChainError.self) { try OutputLimits(Binaural(left: ear, right: Self.ear(limit: 90))) }
  }

  @Test("of a limit and a level the lower holds, in each ear, for peak and mean square")
  func held() throws {
    let limits = try OutputLimits(Binaural(left: Self.ear(limit: 110), right: Self.ear(limit: 70))).held(
      to: -30)
    #expect(abs(limits.levels.left.decibels + 30) < 1e-5)
    #expect(abs(limits.levels.right.decibels + 50) < 1e-5)
    #expect(abs(Double(limits.ears.left.power) / (0.5 * pow(10, -3)) - 1) < 1e-6)
    #expect(abs(Double(limits.ears.right.power) / (0.5 * pow(10, -5)) - 1) < 1e-6)
    // And nothing is raised above full scale.
    let raised = try OutputLimits(Binaural(both: Self.ear(limit: 120))).held(to: 20)
    #expect(raised.ears.left.peak == 1 && raised.ears.left.power == 0.5)
  }

  @Test("a sine needs no headroom from 200 Hz up, 1 dB from 100 Hz up, and below that its crest's 3 dB")
  func headroom() {
    for (frequency, expected) in [
      (20_000.0, 0.0), (200, 0), (199.9, 1), (125, 1), (100, 1), (99.9, 3.0103), (20, 3.0103),
    ] {
      #expect(abs(OutputLimits.headroom(at: frequency) - expected) < 1e-4)
    }
  }

  @Test("what nothing is known of is held 60 dB below full scale")
  func lowest() {
    for limit in [OutputLimits.lowest.levels.left, OutputLimits.lowest.levels.right] {
      #expect(abs(limit.decibels + 60) < 1e-5)
    }
  }
}
