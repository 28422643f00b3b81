import Glibc

/// Random numbers that are the same in each run: SplitMix64 (Steele, Lea & Flood 2014, OOPSLA).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Evenly spread over 0...1, never 0.
  mutating func even() -> Double { (Double(next() >> 11) + 1) * 0x1p-53 }

  /// Two independent numbers of the normal distribution (Box & Muller 1958).
  mutating func normalPair() -> (Double, Double) {
    let radius = (-2 * log(even())).squareRoot()
    let angle = 2 * .pi * even()
    return (radius * cos(angle), radius * sin(angle))
  }
}
