import Acoustics
import Testing

@testable import Fitting

@Suite("Gain curve") struct GainCurveTests {
  typealias Knot = GainCurve.Knot

  private func knots(_ pairs: (Double, Double)...) -> [Knot] {
    pairs.map { Knot(level: SoundPressureLevel($0.0), gain: $0.1) }
  }

  @Test("between knots the gain lies on a line, beyond them on the slopes")
  func lines() throws {
    let curve = try GainCurve(knots: knots((30, 20), (50, 20), (90, 0)), slopeBelow: 0.5, slopeAbove: -1)
    let expected = [(10.0, 10.0), (30, 20), (40, 20), (50, 20), (70, 10), (90, 0), (95, -5)]
    for (level, gain) in expected {
      #expect(curve.gain(at: SoundPressureLevel(level)) == gain)
    }
  }

  @Test("a linear curve gives its gain at all levels, silence included")
  func linear() throws {
    let curve = try GainCurve(linear: 12)
    for level in [-Double.infinity, 0, 65, 130] { #expect(curve.gain(at: SoundPressureLevel(level)) == 12) }
  }

  @Test("silence into an expanding curve has no gain left at all")
  func silence() throws {
    let curve = try GainCurve(knots: knots((30, 20)), slopeBelow: 0.5)
    #expect(curve.gain(at: SoundPressureLevel(-.infinity)) == -.infinity)
  }

  @Test("bad curves are refused by name")
  func refuses() {
    #expect(throws: FittingError.notAccepted("0 knots", expected: "1 to 16")) { try GainCurve(knots: []) }
    #expect(throws: FittingError.notAccepted("17 knots", expected: "1 to 16")) {
      try GainCurve(knots: (1...17).map { Knot(level: SoundPressureLevel(Double($0)), gain: 0) })
    }
    #expect(throws: FittingError.notAccepted("level of knot 2", expected: "levels in rising order")) {
      try GainCurve(knots: knots((50, 1), (50, 2)))
    }
    #expect(throws: FittingError.notAccepted("level of knot 1", expected: "levels in rising order")) {
      try GainCurve(knots: knots((.nan, 1)))
    }
    #expect(throws: FittingError.notAccepted("gain of 101 dB", expected: "-100 to 100 dB")) {
      try GainCurve(linear: 101)
    }
    #expect(throws: FittingError.self) { try GainCurve(linear: .nan) }
    #expect(throws: FittingError.notAccepted("a slope without end", expected: "a finite one")) {
      try GainCurve(knots: knots((50, 1)), slopeAbove: -.infinity)
    }
  }
}
