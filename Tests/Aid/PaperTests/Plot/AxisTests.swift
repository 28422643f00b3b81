import Testing

@testable import Paper

/// Positions are exact up to the rounding of a few operations on numbers below 1000.
private let tolerance = 1e-9

@Suite("Axis") struct AxisTests {
  @Test("a linear axis divides its length in proportion to the value")
  func linear() {
    let axis = Axis(.linear, 0...10, from: 100, to: 300)
    #expect(axis.position(0) == 100)
    #expect(abs(axis.position(2.5) - 150) < tolerance)
    #expect(axis.position(10) == 300)
  }

  @Test("on a logarithmic axis every octave has the same width")
  func octaves() {
    // Six octaves on 600 points.
    let axis = Axis(.logarithmic, 125...8000, from: 0, to: 600)
    for (n, frequency) in [125.0, 250, 500, 1000, 2000, 4000, 8000].enumerated() {
      #expect(abs(axis.position(frequency) - 100 * Double(n)) < tolerance)
    }
    // The geometric mean lies half way.
    #expect(abs(axis.position((1000.0 * 2000).squareRoot()) - 350) < tolerance)
  }

  @Test("an axis that ends before it starts is reversed: greater values lie nearer the page's origin")
  func reversed() {
    let axis = Axis(.linear, -20...60, from: 400, to: 0)
    #expect(abs(axis.position(-20) - 400) < tolerance)
    #expect(abs(axis.position(20) - 200) < tolerance)
    #expect(abs(axis.position(60)) < tolerance)
  }

  @Test("a value beyond the range keeps its distance, and what is not a number is not on the axis")
  func outside() {
    let axis = Axis(.linear, 0...10, from: 0, to: 100)
    #expect(abs(axis.position(12) - 120) < tolerance)
    #expect(!axis.contains(12))
    #expect(!axis.contains(.nan))
    #expect(axis.contains(0) && axis.contains(10))
  }
}
