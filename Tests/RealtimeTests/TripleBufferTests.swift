import Testing

@testable import Realtime

@Suite("Triple buffer") struct TripleBufferTests {
  @Test("the initial value is found until something is published, and is not news")
  func initial() {
    let buffer = TripleBuffer(42)
    #expect(buffer.latest() == 42)
    #expect(buffer.take() == nil)
  }

  @Test("of several published values the reader finds the last, once")
  func newest() {
    let buffer = TripleBuffer(0)
    for value in 1...5 { buffer.publish(value) }
    #expect(buffer.take() == 5)
    #expect(buffer.take() == nil)
    #expect(buffer.latest() == 5)
  }

  @Test("any order of publishing and reading yields the last published value")
  func anyOrder() {
    // Every sequence of 12 steps, each publish or read.
    for pattern in 0..<(1 << 12) {
      let buffer = TripleBuffer(0)
      var last = 0
      for step in 0..<12 {
        if pattern >> step & 1 == 1 {
          last += 1
          buffer.publish(last)
        } else if buffer.latest() != last {
          Issue.record("pattern \(pattern), step \(step)")
        }
      }
    }
  }
}
