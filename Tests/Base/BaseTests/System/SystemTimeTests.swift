import Glibc
import Testing

@testable import Base

@Suite("System time") struct SystemTimeTests {
  @Test("monotonic time never goes back and is CLOCK_MONOTONIC in seconds")
  func monotonic() {
    var last = SystemTime.monotonic
    for _ in 0..<10_000 {
      let now = SystemTime.monotonic
      #expect(now >= last)
      last = now
    }
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let reference = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    // The reference was read later, on a machine that may have been busy meanwhile.
    #expect(reference - last >= 0 && reference - last < 10)
  }

  @Test("thread time grows with work and not with waiting")
  func thread() {
    let start = SystemTime.thread
    usleep(50_000)
    let waited = SystemTime.thread - start
    #expect(waited >= 0 && waited < 0.025)  // 50 ms passed; falling asleep costs microseconds
    var sum = 0.0
    let begin = SystemTime.thread
    while SystemTime.thread - begin < 0.002 { sum += 1 }
    #expect(sum > 0)
  }
}
