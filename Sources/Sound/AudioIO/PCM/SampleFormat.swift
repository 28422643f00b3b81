/// Format of a sample in a device's buffer: little-endian signed integers, or 32-bit floating point.
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

/// Device samples to planar floating point: integer / 2^(bits − 1), so that −1 is the most negative
/// integer.
extension SampleFormat {
  /// Takes one channel out of interleaved frames.
  ///
  /// Exact for all formats but `signed32`, which is rounded to the 24 bits of a `Float`.
  ///
  /// - Parameters:
  ///   - raw: `frames · channels` samples in this format, aligned to 4 bytes.
  ///   - channels: Samples per frame, 1 or more.
  ///   - channel: The channel wanted, `0..<channels`.
  ///   - frames: Frames to take.
  ///   - output: Room for `frames` samples.
  /// - Threads: any.
  /// - Complexity: O(`frames`), allocates nothing.
  #if RT_LINT
    @_noAllocation
  #endif
  public func decode(
    _ raw: UnsafeRawPointer, channels: Int, channel: Int, frames: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    switch self {
    case .float32:
      let samples = unsafe raw.assumingMemoryBound(to: Float.self)
      unsafe deinterleave(channels, channel, frames, output) { unsafe samples[$0] }
    case .signed32:
      let samples = unsafe raw.assumingMemoryBound(to: Int32.self)
      unsafe deinterleave(channels, channel, frames, output) { unsafe Float(samples[$0]) * 0x1p-31 }
    case .signed24:
      // The fourth byte is undefined: shifting the sign bit to the top throws it away, and keeps the sign.
      let samples = unsafe raw.assumingMemoryBound(to: Int32.self)
      unsafe deinterleave(channels, channel, frames, output) {
        unsafe Float(samples[$0] &<< 8) * 0x1p-31
      }
    case .signed24Packed:
      let bytes = unsafe raw.assumingMemoryBound(to: UInt8.self)
      unsafe deinterleave(channels, channel, frames, output) { index in
        let low = unsafe Int32(bytes[3 &* index])
        let middle = unsafe Int32(bytes[3 &* index &+ 1])
        let high = unsafe Int32(bytes[3 &* index &+ 2])
        return Float((low &<< 8) | (middle &<< 16) | (high &<< 24)) * 0x1p-31
      }
    case .signed16:
      let samples = unsafe raw.assumingMemoryBound(to: Int16.self)
      unsafe deinterleave(channels, channel, frames, output) {
        unsafe Float(Int32(samples[$0])) * 0x1p-15
      }
    }
  }
}

/// Copies every `channels`-th sample; the stride is a constant where it is 1 or 2, so that the loop
/// vectorises.
@inline(__always)
private func deinterleave(
  _ channels: Int, _ channel: Int, _ frames: Int, _ output: UnsafeMutablePointer<Float>,
  _ load: (Int) -> Float
) {
  switch channels {
  case 1: for n in 0..<frames { unsafe output[n] = load(n) }
  case 2: for n in 0..<frames { unsafe output[n] = load(2 &* n &+ channel) }
  default: for n in 0..<frames { unsafe output[n] = load(channels &* n &+ channel) }
  }
}
