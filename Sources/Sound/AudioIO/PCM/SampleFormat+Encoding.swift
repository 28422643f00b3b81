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
    case .signed32:
      let samples = unsafe raw.assumingMemoryBound(to: Int32.self)
      return unsafe interleave(input, frames, channels, channel, { rounded($0, 0x1p31) }) {
        unsafe samples[$0] = $1
      }
    case .signed24:
      let samples = unsafe raw.assumingMemoryBound(to: Int32.self)
      return unsafe interleave(input, frames, channels, channel, { rounded($0, 0x1p23) }) {
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
@inline(__always)
private func bounded(_ value: Float) -> Quantised {
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
@inline(__always)
private func rounded(_ value: Float, _ scale: Double) -> Quantised {
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
@inline(__always)
private func interleave(
  _ input: UnsafePointer<Float>, _ frames: Int, _ channels: Int, _ channel: Int,
  _ quantise: (Float) -> Quantised, _ store: (Int, Int32) -> Void
) -> Int {
  var clipped: Int32 = 0
  switch channels {
  case 1:
    for n in 0..<frames {
      let sample = unsafe quantise(input[n])
      store(n, sample.bits)
      clipped &+= sample.clipped
    }
  case 2:
    for n in 0..<frames {
      let sample = unsafe quantise(input[n])
      store(2 &* n &+ channel, sample.bits)
      clipped &+= sample.clipped
    }
  default:
    for n in 0..<frames {
      let sample = unsafe quantise(input[n])
      store(channels &* n &+ channel, sample.bits)
      clipped &+= sample.clipped
    }
  }
  return Int(clipped)
}
