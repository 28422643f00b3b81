/// WAV files made byte by byte, for what our own writer refuses to write.
enum WAVE {
  /// A silent file of 16-bit samples (RIFF WAVE, format 1).
  static func bytes(rate: Int, channels: Int, frames: Int) -> [UInt8] {
    let data = frames * channels * 2
    var bytes = Array("RIFF".utf8) + little(36 + data, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
    bytes += little(1, 2) + little(channels, 2) + little(rate, 4) + little(rate * channels * 2, 4)
    bytes += little(channels * 2, 2) + little(16, 2) + Array("data".utf8) + little(data, 4)
    return bytes + [UInt8](repeating: 0, count: data)
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
