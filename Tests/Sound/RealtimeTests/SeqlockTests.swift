import Testing

@testable import Realtime

@Suite("Seqlock") struct SeqlockTests {
  struct Meters: BitwiseCopyable, Sendable, Equatable {
    var level: Double
    var clipped: Bool
    var load: Float
    var count: UInt8
  }

  @Test("what was stored last is loaded, however often")
  func loadsLast() {
    let lock = Seqlock(Meters(level: 0, clipped: false, load: 0, count: 0))
    #expect(lock.load() == Meters(level: 0, clipped: false, load: 0, count: 0))
    for number in 1...255 {
      let meters = Meters(
        level: Double(number), clipped: number % 2 == 0, load: -Float(number), count: UInt8(number))
      lock.store(meters)
      #expect(lock.load() == meters)
      #expect(lock.load() == meters)
    }
  }

  @Test("a value that is not a whole number of words keeps its last bytes")
  func oddSize() {
    let lock = Seqlock((UInt64(1), UInt8(2)))
    lock.store((3, 4))
    #expect(lock.load() == (3, 4))
  }
}
