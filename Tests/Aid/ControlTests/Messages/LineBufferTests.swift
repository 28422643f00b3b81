import Testing

@testable import Control

@Suite("Line buffer") struct LineBufferTests {
  @Test("lines come out whole, however their bytes came in")
  func pieces() {
    let text = [UInt8]("one\ntwo\r\n\nthree".utf8)
    for size in 1...text.count {
      var buffer = LineBuffer(limit: 10)
      var lines: [LineBuffer.Line] = []
      for start in stride(from: 0, to: text.count, by: size) {
        buffer.append(text[start..<min(start + size, text.count)])
        while let line = buffer.next() { lines.append(line) }
      }
      #expect(lines == ["one", "two", ""].map { .whole([UInt8]($0.utf8)) })
      #expect(buffer.remainder() == [UInt8]("three".utf8))
      #expect(buffer.count == 0)
    }
  }

  @Test("a line of the limit passes, one byte more does not, with or without its end")
  func limit() {
    for (count, ended, expected) in [(4, true, false), (5, true, true), (4, false, nil), (5, false, true)] {
      var buffer = LineBuffer(limit: 4)
      buffer.append([UInt8](repeating: 0x61, count: count) + (ended ? [0x0A] : []))
      #expect(buffer.next().map { $0 == .tooLong } == expected)
    }
  }
}
