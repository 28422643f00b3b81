import Testing

@testable import Realtime

@Suite("Aligned buffer") struct AlignedBufferTests {
  @Test("the first element lies on a 64-byte boundary, whatever the type and count")
  func alignment() {
    for count in [0, 1, 3, 64, 1000] {
      let floats = AlignedBuffer<Float>(count: count)
      #expect(UInt(bitPattern: floats.pointer) % 64 == 0)
      let bytes = AlignedBuffer<UInt8>(count: count)
      #expect(UInt(bitPattern: bytes.pointer) % 64 == 0)
      let pairs = AlignedBuffer<SIMD2<Double>>(count: count)
      #expect(UInt(bitPattern: pairs.pointer) % 64 == 0)
    }
  }

  @Test("a new buffer is zero, also where the memory was used before")
  func zeroed() {
    for _ in 0..<4 {
      var buffer = AlignedBuffer<Float>(count: 513)
      for index in 0..<buffer.count { #expect(buffer[index] == 0) }
      buffer.fill(.pi)
      for index in 0..<buffer.count { #expect(buffer[index] == .pi) }
    }
  }

  @Test("an element written by index is found by span, and the other way round")
  func views() {
    var buffer = AlignedBuffer<Int32>(count: 5)
    buffer[4] = 7
    #expect(buffer.span[4] == 7)
    var span = buffer.mutableSpan
    span[0] = 9
    #expect(buffer[0] == 9)
    #expect(buffer.span.count == 5)
  }

  @Test("an index one past the end ends the program")
  func outside() async {
    await #expect(processExitsWith: .failure) {
      var buffer = AlignedBuffer<Float>(count: 4)
      buffer[buffer.count] = 1
    }
  }

  @Test("an index below zero ends the program")
  func below() async {
    await #expect(processExitsWith: .failure) {
      let buffer = AlignedBuffer<Float>(count: 4)
      _ = buffer[-1 + buffer.count - 4]
    }
  }

  @Test("a negative count ends the program")
  func negative() async {
    await #expect(processExitsWith: .failure) {
      _ = AlignedBuffer<Float>(count: -1)
    }
  }
}
