import EngineTesting
import Glibc
import Testing

@testable import Service

@Suite struct SerialWorkerTests {
  /// Long for any machine; nothing waits for it unless a test fails.
  private static let long = 60.0

  /// One that holds on to odd jobs while it is told to.
  private func worker(held: Shared<Bool>) throws -> SerialWorker<Int, Int> {
    try SerialWorker("test") { job in
      while job % 2 == 1, held.value { poll(nil, 0, 1) }
      return job * 10
    }
  }

  @Test("pieces of work are done one after another, and their results come in that order")
  func order() throws {
    let worker = try worker(held: Shared(false))
    for number in 0..<100 { worker.submit(number) }
    #expect(worker.finish(within: Self.long))
    var polled = pollfd(fd: worker.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&polled, 1, 0) == 1)
    #expect(worker.results() == (0..<100).map { $0 * 10 })
    #expect(worker.results() == [] && poll(&polled, 1, 0) == 0 && worker.delay == 0)
    worker.end()
  }

  @Test("work that hangs is waited for no longer than said, and its time is told")
  func held() throws {
    let held = Shared(true)
    let worker = try worker(held: held)
    worker.submit(1)
    #expect(!worker.finish(within: 0.01))
    #expect(eventually { worker.delay > 0.01 })
    // What the present piece has taken counts as waited already.
    worker.submit(2)
    #expect(!worker.finish(within: 0.01) && worker.results() == [])
    held.value = false
    #expect(worker.finish(within: Self.long) && worker.results() == [10, 20])
    worker.end()
  }

  @Test("what a piece of work tells before it is done comes before its result")
  func told() throws {
    let own = Shared<SerialWorker<Int, Int>?>(nil)
    let worker = try SerialWorker("test") { (job: Int) in
      own.value?.tell(job + 1)
      return job
    }
    own.value = worker
    worker.submit(4)
    #expect(worker.finish(within: Self.long) && worker.results() == [5, 4])
    own.value = nil
    worker.end()
  }

  @Test("a worker that ends does what was left first")
  func ends() throws {
    let worker = try worker(held: Shared(false))
    worker.submit(4)
    worker.end()
    #expect(worker.finish(within: Self.long) && worker.results() == [40])
  }
}
