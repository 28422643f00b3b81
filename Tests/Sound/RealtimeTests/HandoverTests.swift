import Synchronization
import Testing

@testable import Realtime

@Suite("Hand-over of objects") struct HandoverTests {
  /// Counts the objects that are alive.
  final class Census: Sendable { let alive = Atomic<Int>(0) }

  final class Parameters: Sendable {
    let number: Int
    private let census: Census

    init(_ number: Int, _ census: Census) {
      self.number = number
      self.census = census
      census.alive.add(1, ordering: .relaxed)
    }

    deinit { census.alive.subtract(1, ordering: .relaxed) }
  }

  let census = Census()
  var alive: Int { census.alive.load(ordering: .relaxed) }

  @Test("nothing changes until the audio thread takes what was published")
  func takes() {
    let handover = Handover(Parameters(1, census))
    #expect(handover.update() == false)
    handover.publish(Parameters(2, census))
    #expect(handover.withCurrent { $0.number } == 1)
    #expect(handover.update() == true)
    #expect(handover.withCurrent { $0.number } == 2)
    #expect(handover.update() == false)
  }

  @Test("an object the audio thread has left is released on control, at the next publishing or reclaiming")
  func reclaims() {
    let handover = Handover(Parameters(1, census))
    handover.publish(Parameters(2, census))
    _ = handover.update()
    #expect(alive == 2)
    #expect(handover.reclaim() == 1)
    #expect(alive == 1)
    handover.publish(Parameters(3, census))
    _ = handover.update()
    handover.publish(Parameters(4, census))
    #expect(alive == 2)  // 3 in force, 4 pending
  }

  @Test("an object that was never taken is released when the next is published")
  func skips() {
    let handover = Handover(Parameters(1, census))
    for number in 2...10 { handover.publish(Parameters(number, census)) }
    #expect(alive == 2)
    _ = handover.update()
    #expect(handover.withCurrent { $0.number } == 10)
  }

  @Test("destruction releases the object in force, the pending one and the returned ones")
  func destroys() {
    do {
      let handover = Handover(Parameters(1, census))
      handover.publish(Parameters(2, census))
      _ = handover.update()
      handover.publish(Parameters(3, census))
      #expect(alive == 2)
      _ = handover.update()
      #expect(alive == 2)
      handover.publish(Parameters(4, census))
    }
    #expect(alive == 0)
  }
}
