/// How a symbol of version 7 or more says its version: 18 bits, twice (ISO/IEC 18004, 7.10).
enum VersionInformation {
  /// Six bits of version and twelve of a Bose-Chaudhuri-Hocquenghem code with generator
  /// x¹² + x¹¹ + x¹⁰ + x⁹ + x⁸ + x⁵ + x² + 1; any two differ in eight bits or more.
  static func bits(_ version: Int) -> UInt32 {
    var rest = UInt32(version) << 12
    for bit in (12..<18).reversed() where rest & (1 << UInt32(bit)) != 0 {
      rest ^= 0x1F25 << UInt32(bit - 12)
    }
    return UInt32(version) << 12 | rest
  }

  /// Columns and rows of the centres of alignment patterns (ISO/IEC 18004, annex E): from 6 to side - 7 in even
  /// steps of an even number of modules; only the first step may be smaller.
  static func alignment(_ version: Int) -> [Int] {
    guard version > 1 else { return [] }
    let side = 17 + 4 * version
    let count = version / 7 + 2
    // Version 32 alone departs from the rule.
    let step = version == 32 ? 26 : (side - 13 + 2 * count - 3) / (2 * count - 2) * 2
    return [6] + (0..<count - 1).map { side - 7 - (count - 2 - $0) * step }
  }
}
