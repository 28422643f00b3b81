import AudioIO
import Testing

@Suite("Sample formats") struct SampleFormatTests {
  /// Encodes one sample and tells the bytes and the count of clipped samples.
  func encode(_ value: Float, _ format: SampleFormat) -> (bytes: [UInt8], clipped: Int) {
    var words = [UInt32](repeating: 0, count: 2)
    let clipped = words.withUnsafeMutableBytes { raw in
      format.encode([value], frames: 1, into: raw.baseAddress!, channels: 1, channel: 0)
    }
    let bytes = words.withUnsafeBytes { Array($0.prefix(format.bytesPerSample)) }
    return (bytes, clipped)
  }

  func decode(_ bytes: [UInt8], _ format: SampleFormat) -> Float {
    var words = [UInt32](repeating: 0, count: 2)
    words.withUnsafeMutableBytes { raw in
      for n in bytes.indices { raw[n] = bytes[n] }
    }
    var value: Float = .nan
    words.withUnsafeBytes {
      format.decode($0.baseAddress!, channels: 1, channel: 0, frames: 1, into: &value)
    }
    return value
  }

  @Test(
    "integers are divided by 2^(bits − 1)",
    arguments: [
      (SampleFormat.signed16, [0x00, 0x40], Float(0.5)), (.signed16, [0x00, 0x80], -1),
      (.signed16, [0xFF, 0x7F], 1 - 0x1p-15), (.signed16, [0xFF, 0xFF], -0x1p-15),
      (.signed24Packed, [0x00, 0x00, 0x40], 0.5), (.signed24Packed, [0x00, 0x00, 0x80], -1),
      (.signed24Packed, [0xFF, 0xFF, 0xFF], -0x1p-23), (.signed24Packed, [0x01, 0x00, 0x00], 0x1p-23),
      (.signed24, [0x00, 0x00, 0x40, 0x00], 0.5), (.signed24, [0xFF, 0xFF, 0xFF, 0xFF], -0x1p-23),
      (.signed32, [0x00, 0x00, 0x00, 0x40], 0.5), (.signed32, [0x00, 0x00, 0x00, 0x80], -1),
      (.signed32, [0x00, 0x01, 0x00, 0x00], 0x1p-23), (.float32, [0x00, 0x00, 0x00, 0xBF], -0.5),
    ] as [(SampleFormat, [UInt8], Float)])
  func decodes(format: SampleFormat, bytes: [UInt8], value: Float) {
    #expect(decode(bytes, format) == value)
  }

  @Test(
    "24 bits in 32 are read whatever the fourth byte holds", arguments: [UInt8(0x00), 0x7F, 0x80, 0xFF])
  func fourthByte(byte: UInt8) {
    #expect(decode([0x00, 0x00, 0xC0, byte], .signed24) == -0.5)
    #expect(decode([0x00, 0x00, 0x40, byte], .signed24) == 0.5)
  }

  @Test("24 bits in 32 are written with the sign in the fourth byte")
  func signByte() {
    #expect(encode(-0.5, .signed24).bytes == [0x00, 0x00, 0xC0, 0xFF])
    #expect(encode(0.5, .signed24).bytes == [0x00, 0x00, 0x40, 0x00])
  }

  @Test(
    "full scale and beyond is held and counted",
    arguments: [
      (SampleFormat.signed16, [0xFF, 0x7F], [0x00, 0x80]),
      (.signed24Packed, [0xFF, 0xFF, 0x7F], [0x00, 0x00, 0x80]),
      (.signed24, [0xFF, 0xFF, 0x7F, 0x00], [0x00, 0x00, 0x80, 0xFF]),
      (.signed32, [0xFF, 0xFF, 0xFF, 0x7F], [0x00, 0x00, 0x00, 0x80]),
      (.float32, [0x00, 0x00, 0x80, 0x3F], [0x00, 0x00, 0x80, 0xBF]),
    ] as [(SampleFormat, [UInt8], [UInt8])])
  func clips(format: SampleFormat, highest: [UInt8], lowest: [UInt8]) {
    for value: Float in [1.5, .infinity, .greatestFiniteMagnitude] {
      #expect(encode(value, format) == (highest, 1))
      #expect(encode(-value, format) == (lowest, 1))
    }
    // −1 is a sample of every format; +1 is one of floating point only.
    #expect(encode(-1, format) == (lowest, 0))
    #expect(encode(1, format) == (highest, format == .float32 ? 0 : 1))
  }

  @Test("what is not a number becomes silence and is counted", arguments: SampleFormat.allCases)
  func notANumber(format: SampleFormat) {
    let (bytes, clipped) = encode(.nan, format)
    #expect(bytes.allSatisfy { $0 == 0 } && clipped == 1)
  }

  @Test(
    "rounding is to nearest, ties to even",
    arguments: [(0.4, 0), (0.5, 0), (0.6, 1), (1.5, 2), (2.5, 2), (-0.5, 0), (-1.5, -2), (-0.6, -1)])
  func rounds(steps: Double, expected: Int) {
    let bytes = encode(Float(steps * 0x1p-15), .signed16).bytes
    #expect(Int(Int16(truncatingIfNeeded: Int(bytes[0]) | Int(bytes[1]) << 8)) == expected)
  }

  @Test("every 16-bit sample survives the way there and back")
  func all16() {
    var samples = (Int16.min...Int16.max).map { $0 }
    let expected = samples
    var values = [Float](repeating: 0, count: samples.count)
    samples.withUnsafeBytes {
      SampleFormat.signed16.decode(
        $0.baseAddress!, channels: 1, channel: 0, frames: values.count, into: &values)
    }
    samples = [Int16](repeating: 0, count: samples.count)
    let clipped = samples.withUnsafeMutableBytes {
      SampleFormat.signed16.encode(
        values, frames: values.count, into: $0.baseAddress!, channels: 1, channel: 0)
    }
    #expect(samples == expected && clipped == 0)
  }

  @Test("channels are interleaved where they belong, and others are left alone", arguments: [1, 2, 3, 8])
  func interleaves(channels: Int) {
    let frames = 100
    for format in SampleFormat.allCases {
      for channel in 0..<channels {
        // Multiples of 1/128 are exact in every format.
        let input = (0..<frames).map { Float($0 - 50) / 128 }
        var words = [UInt32](repeating: 0, count: frames * channels)
        words.withUnsafeMutableBytes {
          _ = format.encode(
            input, frames: frames, into: $0.baseAddress!, channels: channels, channel: channel)
        }
        for other in 0..<channels {
          var output = [Float](repeating: .nan, count: frames)
          words.withUnsafeBytes {
            format.decode(
              $0.baseAddress!, channels: channels, channel: other, frames: frames, into: &output)
          }
          #expect(output == (other == channel ? input : [Float](repeating: 0, count: frames)))
        }
      }
    }
  }
}
