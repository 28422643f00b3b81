/// Device samples to planar floating point: integer / 2^(bits − 1), so that −1 is the most negative integer.
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
#if RT_LINT
  @_noAllocation
#endif
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
