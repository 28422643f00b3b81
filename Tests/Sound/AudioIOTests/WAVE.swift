/// WAV files made byte by byte, for what our own writer refuses to write.
enum WAVE {
  /// A file of 16-bit samples (RIFF WAVE, format 1), channels alternating.
  static func bytes(rate: Int, channels: Int, samples: [Int16]) -> [UInt8] {
    let data = samples.count * 2
    var bytes = Array("RIFF".utf8) + little(36 + data, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
    bytes += little(1, 2) + little(channels, 2) + little(rate, 4) + little(rate * channels * 2, 4)
    bytes += little(channels * 2, 2) + little(16, 2) + Array("data".utf8) + little(data, 4)
    return bytes + samples.flatMap { little(Int($0), 2) }
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
