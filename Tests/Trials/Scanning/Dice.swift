import Glibc

/// Random numbers from a seed: SplitMix64 (Steele, Lea and Flood 2014), the same on every machine.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number evenly distributed in a range.
  mutating func even(_ range: ClosedRange<Float>) -> Float { Float.random(in: range, using: &self) }

  /// A normally distributed number, mean 0 and standard deviation 1 (Box and Muller 1958).
  mutating func normal() -> Float {
    let u = Double.random(in: 0..<1, using: &self)
    let v = Double.random(in: 0..<1, using: &self)
    return Float((-2 * log(1 - u)).squareRoot() * cos(2 * .pi * v))
  }
}
