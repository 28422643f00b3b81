/// WAV files made byte by byte, for what our own writer refuses to write.
enum WAVE {
  /// A recording of 32-bit floating-point samples (RIFF WAVE, format 3), both ears, 44.1 kHz.
  static func float(left: [Float], right: [Float]) -> [UInt8] {
    let data = left.count * 8
    var bytes = Array("RIFF".utf8) + little(36 + data, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
    bytes += little(3, 2) + little(2, 2) + little(44_100, 4) + little(44_100 * 8, 4)
    bytes += little(8, 2) + little(32, 2) + Array("data".utf8) + little(data, 4)
    for (first, second) in zip(left, right) {
      bytes += little(Int(first.bitPattern), 4) + little(Int(second.bitPattern), 4)
    }
    return bytes
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
