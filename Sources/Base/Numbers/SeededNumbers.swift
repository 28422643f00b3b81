/// Random numbers that are the same from the same seed on every machine: SplitMix64 (Steele, Lea & Flood 2014, OOPSLA).
///
/// A procedure draws its gaps and orders from it, so that a record with its seed makes the same trials again; measurements and tests draw
/// their sounds from it, so that each run is the same.
///
/// - Threads: any, one at a time; allocates nothing.
public struct SeededNumbers: RandomNumberGenerator, Sendable, Hashable, Codable {
  @usableFromInline var state: UInt64

  /// - Parameter seed: The first state; any value.
  @inlinable public init(seed: UInt64) { state = seed }

  /// The next 64 bits: the state goes on by 2⁶⁴ / φ and is mixed.
  @inlinable public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
