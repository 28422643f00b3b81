import Testing

@testable import Realtime

@Suite("Single-producer, single-consumer ring") struct SPSCRingTests {
  @Test("the capacity is the next power of two", arguments: [(1, 1), (2, 2), (3, 4), (64, 64), (65, 128)])
  func capacity(asked: Int, given: Int) {
    #expect(SPSCRing<Int>(capacity: asked).capacity == given)
  }

  @Test("a full ring takes nothing more and keeps what it has")
  func full() {
    let ring = SPSCRing<Int>(capacity: 4)
    for number in 0..<4 { #expect(ring.push(number) == true) }
    #expect(ring.push(4) == false)
    #expect(ring.count == 4)
    for number in 0..<4 { #expect(ring.pop() == number) }
    #expect(ring.pop() == nil)
    #expect(ring.count == 0)
  }

  @Test("order is kept while the ring wraps round many times")
  func wraps() {
    let ring = SPSCRing<Int>(capacity: 8)
    var (written, read) = (0, 0)
    for step in 0..<10_000 {
      for _ in 0..<(step % 7) where ring.push(written) { written += 1 }
      for _ in 0..<(step % 5) {
        guard let number = ring.pop() else { break }
        #expect(number == read)
        read += 1
      }
      #expect(ring.count == written - read)
    }
    #expect(written > 8 * 1000)
  }

  @Test("several elements are taken all or none, and thrown away as far as there are")
  func several() {
    let ring = SPSCRing<Int>(capacity: 4)
    var taken: [Int] = []
    for round in 0..<5 {
      let isPushed = ring.push(3) { 10 * round + $0 }
      #expect(isPushed)
      #expect(ring.pop(4) { _, _ in Issue.record("there are three") } == false)
      #expect(ring.pop(2) { index, element in taken.append(100 * index + element) } == true)
      ring.skip(2)
      #expect(ring.count == 0 && ring.popped == 3 * (round + 1))
    }
    #expect(taken == [0, 101, 10, 111, 20, 121, 30, 131, 40, 141])
    ring.skip(-1)
    #expect(ring.push(4) { $0 } == true)
  }

  @Test("the counters pass the end of Int without a fault")
  func countersWrap() {
    let ring = SPSCRing<Int>(capacity: 4, start: .max - 1)
    for number in 0..<20 {
      #expect(ring.push(number) == true)
      #expect(ring.push(-number) == true)
      #expect(ring.count == 2)
      #expect(ring.pop() == number)
      #expect(ring.pop() == -number)
    }
    for number in 0..<4 { #expect(ring.push(number) == true) }
    #expect(ring.push(4) == false)
  }

  @Test("a ring for nothing ends the program")
  func noCapacity() async {
    await #expect(processExitsWith: .failure) { _ = SPSCRing<Int>(capacity: 0) }
  }
}
