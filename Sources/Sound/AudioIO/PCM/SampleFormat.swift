/// Format of a sample in a device's buffer: little-endian signed integers, or 32-bit floating point.
///
/// The raw value is ALSA's name of the format, as `aplay --dump-hw-params` prints it. Cases are in the order of
/// ``preferred``.
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
  public static var preferred: [SampleFormat] { allCases }

  /// Bytes one sample takes in the buffer.
  public var bytesPerSample: Int {
    switch self {
    case .float32, .signed32, .signed24: 4
    case .signed24Packed: 3
    case .signed16: 2
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
    case .signed32, .signed24:
      // The fourth byte of 24 bits is undefined: shifting the sign bit to the top throws it away, and keeps
      // the sign.
      let samples = unsafe raw.assumingMemoryBound(to: Int32.self)
      let shift: Int32 = self == .signed24 ? 8 : 0
      unsafe deinterleave(channels, channel, frames, output) {
        unsafe Float(samples[$0] &<< shift) * 0x1p-31
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
      unsafe deinterleave(channels, channel, frames, output) { unsafe Float(Int32(samples[$0])) * 0x1p-15 }
    }
  }
}

/// Copies every `channels`-th sample; the stride is a constant where it is 1 or 2, so that the loop
/// vectorises.
@inline(__always) private func deinterleave(
  _ channels: Int, _ channel: Int, _ frames: Int, _ output: UnsafeMutablePointer<Float>,
  _ load: (Int) -> Float
) {
  switch channels {
  case 1: for n in 0..<frames { unsafe output[n] = load(n) }
  case 2: for n in 0..<frames { unsafe output[n] = load(2 &* n &+ channel) }
  default: for n in 0..<frames { unsafe output[n] = load(channels &* n &+ channel) }
  }
}

/// Planar floating point to device samples: scaled by 2^(bits − 1), rounded to nearest (ties to even), held
/// at full scale. Not-a-number becomes silence.
extension SampleFormat {
  /// Puts one channel into interleaved frames.
  ///
  /// - Parameters:
  ///   - input: `frames` samples, full scale ±1.
  ///   - frames: Frames to put.
  ///   - raw: Room for `frames · channels` samples in this format, aligned to 4 bytes.
  ///   - channels: Samples per frame, 1 or more.
  ///   - channel: The channel to write, `0..<channels`; the others are left alone.
  /// - Returns: Number of samples that did not fit the format's range and were held at full scale, or were
  ///   not a number.
  /// - Threads: any.
  /// - Complexity: O(`frames`), allocates nothing.
  #if RT_LINT
    @_noAllocation
  #endif
  public func encode(
    _ input: UnsafePointer<Float>, frames: Int, into raw: UnsafeMutableRawPointer, channels: Int,
    channel: Int
  ) -> Int {
    switch self {
    case .float32:
      let samples = unsafe raw.assumingMemoryBound(to: Float.self)
      return unsafe interleave(input, frames, channels, channel, bounded) {
        unsafe samples[$0] = Float(bitPattern: UInt32(truncatingIfNeeded: $1))
      }
    case .signed32, .signed24:
      let samples = unsafe raw.assumingMemoryBound(to: Int32.self)
      let scale = self == .signed32 ? 0x1p31 : 0x1p23
      return unsafe interleave(input, frames, channels, channel, { rounded($0, scale) }) {
        unsafe samples[$0] = $1
      }
    case .signed24Packed:
      let bytes = unsafe raw.assumingMemoryBound(to: UInt8.self)
      return unsafe interleave(input, frames, channels, channel, { rounded($0, 0x1p23) }) {
        unsafe bytes[3 &* $0] = UInt8(truncatingIfNeeded: $1)
        unsafe bytes[3 &* $0 &+ 1] = UInt8(truncatingIfNeeded: $1 &>> 8)
        unsafe bytes[3 &* $0 &+ 2] = UInt8(truncatingIfNeeded: $1 &>> 16)
      }
    case .signed16:
      let samples = unsafe raw.assumingMemoryBound(to: Int16.self)
      return unsafe interleave(input, frames, channels, channel, { rounded($0, 0x1p15) }) {
        unsafe samples[$0] = Int16(truncatingIfNeeded: $1)
      }
    }
  }
}

/// One sample ready to be stored, and 1 if it had to be held at full scale.
private typealias Quantised = (bits: Int32, clipped: Int32)

/// A floating-point sample held in ±1, as its bit pattern.
#if RT_LINT
  @_noAllocation
#endif
@inline(__always) private func bounded(_ value: Float) -> Quantised {
  let sample = value == value ? value : 0
  let high = sample > 1 ? 1 : sample
  let low = high < -1 ? -1 : high
  return (Int32(bitPattern: low.bitPattern), value == low ? 0 : 1)
}

/// `value · scale`, rounded and held in `-scale...scale - 1`.
///
/// In double precision every product is exact, and adding 1.5 · 2^52 rounds to an integer (ties to even)
/// whose two's complement stands in the low bits of the sum: no conversion instruction with a range check.
#if RT_LINT
  @_noAllocation
#endif
@inline(__always) private func rounded(_ value: Float, _ scale: Double) -> Quantised {
  let sample = value == value ? value : 0
  let scaled = Double(sample) * scale
  let high = scaled > scale - 1 ? scale - 1 : scaled
  let low = high < -scale ? -scale : high
  let sum = low + 0x1.8p52
  // Half a step beyond the last integer still rounds to it and loses nothing.
  let clipped = value != value || scaled >= scale - 0.5 || scaled < -scale - 0.5
  return (Int32(truncatingIfNeeded: sum.bitPattern), clipped ? 1 : 0)
}

/// Writes every `channels`-th sample; the stride is a constant where it is 1 or 2, so that the loop
/// vectorises.
@inline(__always) private func interleave(
  _ input: UnsafePointer<Float>, _ frames: Int, _ channels: Int, _ channel: Int,
  _ quantise: (Float) -> Quantised, _ store: (Int, Int32) -> Void
) -> Int {
  @inline(__always) func pass(stride: Int, first: Int) -> Int {
    var clipped: Int32 = 0
    for n in 0..<frames {
      let sample = unsafe quantise(input[n])
      store(stride &* n &+ first, sample.bits)
      clipped &+= sample.clipped
    }
    return Int(clipped)
  }
  return switch channels {
  case 1: pass(stride: 1, first: 0)
  case 2: pass(stride: 2, first: channel)
  default: pass(stride: channels, first: channel)
  }
}
