import Acoustics
import Testing

@testable import Fitting

@Suite("A gain curve that is changed") struct GainCurveChangeTests {
  /// 30 dB up to 40 dB SPL, 2:1 above: 0 dB at 100 dB SPL.
  static func curve() throws -> GainCurve {
    try GainCurve(knots: [.init(level: SoundPressureLevel(40), gain: 30)], slopeBelow: 1, slopeAbove: -0.5)
  }

  @Test("only what lies above the reference is flattened", arguments: [0.0, 0.25, 0.6, 1])
  func flattened(share: Double) throws {
    let curve = try Self.curve()
    let flat = curve.flattened(above: 10, share: share)
    for level in stride(from: 0.0, through: 120, by: 2.5) {
      let level = SoundPressureLevel(level)
      let whole = curve.gain(at: level)
      #expect(abs(flat.gain(at: level) - (whole > 10 ? 10 + share * (whole - 10) : whole)) < 1e-9)
    }
  }

  @Test("a share that is none counts as the nearest, not a number as 0", arguments: [-1.0, 2, .nan])
  func share(share: Double) throws {
    let curve = try Self.curve()
    let expected = share > 1 ? 30.0 : 10
    #expect(
      abs(curve.flattened(above: 10, share: share).gain(at: SoundPressureLevel(40)) - expected) < 1e-9)
  }

  @Test("a curve of as many knots as there may be keeps within them, and is nowhere lifted")
  func full() throws {
    let knots = (0..<16).map {
      GainCurve.Knot(level: SoundPressureLevel(20 + 5 * Double($0)), gain: $0.isMultiple(of: 2) ? 20 : 5)
    }
    let curve = try GainCurve(knots: knots)
    let flat = curve.flattened(above: 10, share: 0.5)
    #expect(flat.knots.count <= GainCurve.maximumKnotCount)
    for knot in flat.knots { #expect(knot.gain <= curve.gain(at: knot.level) + 1e-9) }
  }

  @Test("a shifted curve is higher or lower by as much at every level, within the gains there are")
  func shifted() throws {
    let curve = try Self.curve()
    for level in [0.0, 40, 70, 110] {
      let level = SoundPressureLevel(level)
      #expect(abs(curve.shifted(by: -7).gain(at: level) - (curve.gain(at: level) - 7)) < 1e-9)
    }
    #expect(curve.shifted(by: 500).knots[0].gain == 100)
  }
}
