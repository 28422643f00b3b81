/// The checksum of a PNG chunk (ISO/IEC 15948, annex D).
enum SampleChecksum {
  /// Writes the right checksum behind a chunk that begins at a place.
  static func repair(_ bytes: inout [UInt8], chunk: Int) {
    let length = bytes[chunk..<chunk + 4].reduce(0) { $0 << 8 | Int($1) }
    let end = chunk + 8 + length
    guard end + 4 <= bytes.count else { return }
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in bytes[chunk + 4..<end] {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
    }
    sum ^= 0xFFFF_FFFF
    for k in 0..<4 { bytes[end + k] = UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * k)) }
  }
}
