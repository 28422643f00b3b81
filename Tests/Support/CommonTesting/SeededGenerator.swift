/// SplitMix64 (Steele, Lea & Flood 2014): the same numbers from the same seed, on every machine.
package struct SeededGenerator: RandomNumberGenerator {
  @usableFromInline var state: UInt64

  @inlinable package init(_ seed: UInt64) { state = seed }

  @inlinable package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// True in one of `count` cases.
  package mutating func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

  /// A multiple of 1/`perUnit` within `range`, as a decimal is read.
  package mutating func number(_ range: ClosedRange<Double>, perUnit: Double = 10) -> Double {
    let steps = Int((range.lowerBound * perUnit).rounded())...Int((range.upperBound * perUnit).rounded())
    return Double(Int.random(in: steps, using: &self)) / perUnit
  }
}
