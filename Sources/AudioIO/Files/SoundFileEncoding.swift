/// How samples are kept in a file.
public enum SoundFileEncoding: String, Sendable, Hashable, Codable, CaseIterable {
  /// 16-bit integers.
  case pcm16
  /// 24-bit integers.
  case pcm24
  /// 32-bit floating point; not in FLAC.
  case float32

  /// Bytes of a sample, before any compression.
  var bytesPerSample: Int {
    switch self {
    case .pcm16: 2
    case .pcm24: 3
    case .float32: 4
    }
  }
}
