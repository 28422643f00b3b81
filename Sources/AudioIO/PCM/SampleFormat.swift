/// How one sample lies in a device's buffer: little-endian signed integers, or 32-bit floating point.
///
/// The raw value is ALSA's name of the format, as `aplay --dump-hw-params` prints it.
public enum SampleFormat: String, Sendable, Hashable, Codable, CaseIterable {
  /// IEEE 754 single precision, full scale ±1.
  case float32 = "FLOAT_LE"
  /// 32-bit integers.
  case signed32 = "S32_LE"
  /// 24-bit integers in the low three bytes of four. The fourth byte is undefined when read, and written
  /// as the sign.
  case signed24 = "S24_LE"
  /// 24-bit integers in three bytes.
  case signed24Packed = "S24_3LE"
  /// 16-bit integers.
  case signed16 = "S16_LE"

  /// The order in which a device is asked: least conversion and most resolution first.
  public static let preferred: [SampleFormat] = [
    .float32, .signed32, .signed24, .signed24Packed, .signed16,
  ]

  /// Bytes one sample takes in the buffer.
  public var bytesPerSample: Int {
    switch self {
    case .float32, .signed32, .signed24: 4
    case .signed24Packed: 3
    case .signed16: 2
    }
  }

  /// Bits that carry sound; 24 for floating point, the width of its significand.
  public var significantBits: Int {
    switch self {
    case .float32, .signed24, .signed24Packed: 24
    case .signed32: 32
    case .signed16: 16
    }
  }
}
