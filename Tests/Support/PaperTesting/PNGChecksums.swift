/// Checksums of a PNG file's chunks: a damaged chunk with a right checksum reaches the decoder.
package enum PNGChecksums {
  private static let table: [UInt32] = (0..<256).map { n in
    (0..<8).reduce(UInt32(n)) { c, _ in c & 1 == 1 ? 0xEDB8_8320 ^ (c >> 1) : c >> 1 }
  }

  /// Writes the right checksum (ISO/IEC 15948, annex D) behind every chunk that is whole.
  package static func repair(_ bytes: inout [UInt8]) {
    guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return }
    var place = 8
    while place + 12 <= bytes.count {
      let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = place + 8 + length
      guard end + 4 <= bytes.count else { return }
      var sum: UInt32 = 0xFFFF_FFFF
      for k in place + 4..<end { sum = table[Int((sum ^ UInt32(bytes[k])) & 0xFF)] ^ (sum >> 8) }
      sum ^= 0xFFFF_FFFF
      for k in 0..<4 { bytes[end + k] = UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * k)) }
      place = end + 4
    }
  }
  /// A file with the right checksums.
  package static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    repair(&bytes)
    return bytes
  }
}
