import Glibc
import Testing

@testable import Service

@Suite("DiskThread") struct DiskThreadTests {
  private let disk = DiskThread()

  /// Long for any machine; nothing waits for it unless a test fails.
  private static let long = 60.0

  @Test("pieces of work are done one after another, in their order")
  func order() {
    let done = Shared<[Int]>([])
    for number in 0..<100 { disk.submit { done.value.append(number) } }
    #expect(disk.wait(atMost: Self.long) {})
    #expect(done.value == Array(0..<100))
    #expect(eventually { disk.isIdle && disk.delay == 0 })
  }

  @Test("a result comes back; one whose work does not begin in time is dropped and not done later")
  func dropped() {
    guard case .done(7) = disk.result(within: Self.long, { 7 }) else {
      Issue.record("no result")
      return
    }
    let (isHeld, wasDone) = (Shared(true), Shared(false))
    defer { isHeld.value = false }
    disk.submit { while isHeld.value { usleep(1000) } }
    #expect(eventually { disk.delay > 0 })
    guard case .dropped = disk.result(within: 0.01, { wasDone.value = true }) else {
      Issue.record("expected it to be dropped")
      return
    }
    isHeld.value = false
    #expect(disk.wait(atMost: Self.long) {})
    #expect(!wasDone.value)
  }

  @Test("work that was begun goes on after its wait, and the time it takes is told")
  func underWay() {
    let isHeld = Shared(true)
    defer { isHeld.value = false }
    // On a machine so busy that the thread does not come to it, the work is dropped and asked for again.
    #expect(
      eventually {
        if case .underWay = disk.result(within: 0.05, { while isHeld.value { usleep(1000) } }) {
          true
        } else {
          false
        }
      })
    #expect(!disk.isIdle)
    #expect(eventually { disk.delay > 0.01 })
    // What the piece before has taken counts as waited already.
    #expect(!disk.wait(atMost: 0.01) {})
    isHeld.value = false
    #expect(eventually { disk.isIdle && disk.delay == 0 })
  }

  @Test("an end waits for nothing any more")
  func stops() {
    let isHeld = Shared(true)
    defer { isHeld.value = false }
    disk.submit { while isHeld.value { usleep(1000) } }
    disk.stopWaiting()
    #expect(!disk.wait(atMost: Self.long) {})
  }
}
