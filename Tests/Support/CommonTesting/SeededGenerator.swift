package import Base

/// Random numbers of tests, the same from the same seed.
package typealias SeededGenerator = SeededNumbers

extension SeededNumbers {
  package init(_ seed: UInt64) { self.init(seed: seed) }

  /// True in one of `count` cases.
  package mutating func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

  /// A multiple of 1/`perUnit` within `range`, as a decimal is read.
  package mutating func number(_ range: ClosedRange<Double>, perUnit: Double = 10) -> Double {
    let steps = Int((range.lowerBound * perUnit).rounded())...Int((range.upperBound * perUnit).rounded())
    return Double(Int.random(in: steps, using: &self)) / perUnit
  }
}
